// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "gpu/device_pass.h"

#include <map>

namespace fullbatch {

/// What a device is, as far as it decides how and whether numbers repeat.
struct DeviceFacts
{
    std::string name;
    int computeMajor = 0;
    int computeMinor = 0;
    int multiprocessors = 0;
};
[[nodiscard]] DeviceFacts deviceFacts(int ordinal);

/// Data and network on a device, and passes over some of the rows: the ground on which an engine
/// trains and measures. All work is on one stream.
class DeviceProblem
{
public:
    /// The problem must have been checked and must outlive this object.
    DeviceProblem(int ordinal, const TrainingProblem& problem, bool ownRelu);

    [[nodiscard]] const DeviceFacts& device() const { return m_device; }
    [[nodiscard]] const Arithmetic& arithmetic() const { return m_arithmetic; }
    [[nodiscard]] const PaddedNetwork& network() const { return m_network; }
    [[nodiscard]] const EngineBuffers& buffers() const { return m_buffers; }
    [[nodiscard]] const Stream& stream() const { return m_stream; }
    [[nodiscard]] const Dataset& data() const { return *m_problem.data; }
    [[nodiscard]] std::size_t trainRows() const { return data().train.rows(); }
    /// Engine, precision, and all else that decides rounding; for EngineState::arithmetic.
    [[nodiscard]] std::string arithmeticText() const;

    /// Over all training rows.
    [[nodiscard]] const DevicePass& wholePass() const { return *m_passes.at(trainRows()); }
    /// Over at most so many rows; planned when it is first asked for.
    [[nodiscard]] const DevicePass& passFor(std::size_t rows);

    /// What is done with the rows of a pass.
    struct RowWork
    {
        const void* weights = nullptr; ///< for the products
        DescentState* state = nullptr; ///< gets the loss; has the loss scale
        double meanRows = 1; ///< what the loss is the mean over
        bool gradient = true; ///< also the partial gradients, of the mean over the pass' rows
    };
    /// All training rows in file order.
    void queueAllRows(const RowWork& work) const;
    /// Some rows of a split; an order must be in the buffer for it.
    void queueRows(const DevicePass& pass, SplitName split, const RowChoice& rows,
                   const RowWork& work) const;
    /// Logits of the first `count` columns in the buffer for other inputs.
    void queueLogits(const void* weights, std::size_t count) const;

    /// Copies and waits, so that the host's memory is free again.
    void upload(const DeviceMemory& to, const void* from, std::size_t bytes) const;
    void download(void* to, const void* from, std::size_t bytes) const;

private:
    void uploadSplit(const Split& split, const DeviceMemory& inputs,
                     const DeviceMemory& labels) const;
    void queueGather(const float* inputs, const RowChoice& rows, std::size_t columns,
                     const DeviceMemory& to) const;
    void queueLoss(const DevicePass& pass, SplitName split, const RowChoice& rows,
                   const RowWork& work) const;

    const TrainingProblem& m_problem;
    DeviceFacts m_device;
    Arithmetic m_arithmetic;
    PaddedNetwork m_network;
    RowChunks m_whole;
    bool m_ownRelu;
    EngineBuffers m_buffers;
    ProductLibrary m_library;
    Stream m_stream; // destroyed, and so done, before what it works on
    std::map<std::size_t, std::unique_ptr<DevicePass>> m_passes; // by rows
};

} // namespace fullbatch
