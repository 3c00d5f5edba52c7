// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

namespace fullbatch {

/// A network by its layer sizes, first inputs, last outputs.
[[nodiscard]] NetworkShape shapeOf(const std::vector<std::int64_t>& sizes,
                                   LayerKind activation = LayerKind::Relu);

/// He-uniform weights and, unlike at the start of training, biases between -0.1 and 0.1.
[[nodiscard]] Parameters randomParameters(const NetworkShape& shape, std::uint64_t seed);

/// Uniform inputs between -1.7 and 1.7 and uniform labels; a quarter as many test rows.
[[nodiscard]] std::shared_ptr<Dataset> randomDataset(std::int64_t features, std::int64_t classes,
                                                     std::size_t rows, std::uint64_t seed);

/// Both for one network.
[[nodiscard]] TrainingProblem randomProblem(const std::vector<std::int64_t>& sizes,
                                            std::size_t rows, Precision precision,
                                            const Optimiser& optimiser = {},
                                            LayerKind activation = LayerKind::Relu);

/// Training rows none of whose hidden pre-activations lies nearer to zero than `margin` times the
/// root mean square of its layer: elsewhere rounding may put a ReLU on either side.
[[nodiscard]] std::vector<std::uint32_t> rowsAwayFromKinks(const Parameters& parameters,
                                                           const Split& split, double margin);

/// `epochs` shuffled orders of the rows, one after another.
[[nodiscard]] std::vector<std::uint32_t> shuffledOrder(std::size_t rows, std::size_t epochs);

/// Trains `epochs` epochs of one rate and returns the records of those completed.
std::vector<EpochMetrics> trainEpochs(TrainingEngine& engine, std::size_t epochs, double rate,
                                      const std::stop_token& stop = {});
/// The same with shuffled mini-batches.
std::vector<EpochMetrics> trainMiniBatches(TrainingEngine& engine, std::size_t epochs, double rate,
                                           std::size_t rows, std::size_t batchSize,
                                           const std::stop_token& stop = {}, bool dropLast = false);

} // namespace fullbatch
