// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/devices_command.h"

#include "app/devices/engine_list.h"
#include "app/devices/gpu_engine_choices.h"
#include "app/devices/gpu_probe.h"
#include "app/terminal/exit_status.h"
#include "app/terminal/standard_streams.h"
#include "core/engine/precision_names.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fullbatch {

namespace {

using Json = nlohmann::ordered_json;

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

Json gpuJson(const GpuDevice& device)
{
    return {{"ordinal", device.ordinal},
            {"name", device.name},
            {"compute_capability", fmt::format("{}.{}", device.computeMajor, device.computeMinor)},
            {"multiprocessors", device.multiprocessors},
            {"memory_total_bytes", device.memoryTotal},
            {"memory_free_bytes", device.memoryFree},
            {"pci_bus_id", device.pciBusId},
            {"uuid", device.uuid}};
}

Json engineJson(const EngineChoice& engine, const GpuReport& found)
{
    auto precisions = Json::array();
    for (const Precision precision : engine.precisions)
        precisions.push_back(precisionName(precision));
    Json json = {
        {"id", engine.id},           {"description", engine.description}, {"detail", engine.detail},
        {"usable", engine.usable()}, {"unusable", engine.unusable},       {"remedy", engine.remedy},
        {"precisions", precisions}};
    for (const GpuDevice& device : found.devices) {
        if (gpuEngineId(device.ordinal) == engine.id)
            json["gpu"] = gpuJson(device);
    }
    return json;
}

std::string devicesJson(const std::vector<EngineChoice>& engines, const GpuReport& found)
{
    auto list = Json::array();
    for (const EngineChoice& engine : engines)
        list.push_back(engineJson(engine, found));
    const auto version = [](auto number, auto text) {
        return number == 0 ? Json() : Json(text(number));
    };
    const Json cuda = {{"driver_version", version(found.driverVersion, cudaVersionText)},
                       {"runtime_version", version(found.runtimeVersion, cudaVersionText)},
                       {"cublaslt_version", version(found.cublasLtVersion, cublasVersionText)}};
    return Json{{"devices", list}, {"cuda", cuda}}.dump(2, ' ', false,
                                                        Json::error_handler_t::replace)
        + "\n";
}

} // namespace

void DevicesOptions::addTo(CLI::App& command)
{
    command.add_flag("--json", json, "As JSON");
}

int devicesCommand(const DevicesOptions& options)
{
    const GpuReport found = probeGpus();
    const std::vector<EngineChoice> engines = engineList(found);
    printResults(options.json ? devicesJson(engines, found) : devicesText(engines));
    return ExitDone;
}

} // namespace fullbatch
