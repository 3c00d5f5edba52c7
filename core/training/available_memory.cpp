// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/cost_estimate.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace fullbatch {

namespace {

namespace fs = std::filesystem;

constexpr double unlimited = std::numeric_limits<double>::infinity();
// Version 1 writes "no limit" as the largest multiple of a page below 2^63.
constexpr double largestRealLimit = 0x1p62;

std::optional<double> firstNumber(const fs::path& file)
{
    std::ifstream in(file);
    double number = 0;
    if (in >> number)
        return number;
    return std::nullopt; // no such file, or "max"
}

/// The number after `key` in a file of lines such as "MemAvailable:   24256740 kB".
std::optional<double> numberOf(const fs::path& file, const std::string& key)
{
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string word;
        double number = 0;
        if (words >> word && word == key && words >> number)
            return number;
    }
    return std::nullopt;
}

double systemEstimate(const fs::path& root)
{
    const auto kibibytes = numberOf(root / "proc/meminfo", "MemAvailable:");
    return kibibytes ? *kibibytes * 1024 : unlimited;
}

struct GroupFiles
{
    const char* limit;
    const char* usage;
    const char* reclaimable; // key in memory.stat: page cache that gives way when memory is needed
};

constexpr GroupFiles version1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                              "total_inactive_file"};
constexpr GroupFiles version2{"memory.max", "memory.current", "inactive_file"};

double leftInGroup(const fs::path& group, const GroupFiles& files)
{
    const auto limit = firstNumber(group / files.limit);
    const auto usage = firstNumber(group / files.usage);
    if (!limit || !usage || *limit > largestRealLimit)
        return unlimited;
    const double reclaimable = numberOf(group / "memory.stat", files.reclaimable).value_or(0);
    return std::max(0.0, *limit - std::max(0.0, *usage - reclaimable));
}

/// The group and all groups around it. In a container the path of the group may be the outer
/// system's; then the mount point itself is the container's own group, and it is looked at too.
double leftInGroups(const fs::path& mount, fs::path group, const GroupFiles& files)
{
    double left = leftInGroup(mount, files);
    for (group = group.relative_path(); !group.empty(); group = group.parent_path())
        left = std::min(left, leftInGroup(mount / group, files));
    return left;
}

/// /proc/self/cgroup has lines "number:controllers:path"; version 2 has number 0 and no controller.
double controlGroupLimit(const fs::path& root)
{
    const fs::path mount = root / "sys/fs/cgroup";
    std::ifstream in(root / "proc/self/cgroup");
    double left = unlimited;
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream fields(line);
        std::string number;
        std::string controllers;
        std::string path;
        std::getline(fields, number, ':');
        std::getline(fields, controllers, ':');
        std::getline(fields, path);
        if (controllers.empty())
            left = std::min(left, leftInGroups(mount, path, version2));
        else if (("," + controllers + ",").find(",memory,") != std::string::npos)
            left = std::min(left, leftInGroups(mount / "memory", path, version1));
    }
    return left;
}

double addressSpaceLimit(const fs::path& root)
{
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return unlimited;
    const double pages = firstNumber(root / "proc/self/statm").value_or(0);
    return std::max(0.0,
                    static_cast<double>(limit.rlim_cur)
                        - pages * static_cast<double>(sysconf(_SC_PAGESIZE)));
}

} // namespace

double availableMemoryBytes(const fs::path& systemRoot)
{
    return std::min(
        {systemEstimate(systemRoot), controlGroupLimit(systemRoot), addressSpaceLimit(systemRoot)});
}

} // namespace fullbatch
