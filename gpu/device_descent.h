// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda_objects.h"
#include "gpu/engine_buffers.h"

#include <span>
#include <vector>

namespace fullbatch {

/// Where gradient descent stands: on the device, where kernels step, and as of the last call that
/// went well on the host. So a device that fails in the middle of a call takes nothing with it:
/// what the host has is still there to be read, and to be sent again if the device allows.
///
/// Network and buffers must outlive it.
class DeviceDescent
{
public:
    DeviceDescent(const PaddedNetwork& network, const Arithmetic& arithmetic,
                  const EngineBuffers& buffers, std::span<const float> initial, bool momentum);

    // The host's side: plain memory, nothing fails.
    [[nodiscard]] std::vector<float> parameters() const { return unpacked(Part::Weights); }
    [[nodiscard]] std::vector<float> lastFiniteParameters() const;
    [[nodiscard]] std::vector<float> velocity() const; ///< empty without momentum
    [[nodiscard]] const DescentState& state() const { return m_state; }
    /// Sets a position; the device gets it with the next begin().
    void set(std::span<const float> parameters, std::span<const float> velocity,
             const DescentState& state);

    // The device's side.
    /// What the products read.
    [[nodiscard]] const void* productWeights() const;
    [[nodiscard]] DescentState* deviceState() const;
    /// The weights' part of the update; the caller adds the gradient's and the epoch's.
    [[nodiscard]] UpdateWork updateWork() const;
    void queueUpdate(const Stream& stream, const UpdateWork& work) const;
    /// Before kernels use the position: the device gets what it does not have yet, and counts its
    /// epochs from 0. Everything queued after the last begin() must be done, as it is after end().
    void begin(const Stream& stream, bool measureOnly);
    /// Reads the position after a call that went well. `rollBack`: returns to the last finite one.
    void end(const Stream& stream, bool rollBack);
    /// After a call that failed: what the device has no longer counts.
    void discard() { m_sent = false; }

private:
    enum class Part { Weights, WeightsBefore, Velocity, VelocityBefore };
    [[nodiscard]] std::size_t offset(Part part) const;
    [[nodiscard]] std::span<float> hostPart(Part part);
    [[nodiscard]] float* devicePart(Part part) const;
    [[nodiscard]] std::vector<float> unpacked(Part part) const;
    void send(const Stream& stream);

    const PaddedNetwork& m_network;
    Arithmetic m_arithmetic;
    const EngineBuffers& m_buffers;
    bool m_momentum;
    std::size_t m_numbers; // of the position
    DescentState m_state;
    std::vector<float> m_position; // the parts, one behind the other, as on the device
    PinnedMemory m_transfer; // a position and a state on their way
    bool m_sent = false; // whether the device has what the host has
};

} // namespace fullbatch
