// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace fullbatch::emulation {

/// A stack between which control is switched by hand: the sanitizers must be told. Without them
/// this does nothing.
class SwitchedStack
{
public:
#if defined(__SANITIZE_ADDRESS__)
    /// Right before a switch from this stack; `forEver`: nothing comes back to it.
    void leaveFor(const SwitchedStack& next, bool forEver = false)
    {
        __sanitizer_start_switch_fiber(forEver ? nullptr : &m_fake, next.m_bottom, next.m_bytes);
    }
    /// Right after a switch to this stack, which came from `previous`.
    void arriveFrom(SwitchedStack& previous)
    {
        __sanitizer_finish_switch_fiber(m_fake, &previous.m_bottom, &previous.m_bytes);
    }
    void setBounds(const void* bottom, std::size_t bytes)
    {
        m_bottom = bottom;
        m_bytes = bytes;
    }

private:
    void* m_fake = nullptr;
    const void* m_bottom = nullptr;
    std::size_t m_bytes = 0;
#elif defined(__SANITIZE_THREAD__)
    SwitchedStack() = default;
    SwitchedStack(const SwitchedStack&) = delete;
    SwitchedStack& operator=(const SwitchedStack&) = delete;
    ~SwitchedStack()
    {
        if (m_made)
            __tsan_destroy_fiber(m_fiber);
    }
    void leaveFor(const SwitchedStack& next, bool = false)
    {
        if (!m_made)
            m_fiber = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(next.m_fiber, 0);
    }
    void arriveFrom(SwitchedStack&) { }
    void setBounds(const void*, std::size_t)
    {
        m_fiber = __tsan_create_fiber(0);
        m_made = true;
    }

private:
    void* m_fiber = nullptr;
    bool m_made = false;
#else
    void leaveFor(const SwitchedStack&, bool = false) { }
    void arriveFrom(SwitchedStack&) { }
    void setBounds(const void*, std::size_t) { }
#endif
};

} // namespace fullbatch::emulation
