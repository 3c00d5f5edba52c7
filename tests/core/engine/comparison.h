// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"
#include "tests/core/engine/engine_checks.h"

namespace fullbatch {

/// ||values - reference|| / ||reference||. Infinite for different sizes or values that are not
/// finite; 0 when both are all zero, infinite when the reference alone is.
[[nodiscard]] double normalisedDifference(std::span<const float> values,
                                          std::span<const float> reference);

/// |value - reference| / |reference|, with the same conventions.
[[nodiscard]] double relativeDifference(double value, double reference);

/// How many entries differ in any bit; all of the longer one when the lengths differ.
[[nodiscard]] std::size_t differentBits(std::span<const double> a, std::span<const double> b);
[[nodiscard]] std::size_t differentBits(std::span<const float> a, std::span<const float> b);
/// How many records differ in any bit of any field.
[[nodiscard]] std::size_t differentBits(std::span<const EpochMetrics> a,
                                        std::span<const EpochMetrics> b);
/// The same over everything in two states.
[[nodiscard]] std::size_t differentBits(const EngineState& a, const EngineState& b);

/// Keeps the largest of the values it is given, with the place where it was found.
class Worst
{
public:
    void add(double value, const std::string& place);
    /// Passed when something was added and the largest is at most `bar`.
    [[nodiscard]] CheckResult result(double bar) const;

private:
    std::size_t m_count = 0;
    double m_value = 0;
    std::string m_place;
};

} // namespace fullbatch
