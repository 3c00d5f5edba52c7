// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_spec.h"
#include "core/engine/training_engine.h"
#include "core/network/initialisation.h"
#include "core/training/learning_rate_schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fullbatch {

struct RunField;

/// How the training rows are divided into updates.
struct Batches
{
    std::int64_t size = 0; ///< rows of one update; 0: full batch
    bool shuffled = false; ///< in another order each epoch, from the run's seed (see BatchOrder)
    bool dropLast = false; ///< leave out an epoch's last batch when it is shorter

    friend bool operator==(const Batches&, const Batches&) = default;
};

/// What ends a run before its last epoch. 0: nothing of that kind does.
struct EarlyEnds
{
    std::int64_t zeroErrorEpochs = 0; ///< in a row without a wrong training row
    double errorPercent = 0; ///< training error at or below this
    std::int64_t testsWithoutGain = 0; ///< in a row whose test error was not below the best before
    double seconds = 0; ///< of training time, pauses left out

    friend bool operator==(const EarlyEnds&, const EarlyEnds&) = default;
};

/// Everything that determines a run's numbers, and when it ends. A plain value. What is known of
/// each field (its names, range, default, words) stands in the table of fields/run_fields.h.
struct RunSpec
{
    static constexpr int version =
        2; ///< 1 had no batches, schedules, activations, ... ; it is read too
    static constexpr std::int64_t maximumEpochs = 1'000'000'000;

    std::string name; ///< a person's or preset's name for the run; may be empty
    DataSpec data;
    std::vector<std::int64_t> hiddenWidths = {63, 63, 63, 63};
    LayerKind activation = LayerKind::Relu;
    Initialisation initialisation = Initialisation::HeUniform;
    double learningRate = 0.0025; ///< at the start; later changes by hand are in the log
    LearningRateSchedule schedule;
    Optimiser optimiser;
    Batches batches;
    std::int64_t epochs = 200'000;
    std::uint64_t seed = 1; ///< 0 .. 2^32 - 1; of the start weights and the batch order
    std::string engine = "cpu";
    Precision precision = Precision::Fp32;
    int threads = 0; ///< 0: every core
    std::int64_t testEvery =
        0; ///< evaluate the test split every so many epochs and at the last; 0: never
    EarlyEnds ends;

    friend bool operator==(const RunSpec&, const RunSpec&) = default;
};

/// One sentence that says what is wrong with a field and what is allowed.
struct FieldProblem
{
    const RunField* field;
    std::string message;
};

/// Every problem of the values themselves (not of files or engines), in the order of the fields.
/// Empty when the run can be tried.
[[nodiscard]] std::vector<FieldProblem> problems(const RunSpec& spec);

/// The spec with the default in every field that has no effect beside the others, so that two specs
/// that give the same run are equal.
[[nodiscard]] RunSpec withoutIdleFields(RunSpec spec);

/// The shape that the run trains on data with these sizes.
[[nodiscard]] NetworkShape networkShape(const RunSpec& spec, std::int64_t features,
                                        std::int64_t classes);

/// What the spec asks an engine for: start weights drawn, everything handed over whole. `threads`
/// as the caller shares them out. Throws std::bad_alloc.
[[nodiscard]] TrainingProblem trainingProblem(const RunSpec& spec,
                                              std::shared_ptr<const Dataset> data, int threads);

/// Whether each update of the run takes all of so many training rows: then an epoch's record is
/// measured before its update, and otherwise after its last one (see EpochMetrics).
[[nodiscard]] bool isFullBatch(const RunSpec& spec, std::size_t trainRows);

/// JSON, UTF-8, two spaces, keys in the order of the fields, doubles that read back exactly. Bytes
/// that are not UTF-8 become U+FFFD; a double that is not finite becomes null, which reading
/// refuses.
[[nodiscard]] std::string toJson(const RunSpec& spec);
/// Throws std::invalid_argument with one sentence, with line and column, for text that is not JSON,
/// a wrong type, an unknown key or a version newer than this program's. Missing keys keep their
/// defaults. The values are not judged; problems() does that.
[[nodiscard]] RunSpec runSpecFromJson(const std::string& text);

} // namespace fullbatch
