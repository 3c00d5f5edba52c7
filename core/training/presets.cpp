// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/presets.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace fullbatch {

namespace {

RunSpec preset(const char* name, std::size_t depth, std::int64_t width, std::int64_t epochs)
{
    RunSpec spec;
    spec.name = name;
    spec.hiddenWidths.assign(depth, width);
    spec.learningRate = 0.0025;
    spec.epochs = epochs;
    spec.seed = 1;
    spec.testEvery = 0;
    return spec;
}

} // namespace

std::vector<RunSpec> figure202Presets()
{
    return {preset("one-layer", 1, 298, 500'000), preset("two-layers", 2, 100, 200'000),
            preset("three-layers", 3, 75, 200'000), preset("four-layers", 4, 63, 200'000)};
}

RunSpec presetByName(std::string_view name)
{
    std::string names;
    for (RunSpec& spec : figure202Presets()) {
        if (spec.name == name)
            return std::move(spec);
        names += (names.empty() ? "" : ", ") + spec.name;
    }
    throw std::invalid_argument(
        fmt::format("There is no preset \"{}\"; the presets are {}.", name, names));
}

} // namespace fullbatch
