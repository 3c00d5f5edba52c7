// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_descent.h"

#include "gpu/cuda_error.h"
#include "gpu/kernels.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

bool allFinite(std::span<const float> values)
{
    return std::all_of(values.begin(), values.end(),
                       [](float value) { return std::isfinite(value); });
}

} // namespace

DeviceDescent::DeviceDescent(const PaddedNetwork& network, const Arithmetic& arithmetic,
                             const EngineBuffers& buffers, std::span<const float> initial,
                             bool momentum)
    : m_network(network),
      m_arithmetic(arithmetic),
      m_buffers(buffers),
      m_momentum(momentum),
      m_numbers(positionNumbers(network, m_momentum)),
      m_position(m_numbers),
      m_transfer(m_numbers * sizeof(float) + sizeof(DescentState))
{
    DescentState state;
    state.lossScale = m_arithmetic.scaled ? initialLossScale : 1;
    set(initial, {}, state);
}

std::size_t DeviceDescent::offset(Part part) const
{
    return static_cast<std::size_t>(part) * m_network.size();
}

std::span<float> DeviceDescent::hostPart(Part part)
{
    return std::span(m_position).subspan(offset(part), m_network.size());
}

float* DeviceDescent::devicePart(Part part) const
{
    return m_buffers.position.at<float>(offset(part));
}

std::vector<float> DeviceDescent::unpacked(Part part) const
{
    std::vector<float> values(m_network.parameterCount());
    m_network.unpack(std::span(m_position).subspan(offset(part), m_network.size()), values);
    return values;
}

std::vector<float> DeviceDescent::lastFiniteParameters() const
{
    return unpacked(m_state.finite != 0 ? Part::Weights : Part::WeightsBefore);
}

std::vector<float> DeviceDescent::velocity() const
{
    return m_momentum ? unpacked(Part::Velocity) : std::vector<float>();
}

void DeviceDescent::set(std::span<const float> parameters, std::span<const float> velocity,
                        const DescentState& state)
{
    m_state = state;
    m_state.finite = allFinite(parameters) ? 1 : 0;
    for (const Part part : {Part::Weights, Part::WeightsBefore}) {
        m_network.pack(parameters, hostPart(part));
        m_network.setFixed(hostPart(part));
    }
    if (m_momentum && !velocity.empty())
        for (const Part part : {Part::Velocity, Part::VelocityBefore})
            m_network.pack(velocity, hostPart(part));
    m_sent = false;
}

const void* DeviceDescent::productWeights() const
{
    return m_arithmetic.copies() ? m_buffers.copies.data() : devicePart(Part::Weights);
}

DescentState* DeviceDescent::deviceState() const
{
    return reinterpret_cast<DescentState*>(m_buffers.position.at<float>(m_numbers));
}

UpdateWork DeviceDescent::updateWork() const
{
    UpdateWork work;
    work.blocks = m_buffers.updateBlocks.at<UpdateBlock>();
    work.blockCount = static_cast<unsigned int>(m_buffers.updateBlockCount);
    work.blockSquares = m_buffers.blockSquares.at<double>();
    work.state = deviceState();
    work.partials = m_buffers.partials.at<float>();
    work.trainable = m_buffers.trainable.at<std::uint8_t>();
    work.scaled = m_arithmetic.scaled ? 1 : 0;
    work.gradient = m_buffers.gradient.at<float>();
    work.optimiser = m_buffers.optimiser.at<Optimiser>();
    work.weights = devicePart(Part::Weights);
    work.weightsBefore = devicePart(Part::WeightsBefore);
    if (m_momentum) {
        work.velocity = devicePart(Part::Velocity);
        work.velocityBefore = devicePart(Part::VelocityBefore);
    }
    work.copies = m_buffers.copies.data();
    work.rates = m_buffers.rates.at<float>();
    work.records = m_buffers.records.at<EpochRecord>();
    return work;
}

void DeviceDescent::queueUpdate(const Stream& stream, const UpdateWork& work) const
{
    if (m_arithmetic.scaled) {
        check(launchGradient(stream.get(), work), "gradientKernel");
        check(launchStep(stream.get(), m_arithmetic.stored, work), "stepKernel");
    } else {
        check(launchUpdate(stream.get(), m_arithmetic.stored, work), "updateKernel");
    }
}

void DeviceDescent::send(const Stream& stream)
{
    const std::size_t bytes = m_numbers * sizeof(float);
    std::copy(m_position.begin(), m_position.end(), m_transfer.at<float>());
    check(cudaMemcpyAsync(m_buffers.position.data(), m_transfer.at<float>(), bytes,
                          cudaMemcpyHostToDevice, stream.get()),
          "cudaMemcpyAsync");
    if (m_arithmetic.copies()) {
        const ConvertWork work{devicePart(Part::Weights), m_buffers.copies.data(),
                               m_network.size()};
        check(launchConvert(stream.get(), m_arithmetic.stored, work), "convertKernel");
    }
    m_sent = true;
}

void DeviceDescent::begin(const Stream& stream, bool measureOnly)
{
    if (!m_sent)
        send(stream);
    auto* state = reinterpret_cast<DescentState*>(m_transfer.at<float>(m_numbers));
    *state = m_state;
    state->epoch = 0;
    state->measureOnly = measureOnly ? 1 : 0;
    check(
        cudaMemcpyAsync(deviceState(), state, sizeof *state, cudaMemcpyHostToDevice, stream.get()),
        "cudaMemcpyAsync");
}

void DeviceDescent::end(const Stream& stream, bool rollBack)
{
    check(cudaMemcpyAsync(m_transfer.at<float>(), m_buffers.position.data(),
                          m_numbers * sizeof(float) + sizeof(DescentState), cudaMemcpyDeviceToHost,
                          stream.get()),
          "cudaMemcpyAsync");
    stream.synchronize();
    std::copy_n(m_transfer.at<float>(), m_numbers, m_position.begin());
    m_state = *reinterpret_cast<const DescentState*>(m_transfer.at<float>(m_numbers));
    if (!rollBack || m_state.finite != 0)
        return;
    std::ranges::copy(hostPart(Part::WeightsBefore), hostPart(Part::Weights).begin());
    if (m_momentum)
        std::ranges::copy(hostPart(Part::VelocityBefore), hostPart(Part::Velocity).begin());
    m_state.finite = 1;
    m_sent = false;
}

} // namespace fullbatch
