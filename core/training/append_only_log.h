// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <span>

namespace fullbatch {

/// A list that one thread extends and any number of threads read, without locks or waiting.
///
/// Entries lie in blocks of fixed size that never move. The writer fills entries in place and then
/// raises an atomic count (release); readers see everything below the count (acquire). An entry
/// below the count is never written again, so references and spans stay valid as long as the log.
template <typename Entry>
class AppendOnlyLog
{
public:
    static constexpr std::size_t blockSize = 1U << 16U;
    static constexpr std::size_t maximumSize = blockSize << 14U; ///< 1,073,741,824 entries

    AppendOnlyLog() : m_blocks(std::make_unique<Directory>()) { }

    /// Writer: the next unpublished entries, at least 1 and at most `wanted`; fewer at the end of a
    /// block; empty when the log is full. Throws std::bad_alloc.
    [[nodiscard]] std::span<Entry> next(std::size_t wanted)
    {
        const std::size_t used = m_published.load(std::memory_order_relaxed);
        if (used == maximumSize)
            return {};
        std::unique_ptr<Entry[]>& block = (*m_blocks)[used / blockSize];
        if (!block)
            block = std::make_unique<Entry[]>(blockSize);
        const std::size_t first = used % blockSize;
        return {block.get() + first, std::min(wanted, blockSize - first)};
    }

    /// Writer: makes the first `count` entries of the last next() visible to readers.
    void publish(std::size_t count)
    {
        const std::size_t used = m_published.load(std::memory_order_relaxed);
        assert(count <= blockSize - used % blockSize);
        m_published.store(used + count, std::memory_order_release);
    }

    /// Any thread: how many entries may be read.
    [[nodiscard]] std::size_t size() const { return m_published.load(std::memory_order_acquire); }

    /// Any thread: an entry below size().
    [[nodiscard]] const Entry& operator[](std::size_t index) const
    {
        assert(index < size());
        return (*m_blocks)[index / blockSize][index % blockSize];
    }

    /// Any thread: published entries from `first` on that lie side by side in memory; empty when
    /// `first` is size(). To walk the log: for (span = from(0); !span.empty(); span = from(end)).
    [[nodiscard]] std::span<const Entry> from(std::size_t first) const
    {
        const std::size_t end = size();
        if (first >= end)
            return {};
        const Entry* block = (*m_blocks)[first / blockSize].get();
        const std::size_t offset = first % blockSize;
        return {block + offset, std::min(end - first, blockSize - offset)};
    }

private:
    using Directory = std::array<std::unique_ptr<Entry[]>, maximumSize / blockSize>;
    std::unique_ptr<Directory> m_blocks; // a slot is written before the count covers it
    std::atomic<std::size_t> m_published = 0;
};

} // namespace fullbatch
