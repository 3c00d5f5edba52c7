// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>

namespace fullbatch {

/// Memory of the device that was current when it was made, aligned to 256 bytes; freed with this
/// object, whatever state the device is in. Throws EngineError.
class DeviceMemory
{
public:
    DeviceMemory() = default;
    explicit DeviceMemory(std::size_t bytes);
    ~DeviceMemory();
    DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
    DeviceMemory& operator=(DeviceMemory&& other) noexcept
    {
        swap(other);
        return *this;
    }

    [[nodiscard]] void* data() const { return m_data; }
    /// A number's address; no bounds are checked.
    template <typename Number>
    [[nodiscard]] Number* at(std::size_t index = 0) const
    {
        return static_cast<Number*>(m_data) + index;
    }

private:
    void swap(DeviceMemory& other) noexcept { std::swap(m_data, other.m_data); }
    void* m_data = nullptr;
};

/// Page-locked memory of the host, which copies to and from a device reach without waiting.
class PinnedMemory
{
public:
    PinnedMemory() = default;
    explicit PinnedMemory(std::size_t bytes);
    ~PinnedMemory();
    PinnedMemory(PinnedMemory&& other) noexcept { swap(other); }
    PinnedMemory& operator=(PinnedMemory&& other) noexcept
    {
        swap(other);
        return *this;
    }

    template <typename Number>
    [[nodiscard]] Number* at(std::size_t index = 0) const
    {
        return static_cast<Number*>(m_data) + index;
    }

private:
    void swap(PinnedMemory& other) noexcept { std::swap(m_data, other.m_data); }
    void* m_data = nullptr;
};

} // namespace fullbatch
