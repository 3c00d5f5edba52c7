// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/spoilt_engine.h"

#include "core/engine/cpu_engine.h"

#include <cmath>
#include <limits>

namespace fullbatch {

namespace {

class SpoiltEngine final : public TrainingEngine
{
public:
    SpoiltEngine(Fault fault, const TrainingProblem& problem)
        : m_fault(fault),
          m_problem(problem),
          m_engine(makeCpuEngine(problem))
    {
    }

    std::size_t train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                      std::stop_token stop) override;
    Evaluation evaluate(SplitName split) override;
    Eigen::MatrixXf predict(const Eigen::MatrixXf& inputs) override;
    Parameters gradientAt(const Parameters& parameters,
                          std::span<const std::uint32_t> rows) override;
    Parameters parameters() override;
    EngineState state() override;
    void restore(const EngineState& state) override;

private:
    [[nodiscard]] bool has(Fault fault) const { return m_fault == fault; }
    /// One more ulp in a parameter.
    void nudge();
    void trainOnce();

    Fault m_fault;
    TrainingProblem m_problem;
    std::unique_ptr<TrainingEngine> m_engine;
    bool m_diverged = false;
    std::vector<std::unique_ptr<EpochMetrics>> m_garbage;
};

void SpoiltEngine::nudge()
{
    EngineState state = m_engine->state();
    const auto value = static_cast<float>(state.parameters[0]);
    state.parameters[0] = std::nextafter(value, std::numeric_limits<float>::infinity());
    m_engine->restore(state);
}

void SpoiltEngine::trainOnce()
{
    const double rate = 0.01;
    EpochMetrics record;
    m_engine->train({std::span(&rate, 1), 0, {}}, std::span(&record, 1), {});
}

std::size_t SpoiltEngine::train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                                std::stop_token stop)
{
    if (has(Fault::MomentumForgotten)) {
        EngineState state = m_engine->state();
        std::fill(state.velocity.begin(), state.velocity.end(), 0.0);
        m_engine->restore(state);
    }
    if (has(Fault::BitsDependOnChunks)
        || (has(Fault::BitsDependOnThreads) && m_problem.threads == 3))
        nudge();
    TrainingPlan changed = plan;
    std::vector<double> rates(plan.learningRates.begin(), plan.learningRates.end());
    if (has(Fault::FirstRateForAll) && !rates.empty())
        rates.assign(rates.size(), rates[0]);
    changed.learningRates = rates;
    if (has(Fault::StopIgnored))
        stop = {};
    if (has(Fault::Allocates)) {
        for (std::size_t i = 0; i < records.size(); ++i)
            m_garbage.push_back(std::make_unique<EpochMetrics>()); // one an epoch
    }
    const std::size_t completed = m_engine->train(changed, records, stop);
    if (has(Fault::StopKeepsHalfAnEpoch) && completed < records.size())
        nudge();
    m_diverged = completed > 0 && !std::isfinite(records[completed - 1].loss);
    for (EpochMetrics& record : records.first(completed)) {
        record.loss *= has(Fault::LossShifted) ? 1.0001 : 1;
        record.predictionDigest += has(Fault::PredictionDigestWrong) ? 1 : 0;
        record.wrongRows += has(Fault::WrongRowsOffByOne) ? 1 : 0;
    }
    return completed + (has(Fault::StopsLate) && m_diverged && completed < records.size() ? 1 : 0);
}

Evaluation SpoiltEngine::evaluate(SplitName split)
{
    Evaluation evaluation = m_engine->evaluate(split);
    evaluation.loss *= has(Fault::EvaluationShifted) ? 1.0001 : 1;
    if (has(Fault::EvaluationTrains))
        trainOnce();
    return evaluation;
}

Eigen::MatrixXf SpoiltEngine::predict(const Eigen::MatrixXf& inputs)
{
    return m_engine->predict(inputs) * (has(Fault::LogitsScaled) ? 1.0001F : 1.0F);
}

Parameters SpoiltEngine::gradientAt(const Parameters& parameters,
                                    std::span<const std::uint32_t> rows)
{
    if (has(Fault::GradientIgnoresRows))
        return m_engine->gradientAt(parameters, {});
    Parameters gradient = m_engine->gradientAt(parameters, rows);
    if (has(Fault::GradientScaled)) {
        for (float& value : gradient.values())
            value *= 1.0001F;
    }
    return gradient;
}

Parameters SpoiltEngine::parameters()
{
    Parameters parameters = m_engine->parameters();
    if (has(Fault::KeepsTheOverflow) && m_diverged)
        parameters.values()[0] = std::numeric_limits<float>::infinity();
    return parameters;
}

EngineState SpoiltEngine::state()
{
    return m_engine->state();
}

void SpoiltEngine::restore(const EngineState& state)
{
    EngineState changed = state;
    if (has(Fault::StateLosesVelocity))
        std::fill(changed.velocity.begin(), changed.velocity.end(), 0.0);
    if (has(Fault::AcceptsEverything))
        changed.arithmetic = m_engine->state().arithmetic;
    m_engine->restore(changed);
}

} // namespace

EngineChoice spoiltEngineChoice(Fault fault)
{
    EngineChoice choice = cpuEngineChoice();
    choice.create = [fault](const TrainingProblem& problem) -> std::unique_ptr<TrainingEngine> {
        TrainingProblem changed = problem;
        if (fault == Fault::AcceptsEverything)
            changed.optimiser.momentum = 0.5;
        return std::make_unique<SpoiltEngine>(fault, changed);
    };
    return choice;
}

} // namespace fullbatch
