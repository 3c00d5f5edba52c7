// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/activation_functions.h"
#include "core/engine/cpu/tile_kernels.h"
#include "core/network/activation_names.h"
#include "tests/core/engine/runnable_kernels.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

using namespace fullbatch;

namespace {

// A float32 sum of `depth` products of values up to 1 is off by at most depth * 2^-24 * depth; the
// bound here is a hundredth of one product, far above that and far below any real fault.
constexpr double tolerance = 1e-4;

// A handful of roundings on the way to an activation: exponential, quotient, polynomial.
constexpr double mostHalfUlps = 8;

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

/// The kernel's value and slope at one point.
ActivationPoint<float> activated(const TileKernels& kernels, LayerKind kind, float x)
{
    std::vector<float> values(static_cast<std::size_t>(kernels.lanes), x);
    std::vector<float> slopes = values;
    kernels.activate(kind, {1, 1, kernels.lanes, values.data(), slopes.data()});
    return {values[0], slopes[0]};
}

/// Dense where the functions bend, and every size of both signs.
std::vector<float> gridOfFloats()
{
    std::vector<float> grid;
    for (int i = -110'000; i <= 110'000; ++i)
        grid.push_back(static_cast<float>(i) * 0.00100013F);
    for (float x = 1e-37F; x < 1e37F; x *= 1.013F) {
        grid.push_back(x);
        grid.push_back(-x);
    }
    return grid;
}

/// The derivative in double, without the cancellation of 1 - value^2 and value * (1 - value).
double exactSlope(LayerKind kind, double x)
{
    if (kind == LayerKind::Tanh)
        return 1 / (std::cosh(x) * std::cosh(x));
    if (kind == LayerKind::Sigmoid)
        return 1 / (std::exp(x) + 2 + std::exp(-x));
    return activationAt(kind, x).slope;
}

/// What a slope's error is measured by: its own size, but GELU's has a zero where its two terms
/// cancel, so there it is theirs.
double slopeSize(LayerKind kind, double x)
{
    const double normal = std::erfc(-x * std::sqrt(0.5)) / 2;
    return kind == LayerKind::Gelu ? std::abs(exactSlope(kind, x)) + normal : exactSlope(kind, x);
}

/// Distance in units of half the last place of a value of this size; what is below 1e-37 need not
/// be told from 0.
double halfUlps(float ours, double exact, double size)
{
    const double distance = std::abs(double{ours} - exact);
    const double unit = std::max(std::abs(size) * 0x1p-24, 1e-37);
    return std::isnan(distance) ? INFINITY : distance / unit;
}

bool same(float ours, float theirs)
{
    return ours == theirs || (std::isnan(ours) && std::isnan(theirs));
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

                    Case sloped = made;
                    sloped.product.c = sloped.c.data();
                    for (std::size_t i = 0; i < sloped.extra.size(); i += 3)
                        sloped.extra[i] = 0;
                    tested.inputGradientBySlopes(sloped.product, sloped.extra.data());
                    QVERIFY(largestDistance(
                                sloped.c,
                                made.expected(false,
                                              [&](double sum, std::size_t at, std::int64_t) {
                                                  return static_cast<double>(sloped.extra[at])
                                                      * sum;
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

    void activations_data()
    {
        QTest::addColumn<int>("kernels");
        QTest::addColumn<int>("kind");
        for (std::size_t i = 0; i < runnableKernels().size(); ++i) {
            for (const auto& [kind, name] : activationNames) {
                if (kind != LayerKind::Relu)
                    QTest::addRow("%s, %s", runnableKernels()[i]->name, name.data())
                        << static_cast<int>(i) << static_cast<int>(kind);
            }
        }
    }

    void activations()
    {
        QFETCH(int, kernels);
        QFETCH(int, kind);
        const TileKernels& tested = *runnableKernels()[static_cast<std::size_t>(kernels)];
        const auto activation = static_cast<LayerKind>(kind);
        double worstValue = 0;
        double worstSlope = 0;
        for (const float x : gridOfFloats()) {
            const auto [value, slope] = activated(tested, activation, x);
            const double exact = activationAt(activation, double{x}).value;
            worstValue = std::max(worstValue, halfUlps(value, exact, exact));
            worstSlope = std::max(
                worstSlope, halfUlps(slope, exactSlope(activation, x), slopeSize(activation, x)));
        }
        QVERIFY2(worstValue <= mostHalfUlps, qPrintable(QString::number(worstValue)));
        QVERIFY2(worstSlope <= mostHalfUlps, qPrintable(QString::number(worstSlope)));
    }

    void activationsAtTheEnds_data() { activations_data(); }

    void activationsAtTheEnds()
    {
        QFETCH(int, kernels);
        QFETCH(int, kind);
        const TileKernels& tested = *runnableKernels()[static_cast<std::size_t>(kernels)];
        const auto activation = static_cast<LayerKind>(kind);
        QVERIFY(std::isnan(activated(tested, activation, NAN).value));
        for (const float x : {0.0F, -0.0F, INFINITY, -INFINITY, 3e38F, -3e38F, 1e-40F}) {
            const auto [value, slope] = activated(tested, activation, x);
            const ActivationPoint<float> expected = activationAt(activation, x);
            QVERIFY2(same(value, expected.value), qPrintable(QString::number(double(x))));
            QVERIFY2(same(slope, expected.slope), qPrintable(QString::number(double(x))));
        }
    }

    void activationsKeepTheOnesUnit_data() { activations_data(); }

    void activationsKeepTheOnesUnit()
    {
        QFETCH(int, kernels);
        QFETCH(int, kind);
        const TileKernels& tested = *runnableKernels()[static_cast<std::size_t>(kernels)];
        const auto activation = static_cast<LayerKind>(kind);
        const std::int64_t stride = 2 * tested.lanes;
        for (const std::int64_t units :
             {std::int64_t{1}, std::int64_t{tested.lanes} - 1, std::int64_t{tested.lanes},
              std::int64_t{tested.lanes} + 1}) {
            const std::int64_t columns = 3;
            std::vector<float> values(static_cast<std::size_t>(columns * stride), 1.0F);
            std::vector<float> slopes(values.size(), 7.0F);
            tested.activate(activation, {units, columns, stride, values.data(), slopes.data()});
            std::vector<float> withoutSlopes(values.size(), 1.0F);
            tested.activate(activation, {units, columns, stride, withoutSlopes.data(), nullptr});
            QCOMPARE(withoutSlopes, values);
            const std::int64_t touched = (units + tested.lanes - 1) / tested.lanes * tested.lanes;
            const auto [value, slope] = activated(tested, activation, 1.0F);
            for (std::int64_t i = 0; i < columns * stride; ++i) {
                const std::int64_t unit = i % stride;
                const auto at = static_cast<std::size_t>(i);
                QCOMPARE(values[at], unit < units ? value : 1.0F);
                QCOMPARE(slopes[at], unit < units ? slope : unit < touched ? 0.0F : 7.0F);
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

    void transposition_data() { products_data(); }

    void transposition()
    {
        QFETCH(int, kernels);
        const TileKernels& tested = *runnableKernels()[static_cast<std::size_t>(kernels)];
        for (const std::int64_t rows : {1, 15, 16, 17, 48}) {
            for (const std::int64_t columns : {1, 4, 10, 16, 33}) {
                const std::int64_t fromStride = columns + tested.lanes;
                const std::int64_t toStride = rows + 3;
                std::vector<float> from(static_cast<std::size_t>(rows * fromStride));
                std::iota(from.begin(), from.end(), 1.0F);
                std::vector<float> to(static_cast<std::size_t>(columns * toStride));
                tested.transpose(from.data(), fromStride, to.data(), toStride, rows, columns);
                for (std::int64_t i = 0; i < columns * toStride; ++i) {
                    const std::int64_t row = i % toStride; // what lies beyond the rows is left
                    const auto at = static_cast<std::size_t>(row * fromStride + i / toStride);
                    QCOMPARE(to[static_cast<std::size_t>(i)], row < rows ? from[at] : 0.0F);
                }
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
        QVERIFY(halfUlps(1.0F, 1 + 0x1p-19, 1) > mostHalfUlps);
        QVERIFY(halfUlps(NAN, 1, 1) > mostHalfUlps);
    }
};

QTEST_APPLESS_MAIN(TestTileKernels)
#include "tst_tile_kernels.moc"
