// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/devices/gpu_report_json.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace fullbatch {

namespace {

using Json = nlohmann::ordered_json;

// One list of keys for both directions: `visit(key, member)`.
template <typename Device, typename Visit>
void visitDevice(Device& device, const Visit& visit)
{
    visit("ordinal", device.ordinal);
    visit("name", device.name);
    visit("uuid", device.uuid);
    visit("pci_bus_id", device.pciBusId);
    visit("compute_major", device.computeMajor);
    visit("compute_minor", device.computeMinor);
    visit("multiprocessors", device.multiprocessors);
    visit("memory_total", device.memoryTotal);
    visit("memory_free", device.memoryFree);
    visit("unusable", device.unusable);
    visit("remedy", device.remedy);
}

template <typename Report, typename Visit>
void visitReport(Report& report, const Visit& visit)
{
    visit("driver_version", report.driverVersion);
    visit("runtime_version", report.runtimeVersion);
    visit("cublaslt_version", report.cublasLtVersion);
    visit("unusable", report.unusable);
    visit("remedy", report.remedy);
}

auto writer(Json& json)
{
    return [&json](const char* key, const auto& member) { json[key] = member; };
}

auto reader(const Json& json)
{
    return [&json](const char* key, auto& member) { json.at(key).get_to(member); };
}

} // namespace

std::string toJson(const GpuReport& report)
{
    Json json;
    visitReport(report, writer(json));
    json["devices"] = Json::array();
    for (const GpuDevice& device : report.devices)
        visitDevice(device, writer(json["devices"].emplace_back()));
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

GpuReport gpuReportFromJson(const std::string& text)
{
    try {
        const Json json = Json::parse(text);
        GpuReport report;
        visitReport(report, reader(json));
        for (const Json& each : json.at("devices"))
            visitDevice(report.devices.emplace_back(), reader(each));
        return report;
    } catch (const Json::exception& error) {
        throw std::invalid_argument(error.what());
    }
}

} // namespace fullbatch
