// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/epoch_graphs.h"

#include "gpu/cuda_error.h"

namespace fullbatch {

EpochGraphs::EpochGraphs(const Stream& stream, std::function<void()> queueEpoch,
                         std::size_t batches, const LaunchOptions& options)
    : m_stream(stream),
      m_queueEpoch(std::move(queueEpoch)),
      m_options(options),
      m_text("CUDA graph")
{
    if (!m_options.graphs) {
        m_text = "Kernels are launched one by one, as asked.";
    } else if (batches > maximumBatches) {
        m_text = "Kernels are launched one by one, because a graph of " + std::to_string(batches)
            + " batches would be too large.";
    } else {
        m_single = capture(1);
    }
}

/// Without a graph, and without another try, where it fails: what is launched otherwise either
/// works or says why not.
Graph EpochGraphs::capture(std::size_t epochs)
{
    try {
        return {m_stream, [&] {
                    for (std::size_t i = 0; i < epochs; ++i)
                        m_queueEpoch();
                }};
    } catch (const EngineError& error) {
        m_options.unrolled = LaunchOptions::Unrolled::Never;
        m_text =
            (m_single ? "Epochs are launched one by one, because no longer graph could be made. "
                      : "Kernels are launched one by one, because no graph could be made. ")
            + std::string(error.what());
        return {};
    }
}

std::size_t EpochGraphs::launchSize(std::size_t left, double epochSeconds)
{
    using Unrolled = LaunchOptions::Unrolled;
    const bool soonDone = epochSeconds > 0
        && epochSeconds * static_cast<double>(unrolledEpochs) <= longestLaunchSeconds;
    const bool wanted = m_options.unrolled == Unrolled::Always
        || (m_options.unrolled == Unrolled::ByTime && soonDone);
    if (!m_single || !wanted || left < unrolledEpochs)
        return 1;
    if (!m_unrolled)
        m_unrolled = capture(unrolledEpochs);
    return m_unrolled ? unrolledEpochs : 1;
}

void EpochGraphs::launch(std::size_t count) const
{
    if (count > 1)
        m_unrolled.launch(m_stream);
    else if (m_single)
        m_single.launch(m_stream);
    else
        m_queueEpoch();
}

} // namespace fullbatch
