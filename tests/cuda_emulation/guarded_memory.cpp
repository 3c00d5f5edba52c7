// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/guarded_memory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace fullbatch::emulation {
namespace {

constexpr std::size_t pageSize = 4096;
constexpr std::size_t alignment = 256; ///< of cudaMalloc
// Addresses only, no memory; but the thread sanitizer keeps some for each.
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t spaceBytes = std::size_t(1) << 36;
#else
constexpr std::size_t spaceBytes = std::size_t(1) << 40;
#endif
constexpr std::size_t poisonBytes = std::size_t(4) << 20;
constexpr std::byte poison{0xff};

std::size_t roundUp(std::size_t value, std::size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

[[noreturn]] void fail(const char* call)
{
    throw std::system_error(errno, std::generic_category(), call);
}

void* map(void* address, std::size_t bytes, int protection, int flags, int file)
{
    void* const mapped = mmap(address, bytes, protection, flags, file, 0);
    if (mapped == MAP_FAILED)
        fail("mmap");
    return mapped;
}

/// A file of poison: mapping it privately poisons memory without touching it.
int poisonFile()
{
    static const int file = [] {
        const int made = memfd_create("poison", MFD_CLOEXEC);
        if (made < 0 || ftruncate(made, static_cast<off_t>(poisonBytes)) != 0)
            fail("memfd_create");
        void* const content = map(nullptr, poisonBytes, PROT_READ | PROT_WRITE, MAP_SHARED, made);
        std::memset(content, static_cast<int>(poison), poisonBytes);
        munmap(content, poisonBytes);
        return made;
    }();
    return file;
}

/// Of less than a page.
bool allPoison(const std::byte* begin, const std::byte* end)
{
    static const auto poisonPage = [] {
        std::array<std::byte, pageSize> page{};
        page.fill(poison);
        return page;
    }();
    return std::memcmp(begin, poisonPage.data(), static_cast<std::size_t>(end - begin)) == 0;
}

} // namespace

GuardedMemory::GuardedMemory(bool closed) : m_closed(closed)
{
    m_space = static_cast<std::byte*>(
        map(nullptr, spaceBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1));
    m_next = m_space + pageSize;
}

std::byte* GuardedMemory::allocate(std::size_t bytes, int device)
{
    Allocation it;
    it.bytes = bytes;
    it.device = device;
    it.pageBytes = roundUp(std::max<std::size_t>(bytes, 1), pageSize);
    it.pages = m_next;
    it.begin = it.pages + it.pageBytes - roundUp(std::max<std::size_t>(bytes, 1), alignment);
    if (it.pageBytes + pageSize > static_cast<std::size_t>(m_space + spaceBytes - m_next)) {
        errno = ENOMEM;
        fail("the emulation's address space is used up");
    }
    const bool readable = !m_closed || m_openDevice == device;
    for (std::size_t done = 0; done < it.pageBytes; done += poisonBytes)
        map(it.pages + done, std::min(poisonBytes, it.pageBytes - done),
            readable ? PROT_READ | PROT_WRITE : PROT_NONE, MAP_PRIVATE | MAP_FIXED, poisonFile());
    m_next += it.pageBytes + pageSize;
    m_allocations.emplace(it.begin, it);
    return it.begin;
}

bool GuardedMemory::release(const void* begin)
{
    const auto found = m_allocations.find(static_cast<const std::byte*>(begin));
    if (found == m_allocations.end())
        return false;
    map(found->second.pages, found->second.pageBytes, PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1);
    m_freed.emplace(found->first, found->second.bytes);
    m_allocations.erase(found);
    return true;
}

void GuardedMemory::clear()
{
    while (!m_allocations.empty())
        release(m_allocations.begin()->first);
}

void GuardedMemory::protect(const Allocation& allocation, bool readable) const
{
    if (mprotect(allocation.pages, allocation.pageBytes,
                 readable ? PROT_READ | PROT_WRITE : PROT_NONE)
        != 0)
        fail("mprotect");
}

void GuardedMemory::open(int device)
{
    if (m_openDevice == device)
        return;
    close();
    for (const auto& [begin, allocation] : m_allocations)
        if (allocation.device == device)
            protect(allocation, true);
    m_openDevice = device;
}

void GuardedMemory::close()
{
    for (const auto& [begin, allocation] : m_allocations)
        if (allocation.device == m_openDevice)
            protect(allocation, false);
    m_openDevice = -1;
}

const Allocation* GuardedMemory::find(const void* address) const
{
    const auto* at = static_cast<const std::byte*>(address);
    const auto after = m_allocations.upper_bound(at);
    if (after == m_allocations.begin())
        return nullptr;
    const Allocation& before = std::prev(after)->second;
    return at <= before.begin + before.bytes ? &before : nullptr;
}

bool GuardedMemory::contains(const void* begin, std::size_t bytes) const
{
    const Allocation* const it = find(begin);
    return it != nullptr
        && bytes
        <= it->bytes - static_cast<std::size_t>(static_cast<const std::byte*>(begin) - it->begin);
}

bool GuardedMemory::owns(const void* address) const
{
    const auto* at = static_cast<const std::byte*>(address);
    return at >= m_space && at < m_space + spaceBytes;
}

bool GuardedMemory::wasFreed(const void* address) const
{
    const auto* at = static_cast<const std::byte*>(address);
    const auto after = m_freed.upper_bound(at);
    return after != m_freed.begin() && at < std::prev(after)->first + std::prev(after)->second;
}

std::string GuardedMemory::describe(const void* address) const
{
    const auto* at = static_cast<const std::byte*>(address);
    if (wasFreed(at))
        return "that has been freed";
    const auto after = m_allocations.upper_bound(at);
    if (after != m_allocations.begin()) {
        const Allocation& it = std::prev(after)->second;
        const auto offset = static_cast<std::size_t>(at - it.begin);
        const std::string size = "an allocation of " + std::to_string(it.bytes) + " bytes";
        if (offset < it.bytes)
            return "inside " + size + " of device " + std::to_string(it.device);
        if (at < it.pages + it.pageBytes + pageSize)
            return std::to_string(offset - it.bytes) + " bytes past the end of " + size;
    }
    return "outside every allocation";
}

const Allocation* GuardedMemory::damaged() const
{
    for (const auto& [begin, it] : m_allocations) {
        const bool readable = !m_closed || it.device == m_openDevice;
        if (readable
            && !(allPoison(it.pages, it.begin)
                 && allPoison(it.begin + it.bytes, it.pages + it.pageBytes)))
            return &it;
    }
    return nullptr;
}

std::size_t GuardedMemory::bytesInUse(int device) const
{
    return std::transform_reduce(m_allocations.begin(), m_allocations.end(), std::size_t(0),
                                 std::plus<>(), [device](const auto& each) {
                                     return each.second.device == device ? each.second.bytes : 0;
                                 });
}

std::size_t GuardedMemory::bytesInUse() const
{
    return std::transform_reduce(m_allocations.begin(), m_allocations.end(), std::size_t(0),
                                 std::plus<>(), [](const auto& each) { return each.second.bytes; });
}

} // namespace fullbatch::emulation
