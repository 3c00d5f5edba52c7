// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace fullbatch {

/// In which order the training rows are used in each epoch: that of PyTorch's RandomSampler with a
/// torch.Generator of the same seed that is iterated to its end once an epoch. Each epoch is a
/// torch.randperm (the shuffle of R. Fisher and F. Yates by 32-bit draws of MT19937); at its end
/// the sampler draws another one, of which it uses nothing. For one thread.
class BatchOrder
{
public:
    /// Of the seed the low 32 bits count, as in PyTorch. `rows` is at least 1 and below 2^32 / 20,
    /// beyond which PyTorch draws otherwise.
    BatchOrder(std::size_t rows, std::uint64_t seed);

    /// Appends the order of an epoch. Epochs asked for one after another cost one permutation each;
    /// going back draws all before it anew.
    void append(std::uint64_t epoch, std::vector<std::uint32_t>& order);

private:
    std::size_t m_rows;
    std::uint32_t m_seed;
    std::mt19937 m_generator;
    std::uint64_t m_next = 0; // the epoch before whose draws the generator stands
};

} // namespace fullbatch
