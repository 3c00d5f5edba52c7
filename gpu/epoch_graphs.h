// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda_objects.h"

#include <functional>
#include <string>

namespace fullbatch {

/// How an engine launches its epochs. For tests and measurements: the bits are the same.
struct LaunchOptions
{
    enum class Unrolled { ByTime, Always, Never };
    bool graphs = true; ///< false: every kernel is launched by itself
    /// Whether many epochs of full batch in file order go into one launch.
    Unrolled unrolled = Unrolled::ByTime;
};

/// Epochs as CUDA graphs, one of a single epoch and one of many, captured from the same function;
/// where capturing fails, or a graph would be too large, the function itself. All give the same
/// bits.
class EpochGraphs
{
public:
    /// `queueEpoch` must have run once, so that capturing meets nothing that loads or allocates.
    /// `batches` is how many updates an epoch has. The stream must outlive this object.
    EpochGraphs(const Stream& stream, std::function<void()> queueEpoch, std::size_t batches,
                const LaunchOptions& options);

    /// For EpochQueue. Many epochs in one launch only while that is short, so that a stop is soon
    /// heard.
    [[nodiscard]] std::size_t launchSize(std::size_t left, double epochSeconds);
    /// `count` as launchSize() gave it.
    void launch(std::size_t count) const;

    /// Of a single epoch; null when it is launched plainly.
    [[nodiscard]] cudaGraph_t epochGraph() const { return m_single.get(); }
    /// "CUDA graph", or why not: one sentence.
    [[nodiscard]] const std::string& text() const { return m_text; }

    static constexpr std::size_t unrolledEpochs = 32;
    static constexpr double longestLaunchSeconds = 0.01;
    /// Of an epoch as a graph: some 5,000 kernels, each of which takes memory and time to prepare.
    static constexpr std::size_t maximumBatches = 256;

private:
    [[nodiscard]] Graph capture(std::size_t epochs);

    const Stream& m_stream;
    std::function<void()> m_queueEpoch;
    LaunchOptions m_options;
    Graph m_single;
    Graph m_unrolled; // captured when it is first wanted
    std::string m_text;
};

} // namespace fullbatch
