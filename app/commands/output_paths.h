// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fullbatch {

/// The files that a command will write, looked at before hours of work rather than after.
class OutputPaths
{
public:
    /// An empty `file` is no output. Throws UsageError for another ending than `suffixes` has
    /// (none: any ending will do), and for a file that another option writes already.
    void add(const std::string& option, const std::filesystem::path& file,
             const std::vector<std::string>& suffixes = {});

    /// Throws UsageError unless each file could be written now.
    void check() const;

private:
    struct Output
    {
        std::string option;
        std::filesystem::path file;
    };
    std::vector<Output> m_outputs;
};

} // namespace fullbatch
