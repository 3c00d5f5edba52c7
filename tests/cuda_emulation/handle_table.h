// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace fullbatch::emulation {

/// Opaque handles for objects of one kind. A number is never given twice in a process, so a dead
/// handle is always recognised. Not thread-safe.
template <class Handle, class Object>
class HandleTable
{
public:
    Handle add(std::shared_ptr<Object> object)
    {
        m_next += 16;
        m_objects.emplace(m_next, std::move(object));
        return reinterpret_cast<Handle>(m_next); // NOLINT(performance-no-int-to-ptr)
    }

    /// Null when the handle is dead or was never alive.
    std::shared_ptr<Object> find(Handle handle) const
    {
        const auto found = m_objects.find(reinterpret_cast<std::uintptr_t>(handle));
        return found == m_objects.end() ? nullptr : found->second;
    }

    std::shared_ptr<Object> remove(Handle handle)
    {
        auto object = find(handle);
        m_objects.erase(reinterpret_cast<std::uintptr_t>(handle));
        return object;
    }

    void clear() { m_objects.clear(); }
    std::size_t size() const { return m_objects.size(); }

private:
    std::uintptr_t m_next = 0x1000; ///< above CUDA's special handles
    std::map<std::uintptr_t, std::shared_ptr<Object>> m_objects;
};

} // namespace fullbatch::emulation
