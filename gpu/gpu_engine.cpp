// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/gpu_engine.h"

#include "core/engine/epoch_batches.h"
#include "core/engine/problem_check.h"
#include "gpu/cuda_error.h"
#include "gpu/epoch_queue.h"
#include "gpu/kernels.h"
#include "gpu/measurement.h"

#include <cmath>
#include <optional>

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
          m_options(options),
          m_problem(ordinal, m_training, options.ownRelu),
          m_descent(m_problem.network(), m_problem.arithmetic(), m_problem.buffers(),
                    problem.initial.values(), problem.optimiser.momentum),
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

    [[nodiscard]] const std::optional<EpochGraphs>& graphs() const { return m_graphs; }

private:
    /// Calls `work` with the device current. When it throws, nothing is on its way any more and the
    /// device has nothing that counts.
    template <typename Work>
    auto onDevice(const Work& work);
    [[nodiscard]] EpochQueue::Launches launches(const TrainingPlan& plan);
    void prepareGraphs();
    [[nodiscard]] DeviceProblem::RowWork rowWork() const;
    void queueEpoch();
    void queueMiniBatches(const TrainingPlan& plan, std::size_t epoch);

    int m_ordinal;
    TrainingProblem m_training;
    GpuEngineOptions m_options;
    DeviceProblem m_problem;
    DeviceDescent m_descent;
    EpochQueue m_queue;
    Measurement m_measurement;
    std::optional<EpochGraphs> m_graphs; // made when a full batch is first trained
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
        const EpochQueue::Launches launched = launches(plan);
        m_descent.begin(m_problem.stream(), false);
        const std::size_t completed = m_queue.run(plan.learningRates, records, stop, launched);
        const bool diverged = completed > 0 && !std::isfinite(records[completed - 1].loss);
        m_descent.end(m_problem.stream(), diverged);
        m_epoch += completed;
        return completed;
    });
}

EpochQueue::Launches GpuEngine::launches(const TrainingPlan& plan)
{
    const bool whole = plan.batchSize == 0 || plan.batchSize >= m_problem.trainRows();
    if (whole && plan.batchOrder.empty()) {
        prepareGraphs();
        return {[this](std::size_t left, double epochSeconds) {
                    return m_graphs->launchSize(left, epochSeconds);
                },
                [this](std::size_t, std::size_t count) { m_graphs->launch(count); }};
    }
    return {[](std::size_t, double) { return std::size_t{1}; },
            [this, &plan](std::size_t first, std::size_t) { queueMiniBatches(plan, first); }};
}

/// One epoch that only measures loads whatever is loaded late; then epochs are captured.
void GpuEngine::prepareGraphs()
{
    if (m_graphs)
        return;
    m_descent.begin(m_problem.stream(), true);
    queueEpoch();
    m_problem.stream().synchronize();
    m_graphs.emplace(
        m_problem.stream(), [this] { queueEpoch(); }, m_options.launches);
}

DeviceProblem::RowWork GpuEngine::rowWork() const
{
    DeviceProblem::RowWork work;
    work.weights = m_descent.productWeights();
    work.state = m_descent.deviceState();
    work.epochRows = static_cast<double>(m_problem.trainRows());
    return work;
}

/// A full-batch epoch; the same for every epoch.
void GpuEngine::queueEpoch()
{
    const cudaStream_t stream = m_problem.stream().get();
    const Arithmetic& arithmetic = m_problem.arithmetic();
    m_problem.queueAllRows(rowWork());
    UpdateWork update = m_descent.updateWork();
    update.chunks = static_cast<unsigned int>(m_problem.wholePass().rows().chunks);
    update.gradientShare = meanShares(arithmetic, m_problem.trainRows()).gradient;
    update.epochRows = static_cast<double>(m_problem.trainRows());
    if (arithmetic.scaled) {
        check(launchGradient(stream, update), "gradientKernel");
        check(launchStep(stream, arithmetic.stored, update), "stepKernel");
    } else {
        check(launchUpdate(stream, arithmetic.stored, update), "updateKernel");
    }
}

void GpuEngine::queueMiniBatches(const TrainingPlan& plan, std::size_t epoch)
{
    const std::size_t rows = m_problem.trainRows();
    const cudaStream_t stream = m_problem.stream().get();
    const Arithmetic& arithmetic = m_problem.arithmetic();
    const EngineBuffers& buffers = m_problem.buffers();
    const EpochBatches batches(plan, epoch, rows);
    const DevicePass& pass = m_problem.passFor(batches[0].count);
    const std::uint32_t* order = nullptr;
    if (!plan.batchOrder.empty()) {
        order = buffers.order.at<std::uint32_t>();
        check(cudaMemcpyAsync(buffers.order.data(), plan.batchOrder.data() + epoch * rows,
                              rows * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream),
              "cudaMemcpyAsync");
    }
    UpdateWork update = m_descent.updateWork();
    update.chunks = static_cast<unsigned int>(pass.rows().chunks);
    update.epochGradient = buffers.epochGradient.at<float>();
    update.epochRows = static_cast<double>(rows);
    update.endsEpoch = 0;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const RowSet batch = batches[i];
        m_problem.queueRows(pass, SplitName::Train, {order, batch.first, batch.count}, rowWork());
        update.gradientShare = meanShares(arithmetic, batch.count).gradient;
        update.epochPart =
            static_cast<float>(static_cast<double>(batch.count) / static_cast<double>(rows));
        update.firstOfEpoch = i == 0 ? 1 : 0;
        check(launchGradient(stream, update), "gradientKernel");
        check(launchStep(stream, arithmetic.stored, update), "stepKernel");
    }
    check(launchEndOfEpoch(stream, update), "endOfEpochKernel");
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
    numbers.momentum = m_descent.state().momentum;
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
