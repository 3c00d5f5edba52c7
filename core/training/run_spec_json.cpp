// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/precision_names.h"
#include "core/training/run_spec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <concepts>
#include <limits>
#include <stdexcept>
#include <utility>

namespace fullbatch {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& sentence)
{
    throw std::invalid_argument("The run description " + sentence);
}

std::string quoted(const std::string& text)
{
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string lineAndColumn(const std::string& text, std::size_t byte)
{
    const std::string_view before = std::string_view(text).substr(0, byte > 0 ? byte - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    return fmt::format("line {}, column {}", line, before.size() - lineStart + 1);
}

Json parse(const std::string& text)
{
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        refuse(fmt::format("is not valid JSON in UTF-8: it breaks off or goes wrong at {}.",
                           lineAndColumn(text, error.byte)));
    } catch (const Json::out_of_range&) {
        refuse("holds a number beyond 1.8e308, the largest that is allowed.");
    }
}

/// Reads the keys of one JSON object into variables; a key that is missing leaves its variable.
class ObjectReader
{
public:
    /// `path` is what stands before a key in messages: "" or "data.".
    ObjectReader(const Json& object, std::string path) : m_object(object), m_path(std::move(path))
    {
        if (!object.is_object())
            refuse(m_path.empty() ? "must be a JSON object in braces."
                                  : fmt::format("must have a JSON object as {}.",
                                                quoted(m_path.substr(0, m_path.size() - 1))));
    }

    template <typename Value>
    void read(const char* key, Value& value)
    {
        m_known.emplace_back(key);
        if (const auto found = m_object.find(key); found != m_object.end())
            assign(*found, key, value);
    }

    /// Call it with every key read.
    void refuseUnknownKeys() const
    {
        for (const auto& [key, value] : m_object.items())
            if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
                refuse(fmt::format("has the unknown key {}; allowed there are {}.",
                                   quoted(m_path + key), joined(m_known)));
    }

private:
    [[noreturn]] void wrongType(const std::string& key, const char* allowed) const
    {
        refuse(fmt::format("must have {} as {}.", allowed, quoted(m_path + key)));
    }

    void assign(const Json& json, const std::string& key, std::string& value) const
    {
        if (!json.is_string())
            wrongType(key, "a text");
        value = json.get<std::string>();
    }

    void assign(const Json& json, const std::string& key, double& value) const
    {
        if (!json.is_number())
            wrongType(key, "a number");
        value = json.get<double>();
    }

    template <std::integral Integer>
    void assign(const Json& json, const std::string& key, Integer& value) const
    {
        const auto take = [&](auto number) {
            if (!std::in_range<Integer>(number))
                wrongType(key,
                          fmt::format("a whole number from {} to {}",
                                      std::numeric_limits<Integer>::min(),
                                      std::numeric_limits<Integer>::max())
                              .c_str());
            value = static_cast<Integer>(number);
        };
        if (json.is_number_unsigned())
            take(json.get<std::uint64_t>());
        else if (json.is_number_integer())
            take(json.get<std::int64_t>());
        else
            wrongType(key, "a whole number");
    }

    void assign(const Json& json, const std::string& key, std::vector<std::int64_t>& values) const
    {
        if (!json.is_array())
            wrongType(key, "a list of whole numbers");
        std::vector<std::int64_t> read(json.size());
        for (std::size_t i = 0; i < read.size(); ++i)
            assign(json[i], fmt::format("{}[{}]", key, i), read[i]);
        values = std::move(read);
    }

    void assign(const Json& json, const std::string& key, Precision& value) const
    {
        const auto precision = json.is_string() ? precisionFromName(json.get<std::string>())
                                                : std::optional<Precision>();
        if (!precision)
            wrongType(key, ("one of " + precisionNames()).c_str());
        value = *precision;
    }

    void assign(const Json& json, const std::string& key, Mnist1dRecipe& recipe) const;
    void assign(const Json& json, const std::string& key, DataSpec& data) const;

    const Json& m_object;
    std::string m_path;
    std::vector<std::string> m_known;
};

void ObjectReader::assign(const Json& json, const std::string& key, Mnist1dRecipe& recipe) const
{
    ObjectReader reader(json, m_path + key + ".");
    reader.read("samples", recipe.samples);
    reader.read("trainFraction", recipe.trainFraction);
    reader.read("minimumPadding", recipe.minimumPadding);
    reader.read("maximumPadding", recipe.maximumPadding);
    reader.read("scale", recipe.scale);
    reader.read("maximumTranslation", recipe.maximumTranslation);
    reader.read("correlatedNoise", recipe.correlatedNoise);
    reader.read("independentNoise", recipe.independentNoise);
    reader.read("shear", recipe.shear);
    reader.read("length", recipe.length);
    reader.read("seed", recipe.seed);
    reader.refuseUnknownKeys();
}

void ObjectReader::assign(const Json& json, const std::string& key, DataSpec& data) const
{
    ObjectReader reader(json, m_path + key + ".");
    reader.read("file", data.file);
    reader.read("recipe", data.recipe);
    reader.read("sha256", data.sha256);
    reader.refuseUnknownKeys();
}

Json recipeJson(const Mnist1dRecipe& recipe)
{
    return {{"samples", recipe.samples},
            {"trainFraction", recipe.trainFraction},
            {"minimumPadding", recipe.minimumPadding},
            {"maximumPadding", recipe.maximumPadding},
            {"scale", recipe.scale},
            {"maximumTranslation", recipe.maximumTranslation},
            {"correlatedNoise", recipe.correlatedNoise},
            {"independentNoise", recipe.independentNoise},
            {"shear", recipe.shear},
            {"length", recipe.length},
            {"seed", recipe.seed}};
}

} // namespace

std::string toJson(const RunSpec& spec)
{
    const Json data = {{"file", spec.data.file},
                       {"recipe", recipeJson(spec.data.recipe)},
                       {"sha256", spec.data.sha256}};
    const Json json = {{"version", RunSpec::version},
                       {"name", spec.name},
                       {"data", data},
                       {"hiddenWidths", spec.hiddenWidths},
                       {"initialisation", spec.initialisation},
                       {"learningRate", spec.learningRate},
                       {"momentum", spec.momentum},
                       {"batchSize", spec.batchSize},
                       {"epochs", spec.epochs},
                       {"seed", spec.seed},
                       {"engine", spec.engine},
                       {"precision", std::string(precisionName(spec.precision))},
                       {"threads", spec.threads},
                       {"testEvery", spec.testEvery},
                       {"stopAfterZeroErrorEpochs", spec.stopAfterZeroErrorEpochs},
                       {"stopAfterSeconds", spec.stopAfterSeconds}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

RunSpec runSpecFromJson(const std::string& text)
{
    const Json json = parse(text);
    ObjectReader reader(json, "");
    // The version comes first: a newer file may well have keys that are unknown here.
    std::int64_t version = RunSpec::version;
    reader.read("version", version);
    if (version > RunSpec::version)
        refuse(fmt::format("has version {}, made by a newer program; this one reads versions up "
                           "to {}.",
                           version, RunSpec::version));
    if (version < 1)
        refuse(fmt::format("has version {}, but versions begin with 1.", version));

    RunSpec spec;
    reader.read("name", spec.name);
    reader.read("data", spec.data);
    reader.read("hiddenWidths", spec.hiddenWidths);
    reader.read("initialisation", spec.initialisation);
    reader.read("learningRate", spec.learningRate);
    reader.read("momentum", spec.momentum);
    reader.read("batchSize", spec.batchSize);
    reader.read("epochs", spec.epochs);
    reader.read("seed", spec.seed);
    reader.read("engine", spec.engine);
    reader.read("precision", spec.precision);
    reader.read("threads", spec.threads);
    reader.read("testEvery", spec.testEvery);
    reader.read("stopAfterZeroErrorEpochs", spec.stopAfterZeroErrorEpochs);
    reader.read("stopAfterSeconds", spec.stopAfterSeconds);
    reader.refuseUnknownKeys();
    return spec;
}

} // namespace fullbatch
