// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/data_writers.h"

#include "core/exchange/npz_archive.h"
#include "core/exchange/output_file.h"

#include <bit>
#include <fmt/format.h>
#include <iterator>

namespace fullbatch {

static_assert(std::endian::native == std::endian::little, "npz values are written as they lie");

namespace {

std::vector<std::int64_t> wideLabels(const Split& split)
{
    return {split.labels.begin(), split.labels.end()};
}

/// A column of Split::inputs is an example, so its memory is rows x features in C order.
NpyArray inputsArray(const char* name, const Split& split)
{
    const std::span<const float> values(split.inputs.data(),
                                        static_cast<std::size_t>(split.inputs.size()));
    return {name, "<f4", {split.inputs.cols(), split.inputs.rows()}, std::as_bytes(values)};
}

NpyArray labelsArray(const char* name, const std::vector<std::int64_t>& labels)
{
    return {name,
            "<i8",
            {static_cast<std::int64_t>(labels.size())},
            std::as_bytes(std::span<const std::int64_t>(labels))};
}

/// Rows of "label,value,...,split"; the split is left out when its name is empty.
void writeRows(std::ostream& out, const Split& split, std::string_view name)
{
    fmt::memory_buffer line;
    for (Eigen::Index row = 0; row < split.inputs.cols(); ++row) {
        line.clear();
        fmt::format_to(std::back_inserter(line), "{}", split.labels[static_cast<std::size_t>(row)]);
        for (const float value : split.inputs.col(row))
            fmt::format_to(std::back_inserter(line), ",{}", value);
        fmt::format_to(std::back_inserter(line), "{}{}\n", name.empty() ? "" : ",", name);
        out.write(line.data(), static_cast<std::streamsize>(line.size()));
    }
}

} // namespace

void writeDataNpz(const std::filesystem::path& file, const Dataset& dataset)
{
    const std::vector<std::int64_t> trainLabels = wideLabels(dataset.train);
    const std::vector<std::int64_t> testLabels = wideLabels(dataset.test);
    std::vector<NpyArray> arrays = {inputsArray("x", dataset.train), labelsArray("y", trainLabels)};
    if (dataset.test.rows() > 0) {
        arrays.push_back(inputsArray("x_test", dataset.test));
        arrays.push_back(labelsArray("y_test", testLabels));
    }
    const std::vector<std::byte> archive = npzArchive(arrays);
    writeWhole(file, [&](std::ostream& out) {
        out.write(reinterpret_cast<const char*>(archive.data()),
                  static_cast<std::streamsize>(archive.size()));
    });
}

void writeDataCsv(const std::filesystem::path& file, const Dataset& dataset)
{
    const bool divided = dataset.test.rows() > 0;
    writeWhole(file, [&](std::ostream& out) {
        out << "label";
        for (Eigen::Index column = 0; column < dataset.features(); ++column)
            out << ",x" << column;
        out << (divided ? ",split\n" : "\n");
        writeRows(out, dataset.train, divided ? "train" : "");
        writeRows(out, dataset.test, "test");
    });
}

} // namespace fullbatch
