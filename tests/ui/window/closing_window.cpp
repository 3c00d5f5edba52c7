// SPDX-License-Identifier: GPL-3.0-or-later

// A window that brings itself into the state named on the command line and is then closed; for
// tst_closing, which looks at how the process ends.

#include "tests/ui/window_under_test.h"
#include "ui/parts/background_work.h"
#include "ui/runs/run_export.h"

#include <QFile>
#include <QTimer>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <ostream>
#include <thread>

namespace fullbatch {

namespace {

using Condition = std::function<bool()>;

/// An engine whose making never returns, as with a driver that hangs.
EngineChoice hangingEngine()
{
    EngineChoice choice = scriptedCpu({});
    choice.create = [](const TrainingProblem&) -> std::unique_ptr<TrainingEngine> {
        for (;;)
            std::this_thread::sleep_for(std::chrono::hours(1));
    };
    return choice;
}

/// Brings the window towards the state; the returned condition says when it is there.
Condition prepare(MainWindow& window, const QString& state)
{
    const auto reached = [&window](RunState wanted) {
        return [&window, wanted] { return stateOf(window, 0) == wanted; };
    };
    if (state == QLatin1String("idle"))
        return [] { return true; };
    if (state == QLatin1String("exporting")) {
        auto* const files = window.findChild<RunExport*>();
        files->write(qEnvironmentVariable("EXPORT_FILE"), [](std::ostream& out) {
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
            out << "whole";
        });
        return [] { return true; };
    }
    action(window, "start")->trigger();
    if (state == QLatin1String("preparing"))
        return reached(RunState::Preparing);
    if (state == QLatin1String("paused"))
        action(window, "pause")->trigger();
    if (state == QLatin1String("paused"))
        return reached(RunState::Paused);
    if (state == QLatin1String("done"))
        return reached(RunState::Done);
    if (state == QLatin1String("stopping"))
        return [&window, told = false]() mutable {
            if (!told && stateOf(window, 0) == RunState::Running) {
                action(window, "stop")->trigger();
                told = true;
            }
            return told;
        };
    return reached(RunState::Running);
}

int run(const QString& state)
{
    FakeScript script = plausibleScript(state == QLatin1String("done") ? 0 : 100);
    MainWindow window(
        setupWith({state == QLatin1String("preparing") ? hangingEngine() : scriptedCpu(script)}));
    window.show();
    const Condition ready = prepare(window, state);
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, &window, [&] {
        if (!ready())
            return;
        poll.stop();
        // The first close may ask its one question; the second answers it.
        if (!window.close() && state != QLatin1String("exporting"))
            window.close();
    });
    poll.start(5);
    return QApplication::exec();
}

} // namespace

} // namespace fullbatch

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    int status = 0;
    {
        const fullbatch::OwnSettings settings;
        status = fullbatch::run(QString::fromLocal8Bit(argv[argc - 1]));
    }
    return fullbatch::leave(status);
}
