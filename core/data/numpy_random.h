// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace fullbatch {

/// NumPy's legacy random stream: numpy.random.RandomState(seed), the same draws in the same order,
/// so that published data made with it can be made again. Not thread-safe; a copy continues on its
/// own from where the original stood.
///
/// Sources: MT19937 and its seeding, M. Matsumoto and T. Nishimura, "Mersenne Twister" (1998, with
/// the initialisation of 2002); the polar method, G. Marsaglia and T. Bray (1964); bounded integers
/// by rejection of masked draws; the shuffle of R. Fisher and F. Yates, from the end.
class NumpyRandom
{
public:
    explicit NumpyRandom(std::uint32_t seed) : m_generator(seed) { }

    /// rand(): uniform in [0, 1), a multiple of 2^-53, from two draws.
    [[nodiscard]] double uniform();
    /// randn(): standard normal. Values come in pairs, the second one of a pair first.
    [[nodiscard]] double normal();
    /// randint(maximum + 1): uniform in 0 .. maximum. Draws nothing when maximum is 0.
    [[nodiscard]] std::uint64_t integer(std::uint64_t maximum);
    /// permutation(count): 0 .. count-1 in random order.
    [[nodiscard]] std::vector<std::size_t> permutation(std::size_t count);

private:
    std::mt19937 m_generator;
    std::optional<double> m_nextNormal;
};

} // namespace fullbatch
