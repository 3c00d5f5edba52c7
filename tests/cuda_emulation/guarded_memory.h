// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace fullbatch::emulation {

/// A live piece of guarded memory.
struct Allocation
{
    std::byte* begin = nullptr; ///< aligned to 256 bytes
    std::size_t bytes = 0;
    int device = 0;
    std::byte* pages = nullptr; ///< whole pages around it
    std::size_t pageBytes = 0;
};

/// Memory in which every misstep shows. Each allocation ends within 256 bytes of an unreadable
/// page; the rest of its pages is filled with a pattern that is checked. Fresh memory is all ones:
/// NaN in every float format. An address is never given twice, so freed memory stays unreadable.
/// Not thread-safe. Throws std::system_error when the system gives no more memory.
class GuardedMemory
{
public:
    /// `closed`: nobody may touch the memory except between open() and close().
    explicit GuardedMemory(bool closed);
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    std::byte* allocate(std::size_t bytes, int device);
    /// False when no live allocation begins there.
    bool release(const void* begin);
    void clear();

    /// Opens one device's memory and closes every other's.
    void open(int device);
    void close();

    /// The live allocation that holds the address or ends at it; null when there is none.
    const Allocation* find(const void* address) const;
    /// Whether the whole range lies inside one live allocation.
    bool contains(const void* begin, std::size_t bytes) const;
    /// Whether the address belongs to this memory at all: live, freed, or a guard page.
    bool owns(const void* address) const;
    /// Whether the address was inside an allocation that has been released.
    bool wasFreed(const void* address) const;
    /// "8 bytes past the end of an allocation of 16 bytes", for messages.
    std::string describe(const void* address) const;
    /// The first allocation of the open device whose surroundings were written to; null: none.
    const Allocation* damaged() const;

    std::size_t count() const { return m_allocations.size(); }
    std::size_t bytesInUse(int device) const;
    std::size_t bytesInUse() const;

private:
    void protect(const Allocation& allocation, bool readable) const;

    bool m_closed;
    int m_openDevice = -1;
    std::byte* m_space = nullptr; ///< reserved addresses
    std::byte* m_next = nullptr; ///< everything below has been given
    std::map<const std::byte*, Allocation> m_allocations; ///< by begin
    std::map<const std::byte*, std::size_t> m_freed; ///< sizes by begin
};

} // namespace fullbatch::emulation
