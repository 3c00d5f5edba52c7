// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset.h"

#include <cmath>

namespace fullbatch {

namespace {

void checkLabels(const Split& split, const std::string& name, std::int32_t classes)
{
    for (std::size_t row = 0; row < split.rows(); ++row) {
        const std::int32_t label = split.labels[row];
        if (label < 0 || label >= classes)
            throw DataError("The " + name + " label of row " + std::to_string(row) + " is "
                            + std::to_string(label) + "; labels must be 0 to "
                            + std::to_string(classes - 1) + ".");
    }
}

void checkInputs(const Split& split, const std::string& name)
{
    for (Eigen::Index row = 0; row < split.inputs.cols(); ++row) {
        if (split.inputs.col(row).array().isFinite().all())
            continue;
        Eigen::Index column = 0;
        while (std::isfinite(split.inputs(column, row)))
            ++column;
        const float value = split.inputs(column, row);
        throw DataError("The " + name + " input in row " + std::to_string(row) + ", column "
                        + std::to_string(column) + " (both counted from 0) is "
                        + (std::isnan(value) ? "not a number" : "infinite")
                        + "; every input must be a finite number.");
    }
}

void checkSplit(const Split& split, const std::string& name, std::int32_t classes)
{
    if (static_cast<std::size_t>(split.inputs.cols()) != split.rows())
        throw DataError("The " + name + " set has " + std::to_string(split.inputs.cols())
                        + " rows of inputs but " + std::to_string(split.rows())
                        + " labels; there must be one label a row.");
    checkLabels(split, name, classes);
    checkInputs(split, name);
}

} // namespace

void check(const Dataset& dataset)
{
    if (dataset.classes < 1)
        throw DataError("The data set has " + std::to_string(dataset.classes)
                        + " classes; it must have at least one.");
    if (dataset.train.rows() == 0)
        throw DataError("The training set is empty; it must have at least one row.");
    if (dataset.features() < 1)
        throw DataError("The training rows hold no inputs; a row must have at least one.");
    checkSplit(dataset.train, "training", dataset.classes);
    if (dataset.test.rows() > 0 && dataset.test.inputs.rows() != dataset.features())
        throw DataError("The test rows have " + std::to_string(dataset.test.inputs.rows())
                        + " inputs but the training rows " + std::to_string(dataset.features())
                        + "; both must have the same number.");
    checkSplit(dataset.test, "test", dataset.classes);
}

std::string notice(const Dataset& dataset)
{
    constexpr std::size_t named = 10;
    std::string missing;
    std::size_t count = 0;
    const std::vector<std::size_t> rows = classCounts(dataset.train, dataset.classes);
    for (std::size_t label = 0; label < rows.size(); ++label) {
        if (rows[label] > 0)
            continue;
        if (++count <= named)
            missing += (count > 1 ? ", " : " ") + std::to_string(label);
    }
    if (count == 0)
        return {};
    return "No training row belongs to " + std::string(count == 1 ? "class" : "the classes")
        + missing + (count > named ? ", ..." : "") + ".";
}

std::vector<std::size_t> classCounts(const Split& split, std::int32_t classes)
{
    std::vector<std::size_t> counts(static_cast<std::size_t>(classes), 0);
    for (const std::int32_t label : split.labels)
        ++counts.at(static_cast<std::size_t>(label));
    return counts;
}

} // namespace fullbatch
