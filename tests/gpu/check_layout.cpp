// SPDX-License-Identifier: GPL-3.0-or-later
// The padded layout of networks and rows: arithmetic on the host alone.
#include "core/network/initialisation.h"
#include "gpu/engine_buffers.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"
#include "tests/gpu/check_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace fullbatch;

namespace {

const std::vector<std::vector<std::int64_t>> networks = {
    {1, 1, 1}, {7, 13, 5, 3}, {40, 10}, {40, 298, 10}, {40, 63, 63, 63, 63, 10}, {3, 8, 4, 6, 5}};

void valuesComeBack(Findings& findings)
{
    for (const auto& sizes : networks) {
        for (const std::size_t bytes : {std::size_t{2}, std::size_t{4}}) {
            const Parameters values = randomParameters(shapeOf(sizes), 3);
            const PaddedNetwork network(values.shape(), bytes);
            std::vector<float> padded(network.size(), std::nanf(""));
            network.pack(values.values(), padded);
            network.setFixed(padded);
            Parameters back = values;
            std::ranges::fill(back.values(), 0.0F);
            network.unpack(padded, back.values());
            const std::string name = values.shape().text() + ", " + std::to_string(bytes);
            findings.expect(differentBits(back.values(), values.values()) == 0, name + ": values");
            const std::vector<std::uint8_t> trainable = network.trainable();
            findings.expect(
                static_cast<std::size_t>(std::accumulate(trainable.begin(), trainable.end(), 0))
                    == values.values().size(),
                name + ": trainable");
            // What is fixed: a 1 for each hidden layer, zeros.
            float fixed = 0;
            for (std::size_t i = 0; i < padded.size(); ++i)
                fixed += trainable[i] != 0 ? 0 : std::abs(padded[i]);
            findings.expect(fixed == static_cast<float>(sizes.size() - 2), name + ": fixed");
        }
    }
}

/// Padding to 16 bytes after the ones unit, layers on 256 bytes.
void strides(Findings& findings)
{
    const auto strideOf = [](std::int64_t width, std::size_t bytes) {
        const std::int64_t hidden[] = {width};
        return PaddedNetwork(NetworkShape::mlp(40, hidden, 10), bytes).layers()[0].outputStride;
    };
    findings.expect(strideOf(63, 4) == 64 && strideOf(63, 2) == 64, "63");
    findings.expect(strideOf(75, 4) == 76 && strideOf(75, 2) == 80, "75");
    findings.expect(strideOf(100, 4) == 104 && strideOf(100, 2) == 104, "100");
    findings.expect(strideOf(298, 4) == 300 && strideOf(298, 2) == 304, "298");
    for (const auto& sizes : networks) {
        for (const std::size_t bytes : {std::size_t{2}, std::size_t{4}}) {
            const PaddedNetwork network(shapeOf(sizes), bytes);
            std::size_t end = 0;
            for (const PaddedLayer& layer : network.layers()) {
                findings.expect(layer.offset == end && layer.offset * bytes % 256 == 0, "offset");
                findings.expect(layer.inputStride % network.padding() == 0
                                    && layer.outputStride % network.padding() == 0
                                    && layer.inputStride > layer.inputs
                                    && layer.outputStride
                                        >= layer.outputs + (layer.hidden() ? 1 : 0),
                                "stride");
                end += layer.size;
            }
            findings.expect(end == network.size(), "size");
        }
    }
}

void rowsAreCovered(Findings& findings)
{
    const RowChunks book = wholeChunks(4000, 16'000);
    findings.expect(book.chunkRows == 160 && book.chunks == 25, "4,000 rows");
    for (const std::size_t weights :
         {std::size_t{128}, std::size_t{16'000}, std::size_t{1} << 26}) {
        for (std::size_t all = 1; all < 12'000; all += all / 3 + 1) {
            const RowChunks whole = wholeChunks(all, weights);
            const std::string place = std::to_string(all) + " rows";
            findings.expect(whole.chunkRows % 16 == 0 && whole.columns() >= all
                                && whole.columns() - whole.chunkRows < all,
                            place);
            findings.expect(whole.chunks == 1 || whole.chunks * weights <= std::size_t{32} << 20,
                            place + ": partial gradients too large");
            for (std::size_t rows = 1; rows <= all; rows += rows / 5 + 1) {
                const RowChunks part = partChunks(rows, whole);
                findings.expect(part.columns() >= rows && part.columns() <= whole.columns()
                                    && part.chunks <= whole.chunks && part.chunkRows % 16 == 0,
                                place + ", part of " + std::to_string(rows));
            }
        }
    }
}

/// Every weight belongs to one block of the update, every block to one layer.
void blocksCoverTheWeights(Findings& findings)
{
    for (const auto& sizes : networks) {
        const PaddedNetwork network(shapeOf(sizes), 4);
        std::size_t end = 0;
        for (const UpdateBlock& block : updateBlocks(network)) {
            findings.expect(block.first == end && block.end > block.first
                                && block.end - block.first <= updateWeightsPerBlock
                                && block.first >= block.layerOffset
                                && block.end <= block.layerOffset + block.layerSize,
                            "block at " + std::to_string(block.first));
            end = block.end;
        }
        findings.expect(end == network.size(), "blocks end early");
    }
}

} // namespace

int main(int argumentCount, char** arguments)
{
    return runGpuChecks(argumentCount, arguments,
                        {{"values come back from the padded layout", valuesComeBack},
                         {"strides and offsets", strides},
                         {"chunks cover the rows", rowsAreCovered},
                         {"blocks cover the weights", blocksCoverTheWeights}});
}
