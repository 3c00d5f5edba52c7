// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/output_paths.h"

#include "app/terminal/usage_error.h"
#include "core/exchange/output_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace fullbatch {

namespace {

// The same file under another spelling, as far as its folder exists.
std::filesystem::path canonicalPath(const std::filesystem::path& file)
{
    std::error_code ignored; // checkWritable says what is wrong with the folder
    std::filesystem::path target = std::filesystem::absolute(file, ignored);
    // A link to a file that is not there yet: weakly_canonical() would leave it as it is.
    for (int links = 0; links < 40 && std::filesystem::is_symlink(target, ignored); ++links)
        target = target.parent_path() / std::filesystem::read_symlink(target, ignored);
    const std::filesystem::path whole = std::filesystem::weakly_canonical(target, ignored);
    return whole.empty() ? file : whole;
}

std::string listed(const std::vector<std::string>& suffixes)
{
    std::string text;
    for (const std::string& suffix : suffixes)
        text += (text.empty() ? "" : ", ") + suffix;
    return text;
}

} // namespace

void OutputPaths::add(const std::string& option, const std::filesystem::path& file,
                      const std::vector<std::string>& suffixes)
{
    if (file.empty())
        return;
    if (!suffixes.empty()
        && std::find(suffixes.begin(), suffixes.end(), file.extension().string())
            == suffixes.end()) {
        throw UsageError(fmt::format("{}: {} ends in \"{}\"; allowed are files that end in {}.",
                                     option, file.string(), file.extension().string(),
                                     listed(suffixes)));
    }
    for (const Output& other : m_outputs) {
        if (canonicalPath(other.file) == canonicalPath(file))
            throw UsageError(fmt::format("{}: {} is already written by {}; give each another name.",
                                         option, file.string(), other.option));
    }
    m_outputs.push_back({option, file});
}

void OutputPaths::check() const
{
    for (const Output& output : m_outputs) {
        try {
            checkWritable(output.file);
        } catch (const OutputError& error) {
            throw UsageError(fmt::format("{}: {}", output.option, error.what()));
        }
    }
}

} // namespace fullbatch
