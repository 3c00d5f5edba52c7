// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/equal_budget.h"

#include <limits>
#include <stdexcept>
#include <string>

namespace fullbatch {

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

/// (depth - 1) w^2 + (inputs + outputs + depth) w + outputs: all weights and biases. Saturates.
std::int64_t parameterCount(std::int64_t inputs, std::int64_t outputs, std::int64_t depth,
                            std::int64_t width)
{
    std::int64_t slope = 0;
    std::int64_t count = 0;
    if (__builtin_mul_overflow(depth - 1, width, &slope)
        || __builtin_add_overflow(slope, inputs, &slope)
        || __builtin_add_overflow(slope, outputs, &slope)
        || __builtin_add_overflow(slope, depth, &slope)
        || __builtin_mul_overflow(slope, width, &count)
        || __builtin_add_overflow(count, outputs, &count))
        return largest;
    return count;
}

} // namespace

std::int64_t equalBudgetWidth(std::int64_t inputs, std::int64_t outputs, std::int64_t depth,
                              std::int64_t budget)
{
    if (depth < 1) {
        throw std::invalid_argument("A width needs at least 1 hidden layer, but the depth is "
                                    + std::to_string(depth) + ".");
    }
    if (inputs < 1 || outputs < 1)
        throw std::invalid_argument("A network needs at least 1 input and 1 output.");

    // The count grows with the width: bisect for the widest network within the budget.
    std::int64_t within = 1;
    std::int64_t beyond = largest;
    while (beyond - within > 1) {
        const std::int64_t middle = within + (beyond - within) / 2;
        const std::int64_t count = parameterCount(inputs, outputs, depth, middle);
        if (count <= budget && count < largest)
            within = middle;
        else
            beyond = middle;
    }
    const std::int64_t below = parameterCount(inputs, outputs, depth, within);
    if (below >= budget)
        return within;
    const std::int64_t above = parameterCount(inputs, outputs, depth, within + 1);
    return above == largest || budget - below <= above - budget ? within : within + 1;
}

} // namespace fullbatch
