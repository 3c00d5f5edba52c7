// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/engine/optimiser.h"
#include "core/engine/prediction_digest.h"
#include "core/network/parameters.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace fullbatch {

/// A device failed. The text names the call that failed and a remedy a person can follow; it is
/// shown as it is. Results that merely diverge are not errors.
class EngineError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

enum class Precision { Fp32, Tf32, Bf16, Fp16, Fp64 };

/// One epoch's measurements over all training rows. With full batch they come free with the
/// gradient and are taken before the epoch's update: entry 0 is the untrained network. With
/// mini-batches they are taken after the epoch's last update, by a pass of their own (as
/// notebook 20.1 does it). One replica today; records of several are indexed epoch-major.
struct EpochMetrics
{
    double loss = 0; ///< mean cross-entropy; fp32 engines round it to float32
    double learningRate = 0; ///< of this epoch's updates
    /// Sum over the rows, modulo 2^64, of predictionDigest(row, predicted class): two runs agree in
    /// every prediction of an epoch when their digests agree (up to a 2^-64 chance).
    std::uint64_t predictionDigest = 0;
    std::uint32_t wrongRows =
        0; ///< rows whose largest logit (lowest index on a tie) is another class
    /// Euclidean norm of the mean gradient over all parameters; with mini-batches the root of the
    /// mean square of the batches' norms. Not finite in an fp16 epoch that skipped a step.
    float gradientNorm = 0;
};

/// Loss and wrong rows over one split with the current parameters.
struct Evaluation
{
    double loss = 0; ///< NaN for an empty split
    std::uint32_t wrongRows = 0;
    std::size_t rows = 0;
};

/// What the epochs of one train() call use.
struct TrainingPlan
{
    std::span<const double> learningRates; ///< one an epoch of the call
    /// Rows of one update; 0 or at least the number of training rows means full batch.
    std::size_t batchSize = 0;
    /// Empty for file order. Otherwise the training rows of each epoch in the order they are used:
    /// epochs x rows indexes. The last batch of an epoch may be shorter.
    std::span<const std::uint32_t> batchOrder;
    bool dropLast = false; ///< leave out a last batch that is shorter
};

/// What an engine is made from.
struct TrainingProblem
{
    std::shared_ptr<const Dataset> data;
    Parameters initial; ///< also gives the shape
    Optimiser optimiser;
    Precision precision = Precision::Fp32;
    int threads = 0; ///< at most so many, for CPU engines; 0: every core of the machine
};

/// All that the next epoch depends on, apart from the problem. Exact: doubles hold float32 values.
struct EngineState
{
    /// Engine, precision and what else fixes rounding: tile, instruction set, algorithm.
    std::string arithmetic;
    std::uint64_t epoch = 0; ///< epochs done, the schedule's position
    std::vector<double> parameters;
    std::vector<double> velocity; ///< empty without momentum
    double lossScale = 1; ///< fp16 only
    std::uint64_t cleanSteps = 0; ///< since the loss scale last changed
    std::uint64_t skippedSteps = 0;
    std::vector<std::uint64_t> random; ///< state of an engine's own random stream, if it has one
};

/// Gradient descent on one device: THE border between arithmetic and everything else.
///
/// An engine keeps what it needs of the problem on its device. It has no lock, no callback and no
/// thread that works outside a call. One thread at a time creates, uses and destroys it.
/// Two engines may run at once in two threads.
class TrainingEngine
{
public:
    virtual ~TrainingEngine() = default;
    TrainingEngine(const TrainingEngine&) = delete;
    TrainingEngine& operator=(const TrainingEngine&) = delete;

    /// Runs as many epochs as `records` is long, fills the records in order and returns how many it
    /// completed: fewer after a stop request (looked at between tiles; a stopped epoch leaves no
    /// trace) or when an epoch's loss, or that of one of its batches, is not finite. That epoch is
    /// the last one completed; its record holds the non-finite loss, no update is applied from
    /// there on, and parameters() are the last finite ones. Equal calls give equal bits however the
    /// epochs are divided into calls. Throws EngineError when the device fails; nothing of the call
    /// counts then.
    virtual std::size_t train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                              std::stop_token stop) = 0;

    /// Changes nothing that training depends on.
    [[nodiscard]] virtual Evaluation evaluate(SplitName split) = 0;

    /// Logits for inputs: features x samples in, classes x samples out.
    [[nodiscard]] virtual Eigen::MatrixXf predict(const Eigen::MatrixXf& inputs) = 0;

    /// Gradient of the mean loss over the given training rows (empty: all rows) at `parameters`, in
    /// the engine's own arithmetic. Leaves training untouched.
    [[nodiscard]] virtual Parameters gradientAt(const Parameters& parameters,
                                                std::span<const std::uint32_t> rows) = 0;

    /// A copy of the current parameters, rounded to float32 where the engine holds more.
    [[nodiscard]] virtual Parameters parameters() = 0;

    [[nodiscard]] virtual EngineState state() = 0;
    /// Continues from `state` as if this engine had computed it, bit for bit. Throws
    /// std::invalid_argument, with the reason, when the state's arithmetic or sizes are not its
    /// own.
    virtual void restore(const EngineState& state) = 0;

protected:
    TrainingEngine() = default;
};

} // namespace fullbatch
