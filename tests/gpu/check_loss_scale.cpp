// SPDX-License-Identifier: GPL-3.0-or-later
// The loss scale of fp16: it grows after many good steps, halves and skips where gradients
// overflow, and ends the run with a sentence where nothing helps.
#include "core/engine/reference_engine.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"
#include "tests/gpu/check_list.h"

#include <cmath>

using namespace fullbatch;

namespace {

constexpr double startScale = 65536;
constexpr double rate = 0.01;
constexpr std::size_t rows = 60;

TrainingProblem usualProblem()
{
    return randomProblem({7, 13, 5, 3}, rows, Precision::Fp16, {0.9});
}

/// An engine that stands at the start of the problem with another scale.
std::unique_ptr<TrainingEngine> engineWith(const TrainingProblem& problem, double scale,
                                           std::uint64_t cleanSteps)
{
    std::unique_ptr<TrainingEngine> engine = gpuChoice().create(problem);
    EngineState state = engine->state();
    state.lossScale = scale;
    state.cleanSteps = cleanSteps;
    engine->restore(state);
    return engine;
}

void startsAndStays(Findings& findings)
{
    const auto engine = gpuChoice().create(usualProblem());
    findings.expect(engine->state().lossScale == startScale, "scale at the start");
    trainEpochs(*engine, 20, rate);
    trainMiniBatches(*engine, 2, rate, rows, 25);
    const EngineState state = engine->state();
    findings.expect(state.lossScale == startScale, "scale after 20 epochs");
    findings.expect(state.cleanSteps == 26, "clean steps"); // 3 batches an epoch
    findings.expect(state.skippedSteps == 0, "skipped steps");
}

void growsAfterManySteps(Findings& findings)
{
    const auto engine = engineWith(usualProblem(), startScale, 1998);
    trainEpochs(*engine, 1, rate);
    findings.expect(engine->state().lossScale == startScale, "grows a step too early");
    findings.expect(engine->state().cleanSteps == 1999, "clean steps");
    trainEpochs(*engine, 1, rate);
    findings.expect(engine->state().lossScale == 2 * startScale, "does not grow");
    findings.expect(engine->state().cleanSteps == 0, "does not count anew");
    const auto late = engineWith(usualProblem(), startScale, 5000);
    trainEpochs(*late, 1, rate);
    findings.expect(late->state().lossScale == 2 * startScale, "never grows when it is late");
    // A power of two changes no digit: as if it had not grown.
    const auto other = engineWith(usualProblem(), startScale, 0);
    trainEpochs(*other, 2, rate);
    findings.expect(differentBits(engine->parameters().values(), other->parameters().values()) == 0,
                    "the step depends on the scale");
}

/// Neither position nor velocity moves, and the record is that of the epoch.
void skipsAndHalves(Findings& findings)
{
    const TrainingProblem problem = usualProblem();
    const double scale = 0x1p40;
    const auto engine = engineWith(problem, scale, 5);
    const std::vector<EpochMetrics> records = trainEpochs(*engine, 3, rate);
    const EngineState state = engine->state();
    findings.expect(records.size() == 3, "epochs");
    findings.expect(state.lossScale == scale / 8, "scale");
    findings.expect(state.skippedSteps == 3, "skipped steps");
    findings.expect(state.cleanSteps == 0, "clean steps");
    findings.expect(state.epoch == 3, "epoch");
    findings.expect(differentBits(engine->parameters().values(), problem.initial.values()) == 0,
                    "a skipped step moves the parameters");
    for (const double velocity : state.velocity)
        findings.expect(velocity == 0, "a skipped step moves the velocity");
    const auto undisturbed = gpuChoice().create(problem);
    const EpochMetrics expected = trainEpochs(*undisturbed, 1, rate).at(0);
    for (const EpochMetrics& record : records) {
        findings.expect(record.loss == expected.loss && record.wrongRows == expected.wrongRows
                            && record.predictionDigest == expected.predictionDigest,
                        "the record of a skipped step");
    }
    // It recovers, and goes on as one that never had to.
    trainEpochs(*engine, 40, rate);
    const std::uint64_t skipped = engine->state().skippedSteps;
    findings.expect(skipped > 3 && skipped < 40, "does not recover");
    trainEpochs(*undisturbed, 42 - skipped, rate);
    findings.expect(differentBits(engine->parameters().values(), undisturbed->parameters().values())
                        == 0,
                    "goes on differently");
}

/// Each batch by itself: no step while the scale is too large, and then steps within the epoch.
void skipsBatches(Findings& findings)
{
    const TrainingProblem problem = usualProblem();
    constexpr std::size_t batchSize = 25; // 3 batches
    const auto engine = engineWith(problem, 0x1p40, 5);
    const Evaluation start = engine->evaluate(SplitName::Train);
    const std::vector<EpochMetrics> records = trainMiniBatches(*engine, 1, rate, rows, batchSize);
    findings.expect(engine->state().skippedSteps == 3, "skipped steps");
    findings.expect(engine->state().lossScale == 0x1p37, "scale");
    findings.expect(records.size() == 1 && records[0].loss == start.loss,
                    "the record of skipped steps");
    findings.expect(!std::isfinite(records.at(0).gradientNorm), "the norm of skipped steps");
    findings.expect(differentBits(engine->parameters().values(), problem.initial.values()) == 0,
                    "a skipped step moves the parameters");

    trainMiniBatches(*engine, 30, rate, rows, batchSize);
    const EngineState recovered = engine->state();
    findings.expect(recovered.skippedSteps > 3 && recovered.skippedSteps < 40, "does not recover");
    findings.expect(recovered.skippedSteps + recovered.cleanSteps == 3 + 90, "steps are lost");
    const EpochMetrics last = trainMiniBatches(*engine, 1, rate, rows, batchSize).at(0);
    findings.expect(std::isfinite(last.gradientNorm) && last.loss < start.loss, "goes on");
}

/// Gradients that overflow at every scale, with a finite loss: huge weights behind small
/// activations.
TrainingProblem hopelessProblem()
{
    TrainingProblem problem = randomProblem({1, 1, 1, 2}, 1, Precision::Fp16);
    auto data = std::make_shared<Dataset>(*problem.data);
    data->train.inputs(0, 0) = 0;
    data->train.labels[0] = 1;
    problem.data = data;
    const float values[] = {0.5F, 1e-3F, 6e4F, 0, 6e4F, -6e4F, 0, 0};
    std::ranges::copy(values, problem.initial.values().begin());
    return problem;
}

void endsWhereNothingHelps(Findings& findings)
{
    const auto engine = gpuChoice().create(hopelessProblem());
    trainEpochs(*engine, 10, rate);
    const EngineState before = engine->state();
    findings.expect(before.skippedSteps == 10, "does not skip");
    findings.expect(before.lossScale == startScale / 1024, "scale");
    std::string text;
    try {
        trainEpochs(*engine, 40, rate);
    } catch (const EngineError& error) {
        text = error.what();
    }
    findings.expect(text.find("fp16") != std::string::npos && text.find("bf16") != std::string::npos
                        && text.back() == '.',
                    "ends with: " + text);
    findings.expect(differentBits(engine->state(), before) == 0, "something of the call counts");
    // 2^16 to 2^-14 are 31 scales, and one step was not yet taken with the last of them.
    findings.expect(trainEpochs(*engine, 20, rate).size() == 20, "the smallest scale is not used");
    findings.expect(engine->state().lossScale == 0x1p-14, "the smallest scale");
}

/// Derivatives below fp16's smallest numbers are kept by the scale.
void smallDeltasSurvive(Findings& findings)
{
    TrainingProblem problem = randomProblem({40, 10}, 257, Precision::Fp16);
    auto data = std::make_shared<Dataset>(*problem.data);
    std::ranges::fill(data->train.labels, 0);
    problem.data = data;
    std::ranges::fill(problem.initial.values(), 0.0F);
    problem.initial.values()[400] = 16; // a bias: every other class has a probability of 1e-7
    const auto engine = gpuChoice().create(problem);
    const Parameters gradient = engine->gradientAt(problem.initial, {});
    problem.precision = Precision::Fp64;
    const Parameters expected = makeReferenceEngine(problem)->gradientAt(problem.initial, {});
    findings.expectAtMost(normalisedDifference(gradient.values(), expected.values()), 2e-3,
                          "gradient");
}

void refusesOtherScales(Findings& findings)
{
    for (const double scale : {0.0, -1.0, 0x1p-15, 0x1p61}) {
        bool refused = false;
        try {
            (void)engineWith(usualProblem(), scale, 0);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        findings.expect(refused, "accepts the scale " + std::to_string(scale));
    }
}

} // namespace

int main(int argumentCount, char** arguments)
{
    return runGpuChecks(argumentCount, arguments,
                        {{"starts at 65536 and stays where nothing overflows", startsAndStays},
                         {"grows after 2,000 steps in a row", growsAfterManySteps},
                         {"an overflow skips the step and halves the scale", skipsAndHalves},
                         {"an overflow skips the step of its batch", skipsBatches},
                         {"ends with a sentence where nothing helps", endsWhereNothingHelps},
                         {"small derivatives survive", smallDeltasSurvive},
                         {"refuses scales that it cannot have", refusesOtherScales}});
}
