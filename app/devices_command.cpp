// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/devices_command.h"

#include "app/engine_list.h"
#include "app/exit_status.h"
#include "app/standard_streams.h"
#include "core/engine/precision_names.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fullbatch {

namespace {

std::string devicesText(const std::vector<EngineChoice>& engines)
{
    constexpr int idWidth = 12;
    std::string text;
    const auto addLine = [&](const std::string& id, const std::string& line) {
        if (!line.empty())
            text += fmt::format("{:<{}}{}\n", id, idWidth, line);
    };
    for (const EngineChoice& engine : engines) {
        addLine(engine.id, engine.description);
        addLine("", engine.detail);
        if (!engine.usable())
            addLine("", fmt::format("Cannot be used: {} {}", engine.unusable, engine.remedy));
    }
    return text;
}

std::string devicesJson(const std::vector<EngineChoice>& engines)
{
    auto list = nlohmann::ordered_json::array();
    for (const EngineChoice& engine : engines) {
        auto precisions = nlohmann::ordered_json::array();
        for (const Precision precision : engine.precisions)
            precisions.push_back(precisionName(precision));
        list.push_back({{"id", engine.id},
                        {"description", engine.description},
                        {"detail", engine.detail},
                        {"usable", engine.usable()},
                        {"unusable", engine.unusable},
                        {"remedy", engine.remedy},
                        {"precisions", precisions}});
    }
    return nlohmann::ordered_json{{"devices", list}}.dump(2) + "\n";
}

} // namespace

void DevicesOptions::addTo(CLI::App& command)
{
    command.add_flag("--json", json, "As JSON");
}

int devicesCommand(const DevicesOptions& options)
{
    const std::vector<EngineChoice> engines = engineList();
    printResults(options.json ? devicesJson(engines) : devicesText(engines));
    return ExitDone;
}

} // namespace fullbatch
