// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fullbatch {

/// A line of the engine list: what an engine is, or why it cannot be used and what to do about it.
struct EngineChoice
{
    std::string id; ///< what is typed and stored: "cpu", "gpu", "gpu:1", "reference"
    std::string description; ///< "CPU: Intel Xeon, 2 cores, AVX-512"
    std::string detail; ///< further facts, one sentence; may be empty
    std::string unusable; ///< empty, or why it cannot be used
    std::string remedy; ///< what a person can do about it; empty when usable
    std::vector<Precision> precisions; ///< the first is the default
    std::vector<LayerKind> activations; ///< of hidden layers; empty: every kind
    /// Makes the engine; called in the thread that will use it. Throws EngineError, std::bad_alloc,
    /// or std::invalid_argument for a problem the engine cannot hold.
    std::function<std::unique_ptr<TrainingEngine>(const TrainingProblem&)> create;

    /// GFLOP/s that the device reaches at most, as it is now, with so many threads; takes some
    /// milliseconds. Empty where it is not known.
    std::function<double(int threads)> measurePeak;

    [[nodiscard]] bool usable() const { return unusable.empty(); }
    [[nodiscard]] bool offers(LayerKind activation) const
    {
        return activations.empty()
            || std::find(activations.begin(), activations.end(), activation) != activations.end();
    }
};

} // namespace fullbatch
