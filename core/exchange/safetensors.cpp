// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/safetensors.h"

#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <ostream>

namespace fullbatch {

static_assert(std::endian::native == std::endian::little, "values are written as they lie");

namespace {

std::string headerText(const Parameters& parameters)
{
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    for (const TensorInfo& tensor : parameters.tensors()) {
        nlohmann::ordered_json shape = {tensor.rows};
        if (tensor.kind == TensorKind::Weight)
            shape.push_back(tensor.columns);
        const std::size_t first = tensor.offset * sizeof(float);
        header[tensor.name] = {{"dtype", "F32"},
                               {"shape", shape},
                               {"data_offsets", {first, first + tensor.size() * sizeof(float)}}};
    }
    std::string text = header.dump();
    constexpr std::size_t alignment = 8;
    text.append((alignment - text.size() % alignment) % alignment, ' ');
    return text;
}

} // namespace

void writeSafetensors(std::ostream& out, const Parameters& parameters)
{
    const std::string header = headerText(parameters);
    const auto length = std::bit_cast<std::array<char, 8>>(std::uint64_t{header.size()});
    out.write(length.data(), length.size());
    out << header;
    const std::span<const std::byte> bytes = std::as_bytes(parameters.values());
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
}

} // namespace fullbatch
