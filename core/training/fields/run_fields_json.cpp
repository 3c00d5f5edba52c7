// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/fields/run_fields_json.h"

#include "core/training/fields/run_fields.h"
#include "core/training/json_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace fullbatch {

namespace {

using Json = JsonText::Json;

std::string quoted(const std::string& text)
{
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <typename Words>
std::string joined(const Words& words)
{
    std::string text;
    for (const auto& word : words)
        text.append(text.empty() ? "" : ", ").append(word);
    return text;
}

std::string inside(const std::string& path, const std::string& key)
{
    return path.empty() ? key : path + "." + key;
}

/// A whole number that the field's C++ type holds; nothing for anything else.
std::optional<std::int64_t> storable(const Json& json, const RunField& field)
{
    if (!json.is_number_integer())
        return std::nullopt;
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        if (number > field.largestStored)
            return std::nullopt;
        return static_cast<std::int64_t>(number); // beyond 2^63 it comes back as it was
    }
    const auto number = json.get<std::int64_t>();
    return number < field.smallestStored ? std::nullopt : std::optional(number);
}

/// What a field's value must be in JSON.
std::string wanted(const RunField& field)
{
    switch (field.type) {
    case FieldType::Flag:
        return "true or false";
    case FieldType::Whole:
        return fmt::format("a whole number from {} to {}", field.smallestStored,
                           field.largestStored);
    case FieldType::Real:
        return "a number";
    case FieldType::Text:
        return "a text";
    case FieldType::Choice:
        return "one of " + joined(field.choices);
    case FieldType::Widths:
        break;
    }
    return "a list of whole numbers";
}

/// The field's value; nothing when the JSON is of another type.
std::optional<FieldValue> valueFrom(const Json& json, const RunField& field)
{
    switch (field.type) {
    case FieldType::Flag:
        return json.is_boolean() ? std::optional<FieldValue>(json.get<bool>()) : std::nullopt;
    case FieldType::Whole:
        return storable(json, field);
    case FieldType::Real:
        return json.is_number() ? std::optional<FieldValue>(json.get<double>()) : std::nullopt;
    case FieldType::Text:
    case FieldType::Choice: {
        if (!json.is_string())
            return std::nullopt;
        const auto& text = json.get_ref<const std::string&>();
        const auto& choices = field.choices;
        const bool known = field.type == FieldType::Text
            || std::find(choices.begin(), choices.end(), text) != choices.end();
        return known ? std::optional<FieldValue>(text) : std::nullopt;
    }
    case FieldType::Widths:
        break;
    }
    return json.is_array() ? std::optional<FieldValue>(std::vector<std::int64_t>()) : std::nullopt;
}

void write(const RunField& field, const RunSpec& spec, Json& json)
{
    std::string pointer = fmt::format("/{}", field.key);
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    Json& to = json[Json::json_pointer(pointer)];
    const FieldValue value = field.get(spec);
    if (field.type == FieldType::Whole && field.smallestStored == 0) // may be beyond 2^63
        to = static_cast<std::uint64_t>(std::get<std::int64_t>(value));
    else
        std::visit([&](const auto& each) { to = each; }, value);
}

} // namespace

JsonText::JsonText(std::string text, std::string subject)
    : m_text(std::move(text)),
      m_subject(std::move(subject))
{
    try {
        m_root = Json::parse(m_text);
    } catch (const Json::parse_error& error) {
        refuse(fmt::format("is not valid JSON in UTF-8: it breaks off or goes wrong at {}",
                           lineAndColumn(m_text, error.byte > 0 ? error.byte - 1 : 0)));
    } catch (const Json::out_of_range&) {
        refuse("holds a number beyond 1.8e308, the largest that is allowed");
    }
    if (!m_root.is_object())
        refuse("must be a JSON object in braces");
}

void JsonText::refuse(const std::string& what) const
{
    throw std::invalid_argument(m_subject + " " + what + ".");
}

void JsonText::refuseAt(const std::string& path, const std::string& what) const
{
    refuse(fmt::format("{} {} ({})", what, quoted(path),
                       lineAndColumn(m_text, jsonPlace(m_text, path))));
}

void JsonText::refuseUnknownKeys(const Json& object, const std::string& path,
                                 const std::vector<std::string_view>& known) const
{
    for (const auto& [key, value] : object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end())
            continue;
        const std::string whole = inside(path, key);
        refuse(fmt::format("has the unknown key {} ({}); allowed there are {}", quoted(whole),
                           lineAndColumn(m_text, jsonPlace(m_text, whole)), joined(known)));
    }
}

void JsonText::readFields(const Json& object, const std::string& path,
                          const std::vector<std::string_view>& others, RunSpec& spec) const
{
    // The fields of an inner object are read by this function too: `within` is its name and a
    // point.
    const auto read = [&](const auto& self, const Json& from, const std::string& here,
                          const std::string& within, std::vector<std::string_view> known) -> void {
        if (!from.is_object())
            refuseAt(here, "must have a JSON object as");
        for (const RunField& field : runFields()) {
            if (!field.key.starts_with(within))
                continue;
            const std::string_view rest = field.key.substr(within.size());
            const std::string_view key = rest.substr(0, rest.find('.'));
            if (std::find(known.begin(), known.end(), key) != known.end())
                continue;
            known.push_back(key);
            const auto found = from.find(std::string(key));
            if (found == from.end())
                continue;
            const std::string place = inside(here, std::string(key));
            if (key.size() < rest.size()) {
                self(self, *found, place, within + std::string(key) + ".", {});
                continue;
            }
            std::optional<FieldValue> value = valueFrom(*found, field);
            if (!value)
                refuseAt(place, fmt::format("must have {} as", wanted(field)));
            if (auto* widths = std::get_if<std::vector<std::int64_t>>(&*value)) {
                for (std::size_t i = 0; i < found->size(); ++i) {
                    const std::optional<std::int64_t> width = storable((*found)[i], field);
                    if (!width)
                        refuseAt(fmt::format("{}[{}]", place, i), "must have a whole number as");
                    widths->push_back(*width);
                }
            }
            field.set(spec, *value);
        }
        refuseUnknownKeys(from, here, known);
    };
    read(read, object, path, "", others);
}

nlohmann::ordered_json fieldsJson(const RunSpec& spec)
{
    Json json = Json::object();
    for (const RunField& field : runFields())
        write(field, spec, json);
    return json;
}

nlohmann::ordered_json differingFieldsJson(const RunSpec& spec, const RunSpec& other)
{
    Json json = Json::object();
    for (const RunField& field : runFields())
        if (field.get(spec) != field.get(other))
            write(field, spec, json);
    return json;
}

std::string jsonLines(const nlohmann::ordered_json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace fullbatch
