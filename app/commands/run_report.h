// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/training_run.h"
#include "core/engine/engine_choice.h"

#include <filesystem>
#include <string>
#include <vector>

namespace fullbatch {

/// All that the results of a run are told from.
struct RunResult
{
    RunSpec spec;
    EngineChoice engine;
    std::shared_ptr<const Dataset> data;
    TrainingOutcome outcome;
    std::vector<std::filesystem::path> written;
    std::vector<std::string> notWritten; ///< one sentence a file that failed and is not told yet
    bool failedToWrite = false;
};

/// "done", "zero error", "time up", "diverged", "stopped", "failed".
[[nodiscard]] std::string statusName(const TrainingOutcome& outcome);

/// How it ended, one sentence without a full stop: "diverged at epoch 12: ...".
[[nodiscard]] std::string endText(const RunResult& result);

/// For people, several lines.
[[nodiscard]] std::string summaryText(const RunResult& result);

/// For programs, one JSON object: of a single run, or with a list "runs". What is not finite is
/// null.
[[nodiscard]] std::string summaryJson(const std::vector<RunResult>& results);

} // namespace fullbatch
