// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace fullbatch {

/// What fake engines were asked to do; any thread may look at any time.
class FakeObservations
{
public:
    /// Epochs asked for in each train() call.
    [[nodiscard]] std::vector<std::size_t> chunks() const { return copyOf(m_chunks); }
    /// Epochs done when evaluate() was called, one a call.
    [[nodiscard]] std::vector<std::uint64_t> evaluated() const { return copyOf(m_evaluated); }
    /// Threads in which engines were made or called.
    [[nodiscard]] std::set<std::thread::id> threads() const { return copyOf(m_threads); }
    /// Engines that exist now.
    [[nodiscard]] int alive() const { return m_alive; }

    void noteEngine(int change) { m_alive += change; }
    void noteThread()
    {
        const std::lock_guard lock(m_mutex);
        m_threads.insert(std::this_thread::get_id());
    }
    void noteChunk(std::size_t epochs)
    {
        const std::lock_guard lock(m_mutex);
        m_chunks.push_back(epochs);
    }
    void noteEvaluation(std::uint64_t epoch)
    {
        const std::lock_guard lock(m_mutex);
        m_evaluated.push_back(epoch);
    }

private:
    template <typename List>
    List copyOf(const List& list) const
    {
        const std::lock_guard lock(m_mutex);
        return list;
    }

    mutable std::mutex m_mutex;
    std::vector<std::size_t> m_chunks;
    std::vector<std::uint64_t> m_evaluated;
    std::set<std::thread::id> m_threads;
    std::atomic<int> m_alive = 0;
};

/// What a fake engine answers. Losses and wrong rows are functions of the epoch.
struct FakeScript
{
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    std::function<double(std::uint64_t)> loss = [](std::uint64_t epoch) {
        return 2.3 / (1 + 0.001 * static_cast<double>(epoch));
    };
    std::function<std::uint32_t(std::uint64_t)> wrongRows = [](std::uint64_t) { return 10U; };
    /// How long an epoch seems to take; a stop request ends even a long one within a millisecond.
    double microsecondsPerEpoch = 0;
    std::uint64_t throwAtEpoch = never; ///< train() throws EngineError on reaching it
    std::string throwText = "fakeTrain failed; plug the fake device in again";
    bool takesParametersAlong = false; ///< once train() has thrown, parameters() throws too
    std::function<std::uint64_t(std::uint64_t)> skippedSteps = [](std::uint64_t) {
        return std::uint64_t{0};
    };
    bool throwWhenMade = false; ///< for fakeEngineChoice(): create throws EngineError(throwText)
    std::size_t testRows = 1000; ///< 0: an empty test split
    std::shared_ptr<FakeObservations> observations = std::make_shared<FakeObservations>();
};

/// A TrainingEngine without arithmetic that keeps every promise of the border: chunks as asked,
/// stopped epochs without a trace, nothing after the first non-finite loss.
class FakeEngine : public TrainingEngine
{
public:
    explicit FakeEngine(FakeScript script, Parameters initial = {})
        : m_script(std::move(script)),
          m_initial(std::move(initial))
    {
        m_script.observations->noteEngine(1);
        m_script.observations->noteThread();
    }
    ~FakeEngine() override { m_script.observations->noteEngine(-1); }
    FakeEngine(const FakeEngine&) = delete;
    FakeEngine& operator=(const FakeEngine&) = delete;

    std::size_t train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                      std::stop_token stop) override
    {
        m_script.observations->noteThread();
        m_script.observations->noteChunk(records.size());
        const Clock::time_point began = Clock::now();
        for (std::size_t i = 0; i < records.size(); ++i) {
            const std::uint64_t epoch = m_epoch + i;
            const std::chrono::duration<double, std::micro> spent(m_script.microsecondsPerEpoch
                                                                  * static_cast<double>(i + 1));
            if (!waitUntil(began + std::chrono::duration_cast<Clock::duration>(spent), stop))
                return finish(i);
            if (epoch == m_script.throwAtEpoch) {
                m_failed = true;
                throw EngineError(m_script.throwText);
            }
            records[i].loss = m_script.loss(epoch);
            records[i].learningRate = plan.learningRates[i];
            records[i].predictionDigest = predictionDigest(epoch, 0);
            records[i].wrongRows = m_script.wrongRows(epoch);
            records[i].gradientNorm = 1;
            if (!std::isfinite(records[i].loss))
                return finish(i + 1);
        }
        return finish(records.size());
    }

    Evaluation evaluate(SplitName split) override
    {
        m_script.observations->noteThread();
        if (split == SplitName::Test && m_script.testRows == 0)
            return {std::numeric_limits<double>::quiet_NaN(), 0, 0};
        m_script.observations->noteEvaluation(m_epoch);
        return {m_script.loss(m_epoch) + 0.5, m_script.wrongRows(m_epoch), m_script.testRows};
    }

    /// All zero.
    Eigen::MatrixXf predict(const Eigen::MatrixXf& inputs) override
    {
        return Eigen::MatrixXf::Zero(m_initial.shape().outputs(), inputs.cols());
    }
    Parameters gradientAt(const Parameters& parameters, std::span<const std::uint32_t>) override
    {
        return parameters;
    }
    /// Those it was made with, whatever was trained.
    Parameters parameters() override
    {
        if (m_failed && m_script.takesParametersAlong)
            throw EngineError("fakeParameters failed; plug the fake device in again");
        return m_initial;
    }
    EngineState state() override
    {
        EngineState state;
        state.arithmetic = "fake";
        state.epoch = m_epoch;
        state.skippedSteps = m_script.skippedSteps(m_epoch);
        return state;
    }
    void restore(const EngineState& state) override { m_epoch = state.epoch; }

private:
    using Clock = std::chrono::steady_clock;

    std::size_t finish(std::size_t completed)
    {
        m_epoch += completed;
        return completed;
    }

    /// False after a stop request.
    bool waitUntil(Clock::time_point time, const std::stop_token& stop) const
    {
        constexpr std::chrono::microseconds patience(1000);
        while (!stop.stop_requested()) {
            const auto left = time - Clock::now();
            if (left < std::chrono::microseconds(50)) // shorter than a sleep; made up for later
                return true;
            std::this_thread::sleep_for(std::min<Clock::duration>(left, patience));
        }
        return false;
    }

    FakeScript m_script;
    Parameters m_initial;
    std::uint64_t m_epoch = 0;
    bool m_failed = false;
};

/// Its line in an engine list, under `id`.
[[nodiscard]] inline EngineChoice fakeEngineChoice(FakeScript script, std::string id = "fake")
{
    EngineChoice choice;
    choice.id = std::move(id);
    choice.description = "Fake: scripted losses";
    choice.precisions = {Precision::Fp32};
    choice.create = [script = std::move(script)](
                        const TrainingProblem& problem) -> std::unique_ptr<TrainingEngine> {
        if (script.throwWhenMade)
            throw EngineError(script.throwText);
        return std::make_unique<FakeEngine>(script, problem.initial);
    };
    return choice;
}

} // namespace fullbatch
