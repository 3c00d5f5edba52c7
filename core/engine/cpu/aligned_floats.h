// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace fullbatch {

/// A fixed number of float32 on a cache-line boundary, zero at first. Movable, not copyable.
/// Throws std::bad_alloc.
class AlignedFloats
{
public:
    AlignedFloats() = default;
    explicit AlignedFloats(std::size_t size)
        : m_size(size),
          m_values(new (std::align_val_t(alignment)) float[size]())
    {
    }

    [[nodiscard]] float* data() { return m_values.get(); }
    [[nodiscard]] const float* data() const { return m_values.get(); }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] std::span<const float> values() const { return {m_values.get(), m_size}; }

private:
    static constexpr std::size_t alignment = 64;
    struct Delete
    {
        void operator()(float* values) const
        {
            ::operator delete[](values, std::align_val_t(alignment));
        }
    };
    std::size_t m_size = 0;
    std::unique_ptr<float[], Delete> m_values;
};

} // namespace fullbatch
