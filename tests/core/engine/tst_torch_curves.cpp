// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mnist1d.h"
#include "core/engine/cpu_engine.h"
#include "core/engine/reference_engine.h"
#include "core/network/initialisation.h"
#include "tests/core/engine/torch_curve.h"
#include "tests/shared_data.h"

#include <QtTest>

#include <cmath>

using namespace fullbatch;

namespace {

constexpr double learningRate = 0.0025;
constexpr std::size_t testEvery = 50;

// Rounding alone moves a float32 curve: PyTorch differs from itself by two of 4,000 rows when it
// takes the rows in another order, so an engine may differ by four. Float64 leaves a distance of
// some 1e-14 here; the limit leaves room for another order of sums.
constexpr double float32Loss = 2e-6;
constexpr double float32TrainErrorPercent = 0.1;
constexpr double float32TestErrorPercent = 0.2;
constexpr double float64Loss = 1e-9;

std::shared_ptr<const Dataset> mnist1d()
{
    static const auto data = std::make_shared<const Dataset>(generateMnist1d());
    return data;
}

std::vector<CurvePoint> train(const EngineChoice& choice, const std::vector<std::int64_t>& hidden,
                              std::size_t epochs)
{
    TrainingProblem problem;
    problem.data = mnist1d();
    problem.initial = initialParameters(NetworkShape::mlp(40, hidden, 10), 1);
    problem.precision = choice.precisions.front();
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    const std::vector<double> rates(epochs, learningRate);
    std::vector<EpochMetrics> records(epochs);
    std::vector<Evaluation> tests(epochs, {std::nan(""), 0, 0});
    // The test rows are evaluated before every 50th epoch and before the last.
    for (std::size_t epoch = 0; epoch < epochs;) {
        tests[epoch] = engine->evaluate(SplitName::Test);
        const std::size_t next = (epoch / testEvery + 1) * testEvery;
        const std::size_t end = epoch + 1 == epochs ? epochs : std::min(next, epochs - 1);
        const auto chunk = std::span(records).subspan(epoch, end - epoch);
        engine->train({std::span(rates).first(chunk.size()), 0, {}}, chunk, {});
        epoch = end;
    }
    std::vector<CurvePoint> curve;
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        const Evaluation& test = tests[epoch];
        curve.push_back({100.0 * records[epoch].wrongRows / 4000, records[epoch].loss,
                         test.rows == 0 ? std::nan("") : 100.0 * test.wrongRows / 1000, test.loss});
    }
    return curve;
}

void addShapes()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("depth");
    QTest::newRow("one layer") << 298 << 1;
    QTest::newRow("two layers") << 100 << 2;
    QTest::newRow("three layers") << 75 << 3;
    QTest::newRow("four layers") << 63 << 4;
}

CurveDistance distanceToTorch(const EngineChoice& choice, const char* precision, int width,
                              int depth)
{
    const auto file = sharedFile(QStringLiteral("oracle/torch-%1-h%2-d%3-seed1.csv")
                                     .arg(precision)
                                     .arg(width)
                                     .arg(depth)
                                     .toStdString());
    const std::vector<CurvePoint> torch = readTorchCurve(file);
    const std::vector<std::int64_t> hidden(static_cast<std::size_t>(depth), width);
    const CurveDistance distance = curveDistance(train(choice, hidden, torch.size()), torch);
    qInfo("%zu epochs: loss %.3g, error %.3g %%; %zu evaluations: loss %.3g, error %.3g %%",
          torch.size(), distance.trainLoss, distance.trainErrorPercent, distance.evaluations,
          distance.testLoss, distance.testErrorPercent);
    return distance;
}

} // namespace

class TestTorchCurves : public QObject
{
    Q_OBJECT

private slots:
    void cpuEngine_data() { addShapes(); }
    void cpuEngine()
    {
        QFETCH(int, width);
        QFETCH(int, depth);
        const CurveDistance distance = distanceToTorch(cpuEngineChoice(), "f32", width, depth);
        QCOMPARE(distance.evaluations, std::size_t(41));
        QVERIFY(distance.trainLoss <= float32Loss);
        QVERIFY(distance.trainErrorPercent <= float32TrainErrorPercent);
        QVERIFY(distance.testLoss <= float32Loss);
        QVERIFY(distance.testErrorPercent <= float32TestErrorPercent);
    }

    void referenceEngine_data() { addShapes(); }
    void referenceEngine()
    {
        QFETCH(int, width);
        QFETCH(int, depth);
        const CurveDistance distance =
            distanceToTorch(referenceEngineChoice(), "f64", width, depth);
        QCOMPARE(distance.evaluations, std::size_t(11));
        QVERIFY(distance.trainLoss <= float64Loss);
        QCOMPARE(distance.trainErrorPercent, 0.0);
        QVERIFY(distance.testLoss <= float64Loss);
        QCOMPARE(distance.testErrorPercent, 0.0);
    }
};

int main(int argc, char** argv)
{
    if (!std::filesystem::exists(sharedFile("oracle"))) {
        qInfo("PyTorch's curves are not here: %s", sharedFile("oracle").c_str());
        return testSkipped;
    }
    TestTorchCurves test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_torch_curves.moc"
