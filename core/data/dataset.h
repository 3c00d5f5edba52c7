// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace fullbatch {

/// Data that cannot be used. The text is one sentence: what is wrong, where, what is allowed.
class DataError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

enum class SplitName { Train, Test };

/// One part of a data set. A column of `inputs` is one example ("row" in files and messages).
struct Split
{
    Eigen::MatrixXf inputs; ///< features x samples
    std::vector<std::int32_t> labels; ///< one a sample, 0 .. classes-1

    [[nodiscard]] std::size_t rows() const { return labels.size(); }
};

/// A classification problem with a fixed division into training and test rows.
/// Immutable once shared (std::shared_ptr<const Dataset>), so that any thread may read it.
struct Dataset
{
    std::string source; ///< what a person is told: "MNIST-1D, generated, seed 42" or a file's path
    std::int32_t classes = 0;
    Split train;
    Split test; ///< may be empty

    [[nodiscard]] Eigen::Index features() const { return train.inputs.rows(); }
    [[nodiscard]] const Split& split(SplitName name) const
    {
        return name == SplitName::Train ? train : test;
    }
};

/// Throws DataError, naming split, row and column (counted from 0), unless the shapes agree, there
/// is a training row, every input is finite and every label lies in 0 .. classes-1.
void check(const Dataset& dataset);

/// What a person should know although the data can be used: classes without a training row. One
/// sentence; empty when there is nothing to say.
[[nodiscard]] std::string notice(const Dataset& dataset);

/// How many rows of each class, `classes` entries.
[[nodiscard]] std::vector<std::size_t> classCounts(const Split& split, std::int32_t classes);

} // namespace fullbatch
