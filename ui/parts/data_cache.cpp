// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/data_cache.h"

#include <condition_variable>
#include <filesystem>
#include <system_error>

namespace fullbatch {

namespace {

/// Equal for data that would come out equal.
std::string keyOf(const DataSpec& spec)
{
    RunSpec onlyData;
    onlyData.data = spec;
    onlyData.data.sha256.clear();
    std::string key = toJson(onlyData);
    if (spec.file.empty())
        return key;
    std::error_code ignored; // a missing file is for the reader to report
    const auto size = std::filesystem::file_size(spec.file, ignored);
    const auto time = std::filesystem::last_write_time(spec.file, ignored);
    return key + std::to_string(size) + ' ' + std::to_string(time.time_since_epoch().count());
}

std::shared_ptr<const LoadedData> make(const DataSpec& spec)
{
    return std::make_shared<const LoadedData>(loadData(spec));
}

} // namespace

/// One data set being made or in use. All members are guarded by the mutex.
struct DataCache::Entry
{
    std::mutex mutex;
    std::condition_variable_any changed;
    bool making = false;
    std::weak_ptr<const LoadedData> data;
};

std::shared_ptr<DataCache::Entry> DataCache::entry(const std::string& key)
{
    const std::lock_guard lock(m_mutex);
    std::shared_ptr<Entry>& found = m_entries[key];
    if (!found)
        found = std::make_shared<Entry>();
    return found;
}

std::shared_ptr<const LoadedData> DataCache::load(const DataSpec& spec, const std::stop_token& stop)
{
    const std::shared_ptr<Entry> shared = entry(keyOf(spec));
    {
        std::unique_lock lock(shared->mutex);
        if (!shared->changed.wait(lock, stop, [&] { return !shared->making; }))
            return nullptr;
        if (auto data = shared->data.lock())
            return data;
        shared->making = true;
    }
    std::shared_ptr<const LoadedData> made;
    std::exception_ptr failure;
    try {
        made = make(spec);
    } catch (...) {
        failure = std::current_exception();
    }
    {
        const std::lock_guard lock(shared->mutex);
        shared->making = false;
        shared->data = made;
    }
    shared->changed.notify_all();
    if (failure)
        std::rethrow_exception(failure);
    const std::lock_guard lock(m_mutex);
    m_latest = made;
    return made;
}

} // namespace fullbatch
