// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/data_loading.h"
#include "core/training/run_spec.h"

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

namespace fullbatch {

/// Data sets shared between runs and the panel, each generated or read once while somebody uses it
/// (and the latest one until another is asked for). Thread-safe.
class DataCache
{
public:
    /// Blocks, so never called in the GUI thread: makes the data, or waits while another thread
    /// makes the same. A changed file is read again. Returns nothing after a stop request while
    /// waiting. Throws DataError, std::bad_alloc; a failure is not remembered.
    [[nodiscard]] std::shared_ptr<const LoadedData> load(const DataSpec& spec,
                                                         const std::stop_token& stop);

private:
    struct Entry;
    [[nodiscard]] std::shared_ptr<Entry> entry(const std::string& key);

    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<Entry>> m_entries; // guarded by m_mutex
    std::shared_ptr<const LoadedData> m_latest; // guarded by m_mutex
};

} // namespace fullbatch
