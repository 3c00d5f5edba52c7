// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/activation_names.h"
#include "core/training/fields/field_table.h"

#include <fmt/format.h>

namespace fullbatch {

namespace {

std::string widthsProblem(const RunSpec& spec)
{
    constexpr double mostParameters = 0x1p60; // as float64 they fill the whole address space
    const std::vector<std::int64_t>& widths = spec.hiddenWidths;
    double parameters = 0;
    for (std::size_t layer = 0; layer < widths.size(); ++layer) {
        if (widths[layer] < 1)
            return fmt::format("Hidden layer {} has width {}, but a width must be at least 1.",
                               layer + 1, widths[layer]);
        const double inputs = layer == 0 ? 1 : static_cast<double>(widths[layer - 1]);
        parameters += (inputs + 1) * static_cast<double>(widths[layer]);
        if (parameters > mostParameters)
            return fmt::format(
                "Hidden layer {} with width {} makes the network larger than any memory; "
                "a network must have fewer than 2^60 parameters.",
                layer + 1, widths[layer]);
    }
    return {};
}

} // namespace

void addNetworkFields(FieldTable& table)
{
    table.add<&RunSpec::hiddenWidths>(
        {.group = FieldGroup::Network,
         .key = "hiddenWidths",
         .option = "--widths",
         .label = "Layer &widths",
         .noun = "widths",
         .allowed = "a list of whole numbers from 1 up with commas between them, such as "
                    "63,63,63,63",
         .help = "Units of each hidden layer: 63,63,63,63",
         .problem = widthsProblem});
    table.addChoice<activationNames, &RunSpec::activation>(
        {.group = FieldGroup::Network,
         .naming = Naming::Experiment,
         .key = "activation",
         .option = "--activation",
         .label = "Acti&vation",
         .noun = "activation",
         .help = "Of every hidden unit; default relu",
         .tip = "What every hidden unit does with its sum. Leaky ReLU has the slope 0.01 below 0, "
                "GELU is the exact one.",
         .matters = [](const RunSpec& spec) { return !spec.hiddenWidths.empty(); },
         .nameText =
             [](const RunSpec& spec) {
                 return std::string(nameOf<LayerKind>(spec.activation, activationNames));
             }});
    table.addChoice<initialisationNames, &RunSpec::initialisation>(
        {.group = FieldGroup::Network,
         .naming = Naming::Experiment,
         .key = "initialisation",
         .option = "--initialisation",
         .label = "&Initial weights",
         .noun = "initialisation",
         .help = "Of the weights; default he-uniform",
         .tip = "How the start weights are drawn, bit for bit as PyTorch does it with this seed. "
                "Zero shows why they must differ.",
         .rare = true,
         .nameText = [](const RunSpec& spec) {
             return std::string(nameOf<Initialisation>(spec.initialisation, initialisationNames));
         }});
}

} // namespace fullbatch
