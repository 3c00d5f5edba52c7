// SPDX-License-Identifier: GPL-3.0-or-later
// The loss scale of fp16: it grows after many good steps, halves and skips where gradients
// overflow, and ends the run with a sentence where nothing helps.
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

constexpr double startScale = 65536;
constexpr double rate = 0.01;
constexpr std::size_t rows = 60;

TrainingProblem usualProblem(Precision precision)
{
    return randomProblem({7, 13, 5, 3}, rows, precision, {0.9});
}

/// An engine that stands at the start of the problem with another scale.
std::unique_ptr<TrainingEngine> engineWith(const EngineChoice& choice,
                                           const TrainingProblem& problem, double scale,
                                           std::uint64_t cleanSteps)
{
    std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    EngineState state = engine->state();
    state.lossScale = scale;
    state.cleanSteps = cleanSteps;
    engine->restore(state);
    return engine;
}

void expect(Worst& worst, bool right, const std::string& otherwise)
{
    worst.add(right ? 0 : 1, otherwise);
}

bool samePlace(TrainingEngine& a, TrainingEngine& b)
{
    return differentBits(a.parameters().values(), b.parameters().values()) == 0;
}

CheckResult startsAndStays(const EngineChoice& choice, Precision precision)
{
    const auto engine = choice.create(usualProblem(precision));
    Worst worst;
    expect(worst, engine->state().lossScale == startScale, "scale at the start");
    trainEpochs(*engine, 20, rate);
    trainMiniBatches(*engine, 2, rate, rows, 25);
    const EngineState state = engine->state();
    expect(worst, state.lossScale == startScale, "scale after 20 epochs");
    expect(worst, state.cleanSteps == 26, "clean steps"); // 3 batches an epoch
    expect(worst, state.skippedSteps == 0, "skipped steps");
    return worst.result(0);
}

CheckResult growsAfterManySteps(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = usualProblem(precision);
    const auto engine = engineWith(choice, problem, startScale, 1998);
    Worst worst;
    trainEpochs(*engine, 1, rate);
    expect(worst, engine->state().lossScale == startScale, "grows a step too early");
    expect(worst, engine->state().cleanSteps == 1999, "clean steps");
    trainEpochs(*engine, 1, rate);
    expect(worst, engine->state().lossScale == 2 * startScale, "does not grow");
    expect(worst, engine->state().cleanSteps == 0, "does not count anew");
    const auto late = engineWith(choice, problem, startScale, 5000);
    trainEpochs(*late, 1, rate);
    expect(worst, late->state().lossScale == 2 * startScale, "never grows when it is late");
    // A power of two changes no digit: as if it had not grown.
    const auto other = engineWith(choice, problem, startScale, 0);
    trainEpochs(*other, 2, rate);
    expect(worst, samePlace(*engine, *other), "the step depends on the scale");
    return worst.result(0);
}

/// Neither position nor velocity moves, and the record is that of the epoch.
CheckResult skipsAndHalves(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = usualProblem(precision);
    const double scale = 0x1p40;
    const auto engine = engineWith(choice, problem, scale, 5);
    const std::vector<EpochMetrics> records = trainEpochs(*engine, 3, rate);
    const EngineState state = engine->state();
    Worst worst;
    expect(worst, records.size() == 3, "epochs");
    expect(worst, state.lossScale == scale / 8, "scale");
    expect(worst, state.skippedSteps == 3, "skipped steps");
    expect(worst, state.cleanSteps == 0, "clean steps");
    expect(worst, state.epoch == 3, "epoch");
    expect(worst, differentBits(engine->parameters().values(), problem.initial.values()) == 0,
           "a skipped step moves the parameters");
    expect(worst,
           std::all_of(state.velocity.begin(), state.velocity.end(),
                       [](double velocity) { return velocity == 0; }),
           "a skipped step moves the velocity");
    const auto undisturbed = choice.create(problem);
    const EpochMetrics expected = trainEpochs(*undisturbed, 1, rate).at(0);
    for (const EpochMetrics& record : records) {
        expect(worst,
               record.loss == expected.loss && record.wrongRows == expected.wrongRows
                   && record.predictionDigest == expected.predictionDigest,
               "the record of a skipped step");
        expect(worst, !std::isfinite(record.gradientNorm), "the norm of a skipped step");
    }
    // It recovers, and goes on as one that never had to.
    trainEpochs(*engine, 40, rate);
    const std::uint64_t skipped = engine->state().skippedSteps;
    expect(worst, skipped > 3 && skipped < 40, "does not recover");
    trainEpochs(*undisturbed, 42 - skipped, rate);
    expect(worst, samePlace(*engine, *undisturbed), "goes on differently");
    return worst.result(0);
}

/// Each batch by itself: no step while the scale is too large, and then steps within the epoch.
CheckResult skipsBatches(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = usualProblem(precision);
    constexpr std::size_t batchSize = 25; // 3 batches
    const auto engine = engineWith(choice, problem, 0x1p40, 5);
    const Evaluation start = engine->evaluate(SplitName::Train);
    const std::vector<EpochMetrics> records = trainMiniBatches(*engine, 1, rate, rows, batchSize);
    Worst worst;
    expect(worst, engine->state().skippedSteps == 3, "skipped steps");
    expect(worst, engine->state().lossScale == 0x1p37, "scale");
    expect(worst, records.size() == 1 && records[0].loss == start.loss,
           "the record of skipped steps");
    expect(worst, !std::isfinite(records.at(0).gradientNorm), "the norm of skipped steps");
    expect(worst, differentBits(engine->parameters().values(), problem.initial.values()) == 0,
           "a skipped step moves the parameters");

    trainMiniBatches(*engine, 30, rate, rows, batchSize);
    const EngineState recovered = engine->state();
    expect(worst, recovered.skippedSteps > 3 && recovered.skippedSteps < 40, "does not recover");
    expect(worst, recovered.skippedSteps + recovered.cleanSteps == 3 + 90, "steps are lost");
    const EpochMetrics last = trainMiniBatches(*engine, 1, rate, rows, batchSize).at(0);
    expect(worst, std::isfinite(last.gradientNorm) && last.loss < start.loss, "goes on");
    return worst.result(0);
}

/// Two steps at a rate that makes the weights large, and with them the derivatives: the first steps
/// at a usual rate are skipped, then training goes on.
CheckResult recoversFromALargeRate(const EngineChoice& choice, Precision precision)
{
    const auto engine = choice.create(randomProblem({7, 13, 5, 3}, rows, precision));
    const double start = trainEpochs(*engine, 1, rate).at(0).loss;
    trainEpochs(*engine, 2, 300);
    const std::vector<EpochMetrics> records = trainEpochs(*engine, 60, 1e-4);
    const EngineState state = engine->state();
    Worst worst;
    expect(worst, records.size() == 60, "diverges");
    expect(worst, records.front().loss > 100 * start, "the rate is not too large");
    expect(worst, state.skippedSteps > 0 && state.lossScale < startScale, "nothing overflows");
    expect(worst, state.cleanSteps > 30, "does not recover");
    expect(worst, records.back().loss < records.front().loss, "the loss does not fall");
    return worst.result(0);
}

/// A skip in the middle of a call of mini-batches: cut, continued from its state, or whole.
CheckResult sameBitsThroughSkips(const EngineChoice& choice, Precision precision)
{
    constexpr std::size_t epochs = 12;
    const TrainingProblem problem = usualProblem(precision);
    const auto whole = engineWith(choice, problem, 0x1p32, 0);
    const std::vector<EpochMetrics> expected = trainMiniBatches(*whole, epochs, rate, rows, 25);
    Worst worst;
    const std::uint64_t skipped = whole->state().skippedSteps;
    expect(worst, skipped > 0 && skipped < 3 * epochs, "nothing or everything is skipped");
    const std::vector<std::uint32_t> order = shuffledOrder(rows, epochs);
    auto engine = engineWith(choice, problem, 0x1p32, 0);
    std::vector<EpochMetrics> records(epochs);
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        auto next = choice.create(problem);
        next->restore(engine->state());
        next->train({std::span(&rate, 1), 25, std::span(order).subspan(epoch * rows, rows)},
                    std::span(records).subspan(epoch, 1), {});
        engine = std::move(next);
    }
    expect(worst, differentBits(std::span<const EpochMetrics>(records), expected) == 0, "records");
    expect(worst, differentBits(engine->state(), whole->state()) == 0, "state");
    return worst.result(0);
}

/// Gradients that overflow at every scale, with a finite loss: huge weights behind small
/// activations.
TrainingProblem hopelessProblem(Precision precision)
{
    TrainingProblem problem = randomProblem({1, 1, 1, 2}, 1, precision);
    auto data = std::make_shared<Dataset>(*problem.data);
    data->train.inputs(0, 0) = 0;
    data->train.labels[0] = 1;
    problem.data = data;
    const float values[] = {0.5F, 1e-3F, 6e4F, 0, 6e4F, -6e4F, 0, 0};
    std::ranges::copy(values, problem.initial.values().begin());
    return problem;
}

CheckResult endsWhereNothingHelps(const EngineChoice& choice, Precision precision)
{
    const auto engine = choice.create(hopelessProblem(precision));
    trainEpochs(*engine, 10, rate);
    const EngineState before = engine->state();
    Worst worst;
    expect(worst, before.skippedSteps == 10, "does not skip");
    expect(worst, before.lossScale == startScale / 1024, "scale");
    std::string text;
    try {
        trainEpochs(*engine, 40, rate);
    } catch (const EngineError& error) {
        text = error.what();
    }
    expect(worst,
           text.find("fp16") != std::string::npos && text.find("bf16") != std::string::npos
               && text.back() == '.',
           "ends with: " + text);
    expect(worst, differentBits(engine->state(), before) == 0, "something of the call counts");
    // 2^16 to 2^-14 are 31 scales, and one step was not yet taken with the last of them.
    expect(worst, trainEpochs(*engine, 20, rate).size() == 20, "the smallest scale is not used");
    expect(worst, engine->state().lossScale == 0x1p-14, "the smallest scale");
    return worst.result(0);
}

/// Derivatives below fp16's smallest numbers are kept by the scale.
CheckResult smallDeltasSurvive(const EngineChoice& choice, Precision precision)
{
    TrainingProblem problem = randomProblem({40, 10}, 257, precision);
    auto data = std::make_shared<Dataset>(*problem.data);
    std::ranges::fill(data->train.labels, 0);
    problem.data = data;
    std::ranges::fill(problem.initial.values(), 0.0F);
    problem.initial.values()[400] = 16; // a bias: every other class has a probability of 1e-7
    const Parameters gradient = choice.create(problem)->gradientAt(problem.initial, {});
    problem.precision = choice.precisions.front();
    const Parameters expected = choice.create(problem)->gradientAt(problem.initial, {});
    Worst worst;
    worst.add(normalisedDifference(gradient.values(), expected.values()), "gradient");
    return worst.result(passBar(precision));
}

CheckResult refusesOtherScales(const EngineChoice& choice, Precision precision)
{
    Worst worst;
    for (const double scale : {0.0, -1.0, 0x1p-15, 0x1p61}) {
        bool refused = false;
        try {
            (void)engineWith(choice, usualProblem(precision), scale, 0);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        expect(worst, refused, "accepts the scale " + std::to_string(scale));
    }
    return worst.result(0);
}

} // namespace

std::vector<EngineCheck> lossScaleChecks()
{
    return {{"the loss scale starts at 65536 and stays where nothing overflows", startsAndStays},
            {"the loss scale grows after 2,000 steps in a row", growsAfterManySteps},
            {"an overflow skips the step and halves the loss scale", skipsAndHalves},
            {"an overflow skips the step of its batch", skipsBatches},
            {"recovers from a rate that is too large", recoversFromALargeRate},
            {"same bits in any chunks through skipped steps", sameBitsThroughSkips},
            {"ends with a sentence where no loss scale helps", endsWhereNothingHelps},
            {"small derivatives survive", smallDeltasSurvive},
            {"loss scales that it cannot have are refused", refusesOtherScales}};
}

} // namespace fullbatch
