// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reference_engine.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

#include <cmath>

namespace fullbatch {

namespace {

constexpr std::size_t rows = 1003; // no multiple of a tile

const std::vector<std::int64_t> sizes = {40, 63, 63, 10};

/// Loss, gradient norm, test loss and logits against the reference's.
CheckResult measurementsNearReference(const EngineChoice& choice, Precision precision)
{
    TrainingProblem problem = randomProblem(sizes, rows, precision);
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    problem.precision = Precision::Fp64;
    const std::unique_ptr<TrainingEngine> reference = makeReferenceEngine(problem);
    const Eigen::MatrixXf logits = engine->predict(problem.data->test.inputs);
    const Eigen::MatrixXf expectedLogits = reference->predict(problem.data->test.inputs);
    const double testLoss = engine->evaluate(SplitName::Test).loss;
    const double expectedTestLoss = reference->evaluate(SplitName::Test).loss;
    const EpochMetrics record = trainEpochs(*engine, 1, 0.01).at(0);
    const EpochMetrics expected = trainEpochs(*reference, 1, 0.01).at(0);
    Worst worst;
    worst.add(relativeDifference(record.loss, expected.loss), "training loss");
    worst.add(relativeDifference(record.gradientNorm, expected.gradientNorm), "gradient norm");
    worst.add(relativeDifference(testLoss, expectedTestLoss), "test loss");
    worst.add(normalisedDifference(
                  {logits.data(), static_cast<std::size_t>(logits.size())},
                  {expectedLogits.data(), static_cast<std::size_t>(expectedLogits.size())}),
              "logits");
    return worst.result(passBar(precision));
}

/// Digest and wrong rows of a record against the classes that predict() gives.
CheckResult recordAgreesWithPredict(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = randomProblem(sizes, rows, precision);
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    trainEpochs(*engine, 5, 0.01);
    const Eigen::MatrixXf logits = engine->predict(problem.data->train.inputs);
    std::uint64_t digest = 0;
    std::uint32_t wrong = 0;
    for (Eigen::Index row = 0; row < logits.cols(); ++row) {
        Eigen::Index predicted = 0;
        for (Eigen::Index i = 1; i < logits.rows(); ++i)
            predicted = logits(i, row) > logits(predicted, row) ? i : predicted;
        digest += predictionDigest(static_cast<std::uint64_t>(row),
                                   static_cast<std::uint64_t>(predicted));
        wrong += predicted == problem.data->train.labels[static_cast<std::size_t>(row)] ? 0 : 1;
    }
    const EpochMetrics record = trainEpochs(*engine, 1, 0.01).at(0);
    const EpochMetrics shuffled = trainMiniBatches(*engine, 1, 0, rows, rows).at(0);
    const EpochMetrics after = trainEpochs(*engine, 1, 0).at(0);
    Worst worst;
    worst.add(record.predictionDigest == digest ? 0 : 1, "digest");
    worst.add(record.wrongRows == wrong ? 0 : 1, "wrong rows");
    worst.add(shuffled.predictionDigest == after.predictionDigest ? 0 : 1, "digest of other order");
    return worst.result(0);
}

/// evaluate(Train) before an epoch against that epoch's record, and that it changes nothing.
CheckResult evaluateAgreesWithRecord(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = randomProblem(sizes, rows, precision, {0.9});
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    trainEpochs(*engine, 3, 0.01);
    const EngineState before = engine->state();
    const Evaluation evaluation = engine->evaluate(SplitName::Train);
    (void)engine->evaluate(SplitName::Test);
    (void)engine->predict(problem.data->test.inputs);
    (void)engine->gradientAt(problem.initial, {});
    const EngineState after = engine->state();
    const EpochMetrics record = trainEpochs(*engine, 1, 0.0625).at(0);
    Worst worst;
    worst.add(relativeDifference(evaluation.loss, record.loss), "loss");
    worst.add(evaluation.wrongRows == record.wrongRows ? 0 : 1, "wrong rows");
    worst.add(evaluation.rows == rows ? 0 : 1, "rows");
    worst.add(record.learningRate == 0.0625 ? 0 : 1, "learning rate");
    worst.add(static_cast<double>(differentBits(before, after)), "state after measuring");
    return worst.result(passBar(precision));
}

/// Zero weights and one bias everywhere: ten equal logits have a loss of ln 10, however large.
CheckResult equalLogits(const EngineChoice& choice, Precision precision)
{
    Worst worst;
    for (const float logit : {0.0F, 1e8F, -1e8F, 3e38F}) {
        if (precision == Precision::Fp16 && std::abs(logit) > 65504)
            continue;
        TrainingProblem problem = randomProblem({40, 10}, 257, precision);
        const std::span<float> values = problem.initial.values();
        std::fill(values.begin(), values.end(), 0.0F);
        std::fill(values.end() - 10, values.end(), logit);
        const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
        const EpochMetrics record = trainEpochs(*engine, 1, 0.01).at(0);
        std::uint32_t wrong = 0;
        for (const std::int32_t label : problem.data->train.labels)
            wrong += label == 0 ? 0 : 1; // the lowest index wins
        const std::string place = "logits of " + std::to_string(logit);
        worst.add(relativeDifference(record.loss, std::log(10.0)), place);
        worst.add(record.wrongRows == wrong ? 0 : 1, place);
    }
    return worst.result(1e-6);
}

/// An empty test split has no loss and no rows.
CheckResult emptyTestSplit(const EngineChoice& choice, Precision precision)
{
    TrainingProblem problem = randomProblem({7, 13, 5, 3}, 31, precision);
    auto data = std::make_shared<Dataset>(*problem.data);
    data->test = {};
    problem.data = data;
    const Evaluation evaluation = choice.create(problem)->evaluate(SplitName::Test);
    Worst worst;
    worst.add(std::isnan(evaluation.loss) ? 0 : 1, "loss");
    worst.add(static_cast<double>(evaluation.rows), "rows");
    worst.add(evaluation.wrongRows, "wrong rows");
    return worst.result(0);
}

} // namespace

std::vector<EngineCheck> measurementChecks()
{
    return {{"loss, gradient norm and logits near reference", measurementsNearReference},
            {"digest and wrong rows agree with predict", recordAgreesWithPredict},
            {"evaluate agrees with the record and changes nothing", evaluateAgreesWithRecord},
            {"equal logits give ln 10", equalLogits},
            {"an empty test split has no loss", emptyTestSplit}};
}

} // namespace fullbatch
