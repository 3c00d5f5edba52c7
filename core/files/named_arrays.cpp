// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/named_arrays.h"

#include "core/files/labels.h"

#include <cmath>

namespace fullbatch {

namespace {

NumberArray require(const FindArray& find, const std::string& name, const std::string& because)
{
    std::optional<NumberArray> array = find(name);
    if (!array)
        throw DataError("it has no array " + name + because);
    return *array;
}

void checkShapes(const NumberArray& inputs, const NumberArray& labels)
{
    if (inputs.shape.size() != 2)
        throw DataError("the array " + inputs.name + " has the shape " + shapeText(inputs.shape)
                        + "; it must have two dimensions, rows x features");
    if (inputs.shape[0] < 1 || inputs.shape[1] < 1)
        throw DataError("the array " + inputs.name + " has the shape " + shapeText(inputs.shape)
                        + "; it must have at least one row and one feature");
    if (labels.shape.size() != 1)
        throw DataError("the array " + labels.name + " has the shape " + shapeText(labels.shape)
                        + "; it must have one dimension, one whole number a row");
    if (labels.shape[0] != inputs.shape[0])
        throw DataError("the array " + labels.name + " has " + std::to_string(labels.shape[0])
                        + " labels but " + inputs.name + " has " + std::to_string(inputs.shape[0])
                        + " rows; both must be equal");
}

[[noreturn]] void refuseInput(const NumberArray& array, Eigen::Index row, Eigen::Index column,
                              const std::string& reason)
{
    throw DataError("row " + std::to_string(row) + ", column " + std::to_string(column) + " of "
                    + array.name + " (both counted from 0)" + reason
                    + "; every input must be a finite number");
}

Eigen::MatrixXf inputsOf(const NumberArray& array)
{
    const Eigen::Index rows = array.shape[0];
    const Eigen::Index features = array.shape[1];
    Eigen::MatrixXf inputs(features, rows);
    for (Eigen::Index row = 0; row < rows; ++row) {
        for (Eigen::Index column = 0; column < features; ++column) {
            const Eigen::Index position =
                array.columnOrder ? column * rows + row : row * features + column;
            const double value = numberAt(array, static_cast<std::size_t>(position));
            inputs(column, row) = static_cast<float>(value);
            if (!std::isfinite(inputs(column, row)))
                refuseInput(array, row, column, problemOfInput(value));
        }
    }
    return inputs;
}

RawLabels labelsOf(const NumberArray& array)
{
    RawLabels labels;
    labels.rowName = [name = array.name](std::size_t row) {
        return "row " + std::to_string(row) + " of " + name + " (counted from 0)";
    };
    const auto rows = static_cast<std::size_t>(array.shape[0]);
    labels.values.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row)
        labels.values.push_back(numberAt(array, row));
    return labels;
}

} // namespace

std::string problemOfInput(double value)
{
    if (std::isnan(value))
        return " is nan";
    if (std::isinf(value))
        return value > 0 ? " is inf" : " is -inf";
    if (std::isinf(static_cast<float>(value)))
        return " is too large for float32";
    return {};
}

Dataset datasetFromArrays(const FindArray& find)
{
    const std::string wanted = "; x (rows x features) and y (labels) are wanted";
    const NumberArray x = require(find, "x", wanted);
    const NumberArray y = require(find, "y", wanted);
    checkShapes(x, y);
    Dataset dataset;
    dataset.train.inputs = inputsOf(x);
    const RawLabels trainLabels = labelsOf(y);
    RawLabels testLabels;
    if (const std::optional<NumberArray> xTest = find("x_test")) {
        const NumberArray yTest = require(find, "y_test", " although it has x_test");
        checkShapes(*xTest, yTest);
        if (xTest->shape[1] != x.shape[1])
            throw DataError("the rows of x_test have " + std::to_string(xTest->shape[1])
                            + " features but those of x " + std::to_string(x.shape[1])
                            + "; both must be equal");
        dataset.test.inputs = inputsOf(*xTest);
        testLabels = labelsOf(yTest);
    } else if (find("y_test")) {
        throw DataError("it has no array x_test although it has y_test");
    }
    dataset.classes = countClasses(trainLabels, testLabels);
    dataset.train.labels = integerLabels(trainLabels);
    dataset.test.labels = integerLabels(testLabels);
    return dataset;
}

} // namespace fullbatch
