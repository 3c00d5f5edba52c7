// SPDX-License-Identifier: GPL-3.0-or-later
// Measures, so it is no test: how fast the four-layer network trains in the window, its chart
// visible, beside the bare training loop that `fullbatch run` is, in turns.
#include "core/data/mnist1d.h"
#include "core/engine/cpu_engine.h"
#include "core/network/initialisation.h"
#include "core/training/training_loop.h"
#include "tests/ui/window_under_test.h"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace fullbatch {

namespace {

constexpr int rounds = 7;
constexpr int milliseconds = 2500;
constexpr int warmUpMilliseconds = 500;

RunSpec fourLayers(int threads)
{
    RunSpec spec;
    spec.threads = threads;
    return spec;
}

/// Epochs a second that the log grows by, while `wait` lets time pass.
template <typename Wait>
double measured(const MetricsLog& log, const Wait& wait)
{
    wait(warmUpMilliseconds);
    const std::size_t before = log.epochs.size();
    QElapsedTimer clock;
    clock.start();
    wait(milliseconds);
    return static_cast<double>(log.epochs.size() - before) * 1e3
        / static_cast<double>(clock.elapsed());
}

double inTheWindow(int threads, int cores)
{
    MainWindow window(setupWith({cpuEngineChoice()}, cores));
    window.resize(1366, 768);
    window.show();
    window.runs().start({fourLayers(threads)}, {cpuEngineChoice()});
    while (epochsOf(window, 0) == 0)
        QTest::qWait(10);
    const auto log = window.runs().at(0).session->prepared()->log;
    const double rate = measured(*log, [](int time) { QTest::qWait(time); });
    window.closeWithoutAsking();
    return rate;
}

double bare(int threads)
{
    const RunSpec spec = fourLayers(threads);
    TrainingProblem problem;
    problem.data = std::make_shared<const Dataset>(generateMnist1d());
    problem.initial = initialParameters(networkShape(spec, 40, 10), spec.seed);
    problem.threads = threads;
    MetricsLog log;
    TrainingControl control(spec.learningRate);
    std::thread worker([&] { runTraining(*makeCpuEngine(problem), spec, log, control); });
    const double rate = measured(
        log, [](int time) { std::this_thread::sleep_for(std::chrono::milliseconds(time)); });
    control.stop();
    worker.join();
    return rate;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void compare(const char* what, int threads, int cores)
{
    std::vector<double> ratios;
    std::vector<double> rates;
    for (int round = 0; round < rounds; ++round) {
        const double before = bare(threads);
        const double window = inTheWindow(threads, cores);
        const double after = bare(threads);
        rates.push_back(window);
        ratios.push_back(window / ((before + after) / 2));
    }
    std::printf("%s: %.1f epochs/s in the window, %.3f of the bare loop (median of %d; %.3f to "
                "%.3f)\n",
                what, median(rates), median(ratios), rounds,
                *std::min_element(ratios.begin(), ratios.end()),
                *std::max_element(ratios.begin(), ratios.end()));
}

} // namespace

} // namespace fullbatch

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const fullbatch::OwnSettings settings;
    const int cores = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
    fullbatch::compare("one core left to the window", cores - 1, cores);
    fullbatch::compare("every core trains", cores, cores);
    return 0;
}
