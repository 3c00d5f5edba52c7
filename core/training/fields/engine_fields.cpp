// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/precision_names.h"
#include "core/training/device_shares.h"
#include "core/training/fields/field_table.h"

#include <fmt/format.h>

namespace fullbatch {

namespace {

std::string engineProblem(const RunSpec& spec)
{
    if (!spec.engine.empty())
        return {};
    return "No engine is named; it must be one of the engine list, such as cpu.";
}

std::string precisionProblem(const RunSpec& spec)
{
    if (!precisionName(spec.precision).empty())
        return {};
    return fmt::format("The precision must be one of {}.", precisionNames());
}

std::string threadsName(const RunSpec& spec)
{
    return spec.threads == 0 ? std::string("all threads") : fmt::format("{} threads", spec.threads);
}

} // namespace

void addEngineFields(FieldTable& table)
{
    table.add<&RunSpec::engine>({.group = FieldGroup::Engine,
                                 .naming = Naming::Repeat,
                                 .key = "engine",
                                 .option = "--engine",
                                 .label = "En&gine",
                                 .noun = "engine",
                                 .help = "cpu, gpu, gpu:1, ... or reference; see fullbatch devices",
                                 .problem = engineProblem,
                                 .nameText = [](const RunSpec& spec) { return spec.engine; }});
    table.addChoice<namedPrecisions, &RunSpec::precision>(
        {.group = FieldGroup::Engine,
         .naming = Naming::Repeat,
         .key = "precision",
         .option = "--precision",
         .label = "Precision",
         .noun = "precision",
         .help = "Of the products' inputs: fp32, tf32, bf16 or fp16; default the engine's first",
         .problem = precisionProblem,
         .nameText = [](const RunSpec& spec) {
             return std::string(precisionName(spec.precision));
         }});
    table.add<&RunSpec::threads>(
        {.group = FieldGroup::Engine,
         .naming = Naming::Repeat,
         .key = "threads",
         .option = "--threads",
         .label = "T&hreads",
         .noun = "number of threads",
         .allowed = "a whole number from 1 to 1024, or 0 for every core",
         .help = "At most so many; default every core",
         .least = 0,
         .most = 1024,
         .matters = [](const RunSpec& spec) { return !isGpu(spec.engine); },
         .nameText = threadsName});
}

} // namespace fullbatch
