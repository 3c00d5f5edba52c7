// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device_pass.h"
#include "gpu/epoch_graphs.h"

#include <memory>

namespace fullbatch {

/// For tests and measurements; a program takes the default. No option changes a finite result.
struct GpuEngineOptions
{
    LaunchOptions launches;
    bool ownRelu = false; ///< a kernel for every ReLU, whatever the products' ReLU does
};

/// Gradient descent on one GPU, with cublasLt's products and kernels of its own: see
/// gpu/PAPER_BUDGET.md for what an epoch consists of. Two runs on one GPU with one library give
/// equal bits. Throws like EngineChoice::create; makes no self-test.
[[nodiscard]] std::unique_ptr<TrainingEngine>
makeGpuEngine(int ordinal, const TrainingProblem& problem, const GpuEngineOptions& options = {});

/// How an engine made by makeGpuEngine() launches epochs of the latest kind, known after the first
/// one.
[[nodiscard]] std::string launchText(const TrainingEngine& engine);
/// The graph of one such epoch, to count and name its kernels; null when there is none.
[[nodiscard]] cudaGraph_t epochGraph(const TrainingEngine& engine);

} // namespace fullbatch
