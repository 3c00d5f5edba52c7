// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/presets.h"

#include "core/training/built_in_presets.h"
#include "core/training/fields/run_fields.h"
#include "core/training/fields/run_fields_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace fullbatch {

namespace {

using Json = JsonText::Json;

constexpr std::array<std::string_view, 2> knownCharts = {"error", "loss"};
const std::vector<std::string_view> knownKeys = {"presetVersion", "title",  "place", "text",
                                                 "charts",        "common", "runs"};

std::string textOf(const JsonText& json, const char* key, bool needed)
{
    const auto found = json.root().find(key);
    if (found == json.root().end()) {
        if (needed)
            json.refuse(fmt::format("lacks \"{}\", a text", key));
        return {};
    }
    if (!found->is_string())
        json.refuseAt(key, "must have a text as");
    return found->get<std::string>();
}

void checkVersion(const JsonText& json)
{
    const auto found = json.root().find("presetVersion");
    if (found == json.root().end() || !found->is_number_integer() || found->get<int>() < 1)
        json.refuse("lacks \"presetVersion\", a whole number from 1 up");
    if (found->get<std::int64_t>() > Preset::version)
        json.refuse(fmt::format("has presetVersion {}, made by a newer program; this one reads "
                                "versions up to {}",
                                found->get<std::int64_t>(), Preset::version));
}

std::vector<std::string> chartsOf(const JsonText& json)
{
    const auto found = json.root().find("charts");
    if (found == json.root().end())
        return {std::string(knownCharts.front())};
    std::vector<std::string> charts;
    const auto known = [](const Json& chart) {
        return chart.is_string()
            && std::find(knownCharts.begin(), knownCharts.end(), chart.get<std::string>())
            != knownCharts.end();
    };
    if (!found->is_array() || found->empty())
        json.refuseAt("charts", "must have a list of error and loss as");
    for (std::size_t i = 0; i < found->size(); ++i) {
        if (!known((*found)[i]))
            json.refuseAt(fmt::format("charts[{}]", i), "must have error or loss as");
        charts.push_back((*found)[i].get<std::string>());
    }
    return charts;
}

/// Refuses values that no run can have, at the key that has them.
void judge(const JsonText& json, const RunSpec& run, const Json& own, std::size_t index)
{
    const std::vector<FieldProblem> found = problems(run);
    if (found.empty())
        return;
    const std::string key(found.front().field->key);
    std::string pointer = "/" + key;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    const bool isOwn = own.contains(Json::json_pointer(pointer));
    std::string sentence = found.front().message;
    sentence.pop_back();
    json.refuseAt(isOwn ? fmt::format("runs[{}].{}", index, key) : "common." + key,
                  fmt::format("has a wrong value: {}; see", sentence));
}

/// One run with the names apart, so that files and curves can be told apart.
void checkNames(const JsonText& json, const std::vector<RunSpec>& runs)
{
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!runs[i].name.empty() && runs[i].name == runs[j].name)
                json.refuseAt(fmt::format("runs[{}].name", i), "has the same name twice, again as");
}

std::vector<RunSpec> runsOf(const JsonText& json)
{
    RunSpec common;
    if (const auto found = json.root().find("common"); found != json.root().end())
        json.readFields(*found, "common", {}, common);
    const auto list = json.root().find("runs");
    if (list == json.root().end() || !list->is_array() || list->empty())
        json.refuse("lacks \"runs\", a list of at least one run");
    std::vector<RunSpec> runs;
    for (std::size_t i = 0; i < list->size(); ++i) {
        runs.push_back(common);
        json.readFields((*list)[i], fmt::format("runs[{}]", i), {}, runs.back());
        judge(json, runs.back(), (*list)[i], i);
    }
    checkNames(json, runs);
    return runs;
}

std::vector<Preset> readBuiltIn()
{
    std::vector<Preset> presets;
    for (const BuiltInPreset& each : builtInPresetTexts()) {
        presets.push_back(
            presetFromJson(std::string(each.json), "The built-in preset " + std::string(each.id)));
        presets.back().id = each.id;
    }
    return presets;
}

} // namespace

std::span<const Preset> builtInPresets()
{
    static const std::vector<Preset> presets = readBuiltIn();
    return presets;
}

Preset presetByName(std::string_view name)
{
    std::string ids;
    std::string runs;
    for (const Preset& preset : builtInPresets()) {
        if (preset.id == name)
            return preset;
        ids += (ids.empty() ? "" : ", ") + preset.id;
        for (const RunSpec& run : preset.runs) {
            if (run.name == name) {
                Preset one = preset;
                one.runs = {run};
                return one;
            }
        }
    }
    for (const RunSpec& run : figure202Presets())
        runs += (runs.empty() ? "" : ", ") + run.name;
    throw std::invalid_argument(
        fmt::format("There is no preset \"{}\"; the presets are {}, and each of their runs is one "
                    "by its name, such as {}.",
                    name, ids, runs));
}

std::vector<RunSpec> figure202Presets()
{
    return presetByName("figure-20-2").runs;
}

Preset presetFromJson(const std::string& text, const std::string& subject)
{
    const JsonText json(text, subject);
    checkVersion(json);
    json.refuseUnknownKeys(json.root(), "", knownKeys);
    Preset preset;
    preset.title = textOf(json, "title", true);
    preset.place = textOf(json, "place", false);
    preset.text = textOf(json, "text", false);
    preset.charts = chartsOf(json);
    preset.runs = runsOf(json);
    return preset;
}

std::string toJson(const Preset& preset)
{
    Json runs = Json::array();
    for (const RunSpec& run : preset.runs)
        runs.push_back(differingFieldsJson(run, {}));
    return jsonLines({{"presetVersion", Preset::version},
                      {"title", preset.title},
                      {"place", preset.place},
                      {"text", preset.text},
                      {"charts", preset.charts},
                      {"runs", runs}});
}

} // namespace fullbatch
