// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/mnist1d.h"
#include "core/engine/training_engine.h"
#include "core/network/network_shape.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fullbatch {

/// Which data: the generator with a recipe, or a file.
struct DataSpec
{
    std::string file; ///< empty: MNIST-1D is generated from `recipe`
    Mnist1dRecipe recipe;
    std::string sha256; ///< of the data once loaded (see data_checksum.h); empty when not yet known

    friend bool operator==(const DataSpec&, const DataSpec&) = default;
};

/// Everything that determines a run's numbers, and when it ends. A plain value; JSON round trip.
struct RunSpec
{
    static constexpr int version = 1;
    static constexpr std::int64_t maximumEpochs = 1'000'000'000;

    std::string name; ///< a person's or preset's name for the run; may be empty
    DataSpec data;
    std::vector<std::int64_t> hiddenWidths = {63, 63, 63, 63};
    std::string initialisation = "he-uniform"; ///< the only rule today
    double learningRate = 0.0025; ///< at the start; later changes are in the log
    double momentum = 0; ///< 0 <= momentum < 1
    std::int64_t batchSize = 0; ///< 0: full batch
    std::int64_t epochs = 200'000;
    std::uint64_t seed = 1; ///< 0 .. 2^32 - 1
    std::string engine = "cpu";
    Precision precision = Precision::Fp32;
    int threads = 0; ///< 0: every core
    std::int64_t testEvery =
        0; ///< evaluate the test split every so many epochs and at the last; 0: never
    std::int64_t stopAfterZeroErrorEpochs = 0; ///< in a row; 0: go on
    double stopAfterSeconds = 0; ///< of training time, pauses left out; 0: no limit

    friend bool operator==(const RunSpec&, const RunSpec&) = default;
};

/// The fields a person fills in, for messages beside them.
enum class Field {
    Data,
    HiddenWidths,
    Initialisation,
    LearningRate,
    Momentum,
    BatchSize,
    Epochs,
    Seed,
    Engine,
    Precision,
    Threads,
    TestEvery,
    StopAfterZeroErrorEpochs,
    StopAfterSeconds
};

/// One sentence that says what is wrong and what is allowed.
struct FieldProblem
{
    Field field;
    std::string message;
};

/// Every problem of the values themselves (not of files or engines), in the order of the fields.
/// Empty when the run can be tried.
[[nodiscard]] std::vector<FieldProblem> problems(const RunSpec& spec);

/// The shape that the run trains on data with these sizes.
[[nodiscard]] NetworkShape networkShape(const RunSpec& spec, std::int64_t features,
                                        std::int64_t classes);

/// JSON, UTF-8, two spaces, keys in the order above, doubles that read back exactly. Bytes that are
/// not UTF-8 become U+FFFD; a double that is not finite becomes null, which reading refuses.
[[nodiscard]] std::string toJson(const RunSpec& spec);
/// Throws std::invalid_argument with one sentence for text that is not JSON, a wrong type, an
/// unknown key or a version newer than this program's. Missing keys keep their defaults. The values
/// are not judged; problems() does that.
[[nodiscard]] RunSpec runSpecFromJson(const std::string& text);

} // namespace fullbatch
