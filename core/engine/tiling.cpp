// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tiling.h"

namespace fullbatch {

namespace {

constexpr double activationBytes = 512.0 * 1024; // of a tile, so that it stays in a core's cache
constexpr double partialGradientBytes = 256.0 * 1024 * 1024; // of all groups together
constexpr std::size_t mostTileRows = 64;
constexpr std::size_t fewestTileRows = 16;
constexpr std::size_t mostGroups = 16;
constexpr std::size_t fewestGroups = 2;

} // namespace

Tiling::Tiling(const NetworkShape& shape) : m_tileRows(mostTileRows), m_maximumGroups(mostGroups)
{
    double valuesPerRow = 0;
    for (const Layer& layer : shape.denseLayers())
        valuesPerRow += static_cast<double>(layer.outputs);
    while (m_tileRows > fewestTileRows
           && valuesPerRow * static_cast<double>(m_tileRows * sizeof(float)) > activationBytes)
        m_tileRows /= 2;

    const double gradientBytes = static_cast<double>(shape.parameterCount()) * sizeof(float);
    while (m_maximumGroups > fewestGroups
           && gradientBytes * static_cast<double>(m_maximumGroups) > partialGradientBytes)
        m_maximumGroups /= 2;
}

} // namespace fullbatch
