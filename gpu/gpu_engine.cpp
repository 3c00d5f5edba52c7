// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/gpu_engine.h"

#include "core/engine/problem_check.h"
#include "gpu/cuda_error.h"
#include "gpu/device_epochs.h"
#include "gpu/measurement.h"

#include <cmath>

namespace fullbatch {

namespace {

/// Throws for a problem that an engine cannot hold, before any device work.
const TrainingProblem& checked(const TrainingProblem& problem)
{
    checkProblem(problem, "gpu", gpuPrecisions);
    return problem;
}

class GpuEngine final : public TrainingEngine
{
public:
    GpuEngine(int ordinal, const TrainingProblem& problem, const GpuEngineOptions& options)
        : m_ordinal(ordinal),
          m_training(checked(problem)),
          m_problem(ordinal, m_training, options.ownRelu),
          m_descent(m_problem.network(), m_problem.arithmetic(), m_problem.buffers(),
                    problem.initial.values(), problem.optimiser.momentum > 0),
          m_epochs(m_problem, m_descent, options.launches),
          m_queue(m_problem.stream(), m_problem.buffers()),
          m_measurement(m_problem),
          m_arithmetic(m_problem.arithmeticText())
    {
    }
    ~GpuEngine() override;

    std::size_t train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                      std::stop_token stop) override;
    Evaluation evaluate(SplitName split) override;
    Eigen::MatrixXf predict(const Eigen::MatrixXf& inputs) override;
    Parameters gradientAt(const Parameters& parameters,
                          std::span<const std::uint32_t> rows) override;
    Parameters parameters() override;
    EngineState state() override;
    void restore(const EngineState& state) override;

    [[nodiscard]] const std::optional<EpochGraphs>& graphs() const { return m_epochs.graphs(); }

private:
    /// Calls `work` with the device current. When it throws, nothing is on its way any more and the
    /// device has nothing that counts.
    template <typename Work>
    auto onDevice(const Work& work);

    int m_ordinal;
    TrainingProblem m_training;
    DeviceProblem m_problem;
    DeviceDescent m_descent;
    DeviceEpochs m_epochs;
    EpochQueue m_queue;
    Measurement m_measurement;
    std::uint64_t m_epoch = 0;
    std::string m_arithmetic;
};

GpuEngine::~GpuEngine()
{
    if (cudaSetDevice(m_ordinal) != cudaSuccess)
        (void)cudaGetLastError();
    m_queue.drain();
}

template <typename Work>
auto GpuEngine::onDevice(const Work& work)
{
    try {
        check(cudaSetDevice(m_ordinal), "cudaSetDevice");
        return work();
    } catch (...) {
        m_queue.drain();
        m_descent.discard();
        throw;
    }
}

std::size_t GpuEngine::train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                             std::stop_token stop)
{
    checkPlan(plan, records.size(), m_problem.trainRows());
    if (records.empty() || stop.stop_requested())
        return 0;
    return onDevice([&] {
        const EpochQueue::Launches launched = m_epochs.launches(plan);
        m_descent.begin(m_problem.stream(), false);
        const std::size_t completed = m_queue.run(plan.learningRates, records, stop, launched);
        const bool diverged = completed > 0 && !std::isfinite(records[completed - 1].loss);
        m_descent.end(m_problem.stream(), diverged);
        m_epoch += completed;
        return completed;
    });
}

Evaluation GpuEngine::evaluate(SplitName split)
{
    return onDevice([&] {
        m_descent.begin(m_problem.stream(), true);
        return m_measurement.evaluate(m_descent.productWeights(), split);
    });
}

Eigen::MatrixXf GpuEngine::predict(const Eigen::MatrixXf& inputs)
{
    checkInputs(inputs, m_training.initial.shape());
    return onDevice([&] {
        m_descent.begin(m_problem.stream(), true);
        return m_measurement.predict(m_descent.productWeights(), inputs);
    });
}

Parameters GpuEngine::gradientAt(const Parameters& parameters, std::span<const std::uint32_t> rows)
{
    checkGradientArguments(parameters, rows, m_training);
    return onDevice(
        [&] { return m_measurement.gradientAt(parameters, rows, m_descent.updateWork()); });
}

Parameters GpuEngine::parameters()
{
    Parameters parameters = m_training.initial;
    const std::vector<float> values = m_descent.lastFiniteParameters();
    std::copy(values.begin(), values.end(), parameters.values().begin());
    return parameters;
}

EngineState GpuEngine::state()
{
    EngineState state;
    state.arithmetic = m_arithmetic;
    state.epoch = m_epoch;
    const std::vector<float> parameters = m_descent.parameters();
    const std::vector<float> velocity = m_descent.velocity();
    state.parameters.assign(parameters.begin(), parameters.end());
    state.velocity.assign(velocity.begin(), velocity.end());
    state.lossScale = m_descent.state().lossScale;
    state.cleanSteps = m_descent.state().cleanSteps;
    state.skippedSteps = m_descent.state().skippedSteps;
    return state;
}

void GpuEngine::restore(const EngineState& state)
{
    checkState(state, m_arithmetic, m_training);
    const auto toFloat = [](double value) { return static_cast<float>(value); };
    std::vector<float> parameters(state.parameters.size());
    std::vector<float> velocity(state.velocity.size());
    std::transform(state.parameters.begin(), state.parameters.end(), parameters.begin(), toFloat);
    std::transform(state.velocity.begin(), state.velocity.end(), velocity.begin(), toFloat);
    DescentState numbers;
    numbers.lossScale = static_cast<float>(state.lossScale);
    numbers.cleanSteps = state.cleanSteps;
    numbers.skippedSteps = state.skippedSteps;
    m_descent.set(parameters, velocity, numbers);
    m_epoch = state.epoch;
}

} // namespace

std::unique_ptr<TrainingEngine> makeGpuEngine(int ordinal, const TrainingProblem& problem,
                                              const GpuEngineOptions& options)
{
    return std::make_unique<GpuEngine>(ordinal, problem, options);
}

std::string launchText(const TrainingEngine& engine)
{
    const std::optional<EpochGraphs>& graphs = dynamic_cast<const GpuEngine&>(engine).graphs();
    return graphs ? graphs->text() : "";
}

cudaGraph_t epochGraph(const TrainingEngine& engine)
{
    const std::optional<EpochGraphs>& graphs = dynamic_cast<const GpuEngine&>(engine).graphs();
    return graphs ? graphs->epochGraph() : nullptr;
}

} // namespace fullbatch
