// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace fullbatch {

/// How fast each engine has been on this machine, remembered between sessions in QSettings, to say
/// beforehand how long a run will take. GUI thread.
class MeasuredSpeeds
{
public:
    struct Rate
    {
        double flopsPerSecond = 0;
        bool measured = false; ///< otherwise a cautious guess for `threads` threads, or for a GPU
    };

    MeasuredSpeeds();
    [[nodiscard]] Rate rate(const std::string& engine, int threads) const;
    /// The latest measurement of a run with so many threads counts; a GPU has one, whatever it is
    /// given.
    void record(const std::string& engine, int threads, double flopsPerSecond);
    void save() const; ///< to QSettings

private:
    std::map<std::string, double> m_perThread; // by engine
};

} // namespace fullbatch
