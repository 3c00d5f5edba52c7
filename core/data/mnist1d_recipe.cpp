// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mnist1d.h"

#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <unistd.h>

namespace fullbatch {

namespace {

constexpr std::int64_t classes = 10;
constexpr std::int64_t templatePoints = 12;
constexpr std::int64_t largestPadding = 1'000'000;
// Beyond it squares leave the range of a double long before anybody could want it.
constexpr double largestAmplitude = 1e6;

std::string text(double value)
{
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), end};
}

std::string problemOfAmplitude(const char* name, double value)
{
    if (value >= 0 && value <= largestAmplitude)
        return {};
    return std::string("The ") + name + " is " + text(value) + "; it must be 0 to "
        + text(largestAmplitude) + ".";
}

std::string problemOfSizes(const Mnist1dRecipe& recipe)
{
    if (recipe.samples < classes || recipe.samples % classes != 0)
        return "The number of samples is " + std::to_string(recipe.samples)
            + "; it must be a positive multiple of " + std::to_string(classes)
            + ", as many of each digit.";
    const double trainRows = static_cast<double>(recipe.samples) * recipe.trainFraction;
    if (!(trainRows >= 1 && recipe.trainFraction <= 1))
        return "The training fraction is " + text(recipe.trainFraction)
            + "; it must be at most 1 and leave at least one training row, here at least "
            + text(1.0 / static_cast<double>(recipe.samples)) + ".";
    if (recipe.length < 2)
        return "The length is " + std::to_string(recipe.length)
            + "; an example must have at least 2 values.";
    return {};
}

std::string problemOfPlacing(const Mnist1dRecipe& recipe)
{
    if (recipe.minimumPadding < 0 || recipe.maximumPadding < recipe.minimumPadding
        || recipe.maximumPadding > largestPadding)
        return "The padding goes from " + std::to_string(recipe.minimumPadding) + " to "
            + std::to_string(recipe.maximumPadding)
            + " points; it must go from a smaller or equal to a larger number within 0 to "
            + std::to_string(largestPadding) + ".";
    const std::int64_t points = templatePoints + recipe.maximumPadding;
    if (recipe.maximumTranslation < 0 || recipe.maximumTranslation > points)
        return "The translation is up to " + std::to_string(recipe.maximumTranslation)
            + " points; it must be 0 to " + std::to_string(points)
            + ", the points of a padded digit.";
    return {};
}

/// Generating holds every value as a double and as a float, and two numbers a sample.
std::string problemOfMemory(const Mnist1dRecipe& recipe)
{
    const auto samples = static_cast<double>(recipe.samples);
    const double needed = samples * (static_cast<double>(recipe.length) * 12 + 12);
    const double present =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    const double gibibyte = 0x1p30;
    if (needed <= present)
        return {};
    return std::to_string(recipe.samples) + " samples of " + std::to_string(recipe.length)
        + " values need " + text(std::ceil(needed / gibibyte)) + " GiB of memory; this machine has "
        + text(std::floor(present / gibibyte)) + " GiB, so choose fewer or shorter samples.";
}

} // namespace

std::string problem(const Mnist1dRecipe& recipe)
{
    for (const std::string& found :
         {problemOfSizes(recipe), problemOfPlacing(recipe),
          problemOfAmplitude("scale", recipe.scale),
          problemOfAmplitude("correlated noise", recipe.correlatedNoise),
          problemOfAmplitude("independent noise", recipe.independentNoise),
          problemOfAmplitude("shear", recipe.shear), problemOfMemory(recipe)}) {
        if (!found.empty())
            return found;
    }
    return {};
}

std::string description(const Mnist1dRecipe& recipe)
{
    const Mnist1dRecipe usual;
    std::string changes;
    const auto note = [&](const char* name, auto value, auto usualValue) {
        if (value == usualValue)
            return;
        changes += std::string(", ") + name + " ";
        if constexpr (std::is_floating_point_v<decltype(value)>)
            changes += text(value);
        else
            changes += std::to_string(value);
    };
    note("samples", recipe.samples, usual.samples);
    note("training fraction", recipe.trainFraction, usual.trainFraction);
    note("least padding", recipe.minimumPadding, usual.minimumPadding);
    note("most padding", recipe.maximumPadding, usual.maximumPadding);
    note("scale", recipe.scale, usual.scale);
    note("translation", recipe.maximumTranslation, usual.maximumTranslation);
    note("correlated noise", recipe.correlatedNoise, usual.correlatedNoise);
    note("independent noise", recipe.independentNoise, usual.independentNoise);
    note("shear", recipe.shear, usual.shear);
    note("length", recipe.length, usual.length);
    return "MNIST-1D, generated, seed " + std::to_string(recipe.seed) + changes;
}

} // namespace fullbatch
