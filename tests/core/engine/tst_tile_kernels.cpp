// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/tile_kernels.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

using namespace fullbatch;

namespace {

// A float32 sum of `depth` products of values up to 1 is off by at most depth * 2^-24 * depth; the
// bound here is a hundredth of one product, far above that and far below any real fault.
constexpr double tolerance = 1e-4;

std::vector<float> randomValues(std::size_t count, std::mt19937& random)
{
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<float> result(count);
    for (float& value : result)
        value = values(random);
    return result;
}

/// The largest distance of two arrays; infinity when one holds a NaN.
double largestDistance(const std::vector<float>& ours, const std::vector<double>& theirs)
{
    double largest = ours.size() == theirs.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
        const double distance = std::abs(static_cast<double>(ours[i]) - theirs[i]);
        largest = distance <= largest ? largest : (std::isnan(distance) ? INFINITY : distance);
    }
    return largest;
}

std::vector<const TileKernels*> runnableKernels()
{
    std::vector<const TileKernels*> kernels = {&baselineTileKernels()};
#if defined(__x86_64__)
    if (avx2TileKernels() != nullptr && __builtin_cpu_supports("avx2")
        && __builtin_cpu_supports("fma"))
        kernels.push_back(avx2TileKernels());
    if (avx512TileKernels() != nullptr && __builtin_cpu_supports("avx512dq"))
        kernels.push_back(avx512TileKernels());
#endif
    return kernels;
}

/// One product with its operands, and the value of C that plain loops in double give.
struct Case
{
    TileProduct product;
    std::vector<float> a, b, c, extra;
    std::int64_t rows = 0; // of C

    Case(const TileKernels& kernels, std::int64_t vectors, std::int64_t depth, std::int64_t columns,
         std::mt19937& random)
        : rows(vectors * kernels.lanes)
    {
        const std::int64_t stride = rows + kernels.lanes; // a gap that must stay as it is
        const std::int64_t bStride = std::max(depth, columns) + 3;
        a = randomValues(static_cast<std::size_t>(depth * stride), random);
        b = randomValues(static_cast<std::size_t>(bStride * bStride), random);
        c = randomValues(static_cast<std::size_t>(columns * stride), random);
        extra = randomValues(static_cast<std::size_t>(columns * stride), random);
        product = {vectors, depth, columns, a.data(), stride, b.data(), bStride, c.data(), stride};
    }

    using Ending = std::function<double(double sum, std::size_t at, std::int64_t row)>;
    [[nodiscard]] std::vector<double> expected(bool depthMajor, const Ending& ending) const
    {
        std::vector<double> result(c.begin(), c.end());
        for (std::int64_t n = 0; n < product.columns; ++n) {
            for (std::int64_t m = 0; m < rows; ++m) {
                double sum = 0;
                for (std::int64_t k = 0; k < product.depth; ++k) {
                    const std::int64_t at =
                        depthMajor ? k * product.bStride + n : n * product.bStride + k;
                    sum += static_cast<double>(a[static_cast<std::size_t>(k * product.aStride + m)])
                        * static_cast<double>(b[static_cast<std::size_t>(at)]);
                }
                const auto at = static_cast<std::size_t>(n * product.cStride + m);
                result[at] = ending(sum, at, m);
            }
        }
        return result;
    }
};

} // namespace

class TestTileKernels : public QObject
{
    Q_OBJECT

private slots:
    void products_data()
    {
        QTest::addColumn<int>("kernels");
        for (std::size_t i = 0; i < runnableKernels().size(); ++i)
            QTest::newRow(runnableKernels()[i]->name) << static_cast<int>(i);
    }

    void products()
    {
        QFETCH(int, kernels);
        const TileKernels& tested = *runnableKernels()[static_cast<std::size_t>(kernels)];
        std::mt19937 random(1);
        for (const std::int64_t vectors : {1, 2, 3, 4, 5, 7, 9}) {
            for (const std::int64_t depth : {1, 10, 63}) {
                for (const std::int64_t columns : {1, 5, 6, 7, 13, 24, 41}) {
                    const Case made(tested, vectors, depth, columns, random);

                    Case relu = made;
                    relu.product.a = relu.a.data();
                    relu.product.c = relu.c.data();
                    tested.forwardRelu(relu.product, relu.extra.data());
                    const auto bias = [&](double sum, std::size_t, std::int64_t row) {
                        return sum + static_cast<double>(made.extra[static_cast<std::size_t>(row)]);
                    };
                    QVERIFY(largestDistance(relu.c,
                                            made.expected(false,
                                                          [&](auto... arguments) {
                                                              return std::max(0.0,
                                                                              bias(arguments...));
                                                          }))
                            < tolerance);

                    Case linear = made;
                    linear.product.c = linear.c.data();
                    tested.forwardLinear(linear.product, linear.extra.data());
                    QVERIFY(largestDistance(linear.c, made.expected(false, bias)) < tolerance);

                    Case masked = made;
                    masked.product.c = masked.c.data();
                    tested.inputGradient(masked.product, masked.extra.data());
                    QVERIFY(largestDistance(
                                masked.c,
                                made.expected(false,
                                              [&](double sum, std::size_t at, std::int64_t) {
                                                  return made.extra[at] > 0 ? sum : 0;
                                              }))
                            < tolerance);

                    Case stored = made;
                    stored.product.c = stored.c.data();
                    tested.weightGradient(stored.product, false);
                    QVERIFY(largestDistance(stored.c,
                                            made.expected(true,
                                                          [](double sum, std::size_t,
                                                             std::int64_t) { return sum; }))
                            < tolerance);

                    Case added = made;
                    added.product.c = added.c.data();
                    tested.weightGradient(added.product, true);
                    QVERIFY(largestDistance(
                                added.c,
                                made.expected(true,
                                              [&](double sum, std::size_t at, std::int64_t) {
                                                  return sum + static_cast<double>(made.c[at]);
                                              }))
                            < tolerance);
                }
            }
        }
    }

    void softmax_data() { products_data(); }

    void softmax()
    {
        QFETCH(int, kernels);
        const TileKernels& tested = *runnableKernels()[static_cast<std::size_t>(kernels)];
        std::mt19937 random(2);
        for (const std::int64_t classes : {1, 2, 10, 16, 17, 40}) {
            for (const std::int64_t samples : {1, 15, 16, 33}) {
                const std::int64_t stride =
                    (classes + tested.lanes - 1) / tested.lanes * tested.lanes;
                std::vector<float> logits =
                    randomValues(static_cast<std::size_t>(stride * samples), random);
                for (float& logit : logits)
                    logit *= 30; // some terms vanish beside the largest
                const std::vector<float> before = logits;
                std::vector<std::int32_t> labels;
                std::vector<std::uint32_t> rows;
                for (std::int64_t s = 0; s < samples; ++s) {
                    labels.push_back(static_cast<std::int32_t>(s * 7 % classes));
                    rows.push_back(static_cast<std::uint32_t>(100 + s));
                }
                std::vector<float> scratch(static_cast<std::size_t>(stride * tested.lanes));
                const LossSums sums =
                    tested.softmaxCrossEntropy(logits.data(), stride, samples, classes,
                                               labels.data(), rows.data(), scratch.data());

                std::vector<double> gradient(logits.size(), 0.0);
                double loss = 0;
                std::uint32_t wrong = 0;
                for (std::int64_t s = 0; s < samples; ++s) {
                    const float* column = before.data() + s * stride;
                    const auto largest = std::max_element(column, column + classes);
                    const std::int32_t label = labels[static_cast<std::size_t>(s)];
                    double total = 0;
                    for (std::int64_t c = 0; c < classes; ++c)
                        total += std::exp(static_cast<double>(column[c] - *largest));
                    loss += std::log(total) - static_cast<double>(column[label] - *largest);
                    wrong += largest - column != label ? 1U : 0U;
                    for (std::int64_t c = 0; c < classes; ++c)
                        gradient[static_cast<std::size_t>(s * stride + c)] =
                            std::exp(static_cast<double>(column[c] - *largest)) / total
                            - (c == label ? 1.0 : 0.0);
                }
                QVERIFY(largestDistance(logits, gradient) < 1e-6); // a few float32 roundings of 1
                QVERIFY(std::abs(sums.loss - loss) <= 1e-6 * (1 + std::abs(loss)));
                QCOMPARE(sums.wrongRows, wrong);
            }
        }
    }

    void update_data() { products_data(); }

    void update()
    {
        QFETCH(int, kernels);
        const TileKernels& tested = *runnableKernels()[static_cast<std::size_t>(kernels)];
        std::mt19937 random(3);
        const std::size_t size = 64;
        const std::size_t offset = 16;
        const auto first = randomValues(size, random);
        const auto second = randomValues(size, random);
        const auto weights = randomValues(size, random);
        const auto velocity = randomValues(size, random);
        const float* partials[] = {first.data(), second.data()};
        std::vector<float> newWeights(size, 7);
        std::vector<float> newVelocity(size, 7);
        UpdateStretch stretch;
        stretch.offset = offset;
        stretch.size = size - 2 * offset;
        stretch.partials = partials;
        stretch.partialCount = 2;
        stretch.inverseRows = 0.25F;
        stretch.weights = weights.data();
        stretch.velocity = velocity.data();
        stretch.newWeights = newWeights.data();
        stretch.newVelocity = newVelocity.data();
        stretch.learningRate = 0.5F;
        stretch.momentum = 0.9F;
        UpdateResult result = tested.update(stretch);

        std::vector<double> expectedWeights(size, 7);
        std::vector<double> expectedVelocity(size, 7);
        double squares = 0;
        for (std::size_t i = offset; i < size - offset; ++i) {
            const double gradient =
                0.25 * (static_cast<double>(first[i]) + static_cast<double>(second[i]));
            squares += gradient * gradient;
            expectedVelocity[i] = 0.9 * static_cast<double>(velocity[i]) + gradient;
            expectedWeights[i] = static_cast<double>(weights[i]) - 0.5 * expectedVelocity[i];
        }
        QVERIFY(largestDistance(newVelocity, expectedVelocity) < 1e-6);
        QVERIFY(largestDistance(newWeights, expectedWeights) < 1e-6);
        QVERIFY(std::abs(result.squares - squares) < 1e-5);
        QVERIFY(result.finite);

        std::vector<float> overflowing = weights;
        overflowing[offset] = INFINITY;
        stretch.weights = overflowing.data();
        QVERIFY(!tested.update(stretch).finite);
    }

    void theComparisonNoticesAWrongValue()
    {
        QVERIFY(largestDistance({1, 2}, {1, 2}) == 0);
        QVERIFY(largestDistance({1, 2}, {1, 2.1}) > tolerance);
        QVERIFY(largestDistance({1, NAN}, {1, 2}) > tolerance);
        QVERIFY(largestDistance({1}, {1, 2}) > tolerance);
    }
};

QTEST_APPLESS_MAIN(TestTileKernels)
#include "tst_tile_kernels.moc"
