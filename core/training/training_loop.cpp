// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/training_loop.h"

#include "core/training/plan_maker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

namespace fullbatch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double chunkSeconds = 0.02;
constexpr std::size_t largestChunk = 65'536;
constexpr double copyInterval = 1; // seconds between copies of the parameters, or more:
constexpr double copyPatience = 100; // times as long as a copy takes

double secondsSince(Clock::time_point began)
{
    return std::chrono::duration<double>(Clock::now() - began).count();
}

std::int64_t trailingZeroErrorEpochs(const MetricsLog& log)
{
    std::size_t first = log.epochs.size();
    while (first > 0 && log.epochs[first - 1].wrongRows == 0)
        --first;
    return static_cast<std::int64_t>(log.epochs.size() - first);
}

/// Tests at the end of the log, in a row, that gave no new lowest error.
std::int64_t trailingTestsWithoutGain(const MetricsLog& log)
{
    std::int64_t without = 0;
    std::uint32_t best = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t test = 0; test < log.tests.size(); ++test) {
        const std::uint32_t wrong = log.tests[test].evaluation.wrongRows;
        without = wrong < best ? 0 : without + 1;
        best = std::min(best, wrong);
    }
    return without;
}

/// The first epochs of a plan.
TrainingPlan firstEpochs(TrainingPlan plan, std::size_t epochs)
{
    if (!plan.batchOrder.empty()) {
        const std::size_t rows = plan.batchOrder.size() / plan.learningRates.size();
        plan.batchOrder = plan.batchOrder.first(epochs * rows);
    }
    plan.learningRates = plan.learningRates.first(epochs);
    return plan;
}

/// One run in the making: what runTraining() carries from chunk to chunk.
class Training
{
public:
    Training(TrainingEngine& engine, const RunSpec& spec, MetricsLog& log, TrainingControl& control)
        : m_engine(engine),
          m_spec(spec),
          m_log(log),
          m_control(control),
          m_plans(spec, log),
          m_zeroErrorEpochs(trailingZeroErrorEpochs(log))
    {
    }

    StopReason run()
    {
        for (;;) {
            if (const std::optional<StopReason> reason = reasonToEnd())
                return *reason;
            const std::uint64_t permitted = m_control.waitForPermission(epochsUntilNextLook());
            if (permitted == 0)
                return StopReason::Stopped;
            trainChunk(permitted);
            if (Clock::now() >= m_nextCopy)
                copy();
        }
    }

    /// What a device that fails would take along: the parameters, and the steps it skipped.
    void copy()
    {
        const Clock::time_point began = Clock::now();
        m_copied = m_engine.parameters();
        m_copiedEpoch = m_log.epochs.size();
        if (m_spec.precision == Precision::Fp16)
            m_log.skippedSteps = m_engine.state().skippedSteps;
        const double pause = std::max(copyInterval, copyPatience * secondsSince(began));
        m_nextCopy = Clock::now()
            + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));
    }

    /// Hands over the last copy.
    void giveCopy(TrainingEnd& end)
    {
        end.parameters = std::move(m_copied);
        end.parametersEpoch = m_copiedEpoch;
    }

private:
    [[nodiscard]] std::int64_t epoch() const
    {
        return static_cast<std::int64_t>(m_log.epochs.size());
    }

    [[nodiscard]] bool testIsDue(std::int64_t epoch) const
    {
        return m_spec.testEvery > 0 && nextTest(epoch) == epoch;
    }

    [[nodiscard]] std::optional<StopReason> reasonToEnd() const
    {
        if (epoch() > 0 && !std::isfinite(m_log.epochs[m_log.epochs.size() - 1].loss))
            return StopReason::Diverged;
        const EarlyEnds& ends = m_spec.ends;
        if (ends.zeroErrorEpochs > 0 && m_zeroErrorEpochs >= ends.zeroErrorEpochs)
            return StopReason::ZeroError;
        if (epoch() > 0 && reachesTarget(m_log.epochs[m_log.epochs.size() - 1]))
            return StopReason::TargetError;
        if (epoch() >= m_spec.epochs)
            return StopReason::EpochsDone;
        if (ends.testsWithoutGain > 0 && trailingTestsWithoutGain(m_log) >= ends.testsWithoutGain)
            return StopReason::NoTestGain;
        if (ends.seconds > 0 && m_meter.speed().trainingSeconds >= ends.seconds)
            return StopReason::TimeUp;
        return std::nullopt;
    }

    [[nodiscard]] bool reachesTarget(const EpochMetrics& record) const
    {
        return m_spec.ends.errorPercent > 0
            && errorPercent(record.wrongRows, m_log.trainRows) <= m_spec.ends.errorPercent;
    }

    /// The first epoch from `first` on whose record has a test beside it.
    [[nodiscard]] std::int64_t nextTest(std::int64_t first) const
    {
        const std::int64_t every = m_spec.testEvery;
        const std::int64_t beyond = first % every;
        const std::int64_t next = beyond == 0 ? first : first - beyond + every; // no overflow
        return first < m_spec.epochs ? std::min(next, m_spec.epochs - 1) : next;
    }

    /// The chunk, cut where something must happen between two epochs: so where a test or the end
    /// falls does not depend on the time that chunks take.
    [[nodiscard]] std::uint64_t epochsUntilNextLook() const
    {
        const auto wanted = static_cast<std::int64_t>(std::min(m_chunk, m_plans.mostEpochs()));
        std::int64_t end = std::min(epoch() + wanted, m_spec.epochs);
        if (m_spec.testEvery > 0) // measured before an epoch begins, or after it is done
            end =
                std::min(end, m_log.measuredAfter ? nextTest(epoch()) + 1 : nextTest(epoch() + 1));
        if (m_spec.ends.zeroErrorEpochs > 0)
            end = std::min(end, epoch() + m_spec.ends.zeroErrorEpochs - m_zeroErrorEpochs);
        return static_cast<std::uint64_t>(end - epoch());
    }

    /// Trains the records' epochs, but none beyond the first that reaches the target error: found
    /// only afterwards, so those beyond are undone.
    std::size_t train(const TrainingPlan& plan, std::span<EpochMetrics> records)
    {
        if (m_spec.ends.errorPercent <= 0)
            return m_engine.train(plan, records, m_control.stopToken());
        const EngineState start = m_engine.state();
        const std::size_t completed = m_engine.train(plan, records, m_control.stopToken());
        const auto trained = records.first(completed);
        const auto hit = std::find_if(trained.begin(), trained.end(),
                                      [this](const auto& record) { return reachesTarget(record); });
        const auto wanted = static_cast<std::size_t>(hit - trained.begin()) + 1;
        if (wanted >= completed)
            return completed;
        m_engine.restore(start);
        return m_engine.train(firstEpochs(plan, wanted), records.first(wanted),
                              m_control.stopToken());
    }

    void trainChunk(std::uint64_t permitted)
    {
        const Clock::time_point began = Clock::now();
        const std::optional<double> rate = m_control.takeLearningRate();
        const bool changed = rate && m_plans.changeRate(static_cast<std::uint64_t>(epoch()), *rate);
        std::optional<TestMetrics> test;
        if (!m_log.measuredAfter && testIsDue(epoch()))
            test = testAt(epoch());

        const std::span<EpochMetrics> records = m_log.epochs.next(permitted);
        const TrainingPlan plan = m_plans.plan(static_cast<std::uint64_t>(epoch()), records.size());
        const Clock::time_point trainingBegan = Clock::now();
        const std::size_t completed = train(plan, records);
        const double trainingSeconds = secondsSince(trainingBegan);
        if (completed == 0) {
            if (!m_control.stopRequested())
                throw EngineError("The engine trained no epoch although nobody stopped it.");
            return;
        }

        for (const EpochMetrics& record : records.first(completed))
            m_zeroErrorEpochs = record.wrongRows == 0 ? m_zeroErrorEpochs + 1 : 0;
        const std::int64_t last = epoch() + static_cast<std::int64_t>(completed) - 1;
        if (m_log.measuredAfter && testIsDue(last) && std::isfinite(records[completed - 1].loss))
            test = testAt(last);
        if (changed)
            append(m_log.rateChanges, RateChange{static_cast<std::uint64_t>(epoch()), *rate});
        m_log.epochs.publish(completed);
        if (test && test->evaluation.rows > 0)
            append(m_log.tests, *test);
        m_control.setTrainedRate(records[completed - 1].learningRate);
        m_control.consumed(completed);
        m_meter.add(completed, secondsSince(began));
        m_control.setSpeed(m_meter.speed());
        // A chunk that was cut short is judged by what the whole one would have taken.
        const double wholeChunks = static_cast<double>(m_chunk) / static_cast<double>(completed);
        m_chunk = nextChunk(m_chunk, trainingSeconds * wholeChunks);
    }

    [[nodiscard]] TestMetrics testAt(std::int64_t epoch)
    {
        return {static_cast<std::uint64_t>(epoch), m_engine.evaluate(SplitName::Test)};
    }

    template <typename Entry>
    static void append(AppendOnlyLog<Entry>& log, const Entry& entry)
    {
        log.next(1).front() = entry;
        log.publish(1);
    }

    TrainingEngine& m_engine;
    const RunSpec& m_spec;
    MetricsLog& m_log;
    TrainingControl& m_control;
    PlanMaker m_plans;
    SpeedMeter m_meter;
    std::size_t m_chunk = 1;
    std::int64_t m_zeroErrorEpochs; // the last ones in a row without a wrong row
    Clock::time_point m_nextCopy = Clock::now()
        + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(copyInterval));
    std::optional<Parameters> m_copied;
    std::uint64_t m_copiedEpoch = 0;
};

/// Why the step failed; empty when it did not.
template <typename Step>
std::string failureOf(const Step& step)
{
    try {
        step();
    } catch (const std::bad_alloc&) {
        return "There is not enough memory left for this network and its curve.";
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

} // namespace

std::size_t nextChunk(std::size_t last, double secondsTaken)
{
    const double wanted = secondsTaken > 0
        ? static_cast<double>(last) * (chunkSeconds / secondsTaken)
        : std::numeric_limits<double>::infinity();
    const double least = static_cast<double>(last) / 2;
    const double most = static_cast<double>(last) * 2;
    const double next = std::min(std::clamp(wanted, least, most), double{largestChunk});
    return std::max<std::size_t>(1, static_cast<std::size_t>(next));
}

StopReason runTraining(TrainingEngine& engine, const RunSpec& spec, MetricsLog& log,
                       TrainingControl& control)
{
    return Training(engine, spec, log, control).run();
}

TrainingEnd trainToTheEnd(TrainingEngine& engine, const RunSpec& spec, MetricsLog& log,
                          TrainingControl& control)
{
    TrainingEnd end;
    Training training(engine, spec, log, control);
    end.failure = failureOf([&] { end.reason = training.run(); });
    const std::string noCopy = failureOf([&] { training.copy(); });
    if (end.failure.empty() && !noCopy.empty()) { // trained, and then failed to hand it over
        end.failure = noCopy;
        end.reason.reset();
    }
    training.giveCopy(end);
    return end;
}

} // namespace fullbatch
