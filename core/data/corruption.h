// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

namespace fullbatch {

/// What is spoilt in the training rows on purpose, to see whether a network learns them all the
/// same (C. Zhang et al. 2017; notebook 20.1 of "Understanding Deep Learning"). Test rows stay as
/// they are: they show what was learned of the real task.
///
/// Each kind has a stream of its own, so that one does not change what another draws. In NumPy,
/// with x (rows x features) and y of the training rows, s the seed and n the rows:
///   permutedLabels      y = y[numpy.random.RandomState(s).permutation(n)]
///   randomInputs        r = numpy.random.RandomState((s + 1) % 2**32)
///                       x = (r.randn(n, features) * x.std() + x.mean()).astype(float32)
///                       with mean and std over all values of x in float64
///   randomLabelPercent  r = numpy.random.RandomState((s + 2) % 2**32)
///                       rows = r.permutation(n)[:round(n * percent / 100)]   (halves away from 0)
///                       for row in rows: y[row] = r.randint(classes)
struct Corruption
{
    bool permutedLabels = false;
    bool randomInputs = false;
    double randomLabelPercent = 0; ///< 0 .. 100; a random label may be the right one
    std::uint32_t seed = 0;

    friend bool operator==(const Corruption&, const Corruption&) = default;
};

/// Spoils the data and says so in Dataset::source. The percent must be in its range.
void corrupt(Dataset& data, const Corruption& corruption);

} // namespace fullbatch
