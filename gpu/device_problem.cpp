// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_problem.h"

#include "core/engine/precision_names.h"
#include "gpu/cuda_error.h"
#include "gpu/kernels.h"

#include <cstdlib>

namespace fullbatch {

DeviceFacts deviceFacts(int ordinal)
{
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
    return {properties.name, properties.major, properties.minor, properties.multiProcessorCount};
}

namespace {

/// Makes the device current before anything of it is asked for.
int madeCurrent(int ordinal)
{
    check(cudaSetDevice(ordinal), "cudaSetDevice");
    return ordinal;
}

/// Variables with which a user makes the library multiply float32 in another way.
std::string productSwitches()
{
    std::string text;
    for (const char* name :
         {"CUBLAS_EMULATE_SINGLE_PRECISION", "CUBLAS_EMULATION_STRATEGY", "NVIDIA_TF32_OVERRIDE"}) {
        const char* value = std::getenv(name);
        if (value != nullptr)
            text += std::string(", ") + name + "=" + value;
    }
    return text;
}

} // namespace

DeviceProblem::DeviceProblem(int ordinal, const TrainingProblem& problem, bool ownRelu)
    : m_problem(problem),
      m_device(deviceFacts(madeCurrent(ordinal))),
      m_arithmetic(arithmeticOf(problem.precision)),
      m_network(problem.initial.shape(), m_arithmetic.bytes),
      m_whole(wholeChunks(trainRows(), m_network.size())),
      m_ownRelu(ownRelu),
      m_buffers(m_network, m_arithmetic, m_whole, data(), problem.optimiser.momentum > 0,
                ProductLibrary::workspaceBytes(m_device.computeMajor)),
      m_library(m_device.computeMajor)
{
    uploadSplit(data().train, m_buffers.trainInputs, m_buffers.trainLabels);
    uploadSplit(data().test, m_buffers.testInputs, m_buffers.testLabels);
    const std::vector<std::uint8_t> trainable = m_network.trainable();
    upload(m_buffers.trainable, trainable.data(), trainable.size());
    const std::vector<UpdateBlock> blocks = updateBlocks(m_network);
    upload(m_buffers.updateBlocks, blocks.data(), blocks.size() * sizeof(UpdateBlock));
    upload(m_buffers.optimiser, &problem.optimiser, sizeof(Optimiser));
    (void)passFor(trainRows());
    queueGather(m_buffers.trainInputs.at<float>(), {nullptr, 0, trainRows()}, m_whole.columns(),
                m_buffers.allRows);
    m_stream.synchronize();
}

std::string DeviceProblem::arithmeticText() const
{
    return "gpu " + std::string(precisionName(m_arithmetic.precision)) + ", cublasLt "
        + std::to_string(cublasLtGetVersion()) + " first heuristic, " + m_device.name + " sm_"
        + std::to_string(m_device.computeMajor) + std::to_string(m_device.computeMinor) + " with "
        + std::to_string(m_device.multiprocessors) + " multiprocessors, padding "
        + std::to_string(m_network.padding()) + ", " + std::to_string(m_whole.chunks)
        + " chunks of " + std::to_string(m_whole.chunkRows) + " rows" + productSwitches();
}

const DevicePass& DeviceProblem::passFor(std::size_t rows)
{
    std::unique_ptr<DevicePass>& pass = m_passes[rows];
    if (!pass) {
        const RowChunks chunks = rows == trainRows() ? m_whole : partChunks(rows, m_whole);
        pass = std::make_unique<DevicePass>(m_library, m_network, m_arithmetic, m_buffers, chunks,
                                            m_stream, m_ownRelu);
    }
    return *pass;
}

void DeviceProblem::queueAllRows(const RowWork& work) const
{
    const DevicePass& pass = wholePass();
    pass.queueForward(m_stream, work.weights, m_buffers.allRows.data());
    queueLoss(pass, SplitName::Train, {nullptr, 0, trainRows()}, work);
    if (work.gradient)
        pass.queueBackward(m_stream, work.weights, m_buffers.allRows.data());
}

void DeviceProblem::queueRows(const DevicePass& pass, SplitName split, const RowChoice& rows,
                              const RowWork& work) const
{
    const bool train = split == SplitName::Train;
    const DeviceMemory& inputs = train ? m_buffers.trainInputs : m_buffers.testInputs;
    queueGather(inputs.at<float>(), rows, pass.rows().columns(), m_buffers.gathered);
    pass.queueForward(m_stream, work.weights, m_buffers.gathered.data());
    queueLoss(pass, split, rows, work);
    if (work.gradient)
        pass.queueBackward(m_stream, work.weights, m_buffers.gathered.data());
}

void DeviceProblem::queueLogits(const void* weights, std::size_t count) const
{
    queueGather(m_buffers.otherInputs.at<float>(), {nullptr, 0, count}, m_whole.columns(),
                m_buffers.gathered);
    wholePass().queueForward(m_stream, weights, m_buffers.gathered.data());
}

void DeviceProblem::queueGather(const float* inputs, const RowChoice& rows, std::size_t columns,
                                const DeviceMemory& to) const
{
    GatherWork work;
    work.inputs = inputs;
    work.features = static_cast<int>(data().features());
    work.rows = rows;
    work.to = to.data();
    work.stride = static_cast<int>(m_network.layers().front().inputStride);
    work.columns = columns;
    check(launchGather(m_stream.get(), m_arithmetic.stored, work), "gatherKernel");
}

void DeviceProblem::queueLoss(const DevicePass& pass, SplitName split, const RowChoice& rows,
                              const RowWork& work) const
{
    const bool train = split == SplitName::Train;
    const PaddedLayer& last = m_network.layers().back();
    LossWork loss;
    loss.logits = m_buffers.logits.at<float>();
    loss.delta = work.gradient ? m_buffers.logitsDelta.data() : nullptr;
    loss.labels = (train ? m_buffers.trainLabels : m_buffers.testLabels).at<std::int32_t>();
    loss.rows = rows;
    loss.columns = pass.rows().columns();
    loss.stride = static_cast<int>(last.outputStride);
    loss.classes = static_cast<int>(last.outputs);
    loss.deltaShare = meanShares(m_arithmetic, rows.count).delta;
    loss.meanRows = work.meanRows;
    loss.state = work.state;
    loss.blockSums = m_buffers.lossSums.at<BlockLoss>();
    check(launchLoss(m_stream.get(), m_arithmetic.stored, loss), "lossKernel");
}

void DeviceProblem::upload(const DeviceMemory& to, const void* from, std::size_t bytes) const
{
    if (bytes == 0)
        return;
    check(cudaMemcpyAsync(to.data(), from, bytes, cudaMemcpyHostToDevice, m_stream.get()),
          "cudaMemcpyAsync");
    m_stream.synchronize();
}

void DeviceProblem::download(void* to, const void* from, std::size_t bytes) const
{
    if (bytes == 0)
        return;
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, m_stream.get()),
          "cudaMemcpyAsync");
    m_stream.synchronize();
}

void DeviceProblem::uploadSplit(const Split& split, const DeviceMemory& inputs,
                                const DeviceMemory& labels) const
{
    upload(inputs, split.inputs.data(),
           static_cast<std::size_t>(split.inputs.size()) * sizeof(float));
    upload(labels, split.labels.data(), split.labels.size() * sizeof(std::int32_t));
}

} // namespace fullbatch
