// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/precision_names.h"
#include "core/engine/rounding.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace fullbatch;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// A format by its definition, in float64: every number from 0 up, and behind them the power of two
/// that would come next. Entries of even index have 0 as their last bit.
class Format
{
public:
    Format(int exponentBits, int fractionBits)
    {
        const int bias = (1 << (exponentBits - 1)) - 1;
        const int fractions = 1 << fractionBits;
        for (int exponent = 0; exponent + 1 < 1 << exponentBits; ++exponent) {
            for (int fraction = 0; fraction < fractions; ++fraction) {
                const int significand = exponent == 0 ? fraction : fractions + fraction;
                m_values.push_back(
                    std::ldexp(significand, std::max(exponent, 1) - bias - fractionBits));
            }
        }
        m_values.push_back(std::ldexp(1, bias + 1));
    }

    [[nodiscard]] const std::vector<double>& values() const { return m_values; }

    [[nodiscard]] float nearest(float value) const
    {
        if (std::isnan(value))
            return value;
        const double magnitude = std::abs(static_cast<double>(value));
        const auto above = std::lower_bound(m_values.begin(), m_values.end(), magnitude);
        auto chosen = above;
        if (above == m_values.end()) {
            --chosen;
        } else if (above != m_values.begin()) {
            const double up = *above - magnitude;
            const double down = magnitude - *(above - 1);
            const bool evenAbove = (above - m_values.begin()) % 2 == 0;
            if (down < up || (down == up && !evenAbove))
                --chosen;
        }
        const float rounded = chosen + 1 == m_values.end() ? infinity : static_cast<float>(*chosen);
        return std::copysign(rounded, value);
    }

private:
    std::vector<double> m_values;
};

bool sameBits(float a, float b)
{
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

} // namespace

/// The rounding of products' inputs against the formats' definition.
class TestRounding : public QObject
{
    Q_OBJECT

private:
    static void formats()
    {
        QTest::addColumn<Precision>("precision");
        QTest::addColumn<int>("exponentBits");
        QTest::addColumn<int>("fractionBits");
        QTest::newRow("tf32") << Precision::Tf32 << 8 << 10;
        QTest::newRow("bf16") << Precision::Bf16 << 8 << 7;
        QTest::newRow("fp16") << Precision::Fp16 << 5 << 10;
    }

    /// Both signs of `value`.
    static void compare(Precision precision, const Format& format, float value)
    {
        for (const float each : {value, -value}) {
            const float rounded = roundedFor(precision, each);
            const float expected = format.nearest(each);
            if (!sameBits(rounded, expected)) {
                QFAIL(qPrintable(QStringLiteral("%1 becomes %2 instead of %3")
                                     .arg(each, 0, 'g', 9)
                                     .arg(rounded, 0, 'g', 9)
                                     .arg(expected, 0, 'g', 9)));
            }
        }
    }

private slots:
    void numbersAndTies_data() { formats(); }
    void numbersAndTies();
    void manyFloats_data() { formats(); }
    void manyFloats();
    void whatTheFormatsSay();
    void nansStay();
    void otherPrecisionsRoundNothing();
};

/// Every number of the format, every midpoint of two, and the floats beside them.
void TestRounding::numbersAndTies()
{
    QFETCH(Precision, precision);
    QFETCH(int, exponentBits);
    QFETCH(int, fractionBits);
    const Format format(exponentBits, fractionBits);
    const std::vector<double>& values = format.values();
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
        const auto number = static_cast<float>(values[i]);
        QVERIFY(sameBits(roundedFor(precision, number), number));
        const auto middle = static_cast<float>((values[i] + values[i + 1]) / 2);
        for (const float value :
             {number, middle, std::nextafter(middle, 0.0F), std::nextafter(middle, infinity)})
            compare(precision, format, value);
        if (QTest::currentTestFailed())
            return;
    }
    compare(precision, format, std::numeric_limits<float>::max());
    compare(precision, format, infinity);
}

/// A fixed share of all float32 numbers, through every exponent.
void TestRounding::manyFloats()
{
    QFETCH(Precision, precision);
    QFETCH(int, exponentBits);
    QFETCH(int, fractionBits);
    const Format format(exponentBits, fractionBits);
    constexpr std::uint32_t stride = 251; // a prime: no bit stays the same
    for (std::uint32_t bits = 0; bits < 0x7f800000U; bits += stride) {
        const auto value = std::bit_cast<float>(bits);
        const float rounded = roundedFor(precision, value);
        if (!sameBits(rounded, format.nearest(value)))
            compare(precision, format, value);
        if (QTest::currentTestFailed())
            return;
    }
}

/// Some values by hand, at compile time.
void TestRounding::whatTheFormatsSay()
{
    static_assert(roundedToBf16(1 + 0x1p-8F) == 1); // ties to even
    static_assert(roundedToBf16(1 + 0x3p-8F) == 1 + 0x1p-6F);
    static_assert(roundedToTf32(1 + 0x1p-11F) == 1);
    static_assert(roundedToTf32(1 + 0x3p-11F) == 1 + 0x1p-9F);
    static_assert(roundedToFp16(2049) == 2048 && roundedToFp16(2051) == 2052);
    static_assert(roundedToFp16(65504) == 65504 && roundedToFp16(65519.99F) == 65504);
    static_assert(roundedToFp16(65520) == infinity && roundedToFp16(-1e5F) == -infinity);
    static_assert(roundedToBf16(std::numeric_limits<float>::max()) == infinity);
    static_assert(roundedToTf32(std::numeric_limits<float>::max()) == infinity);
    static_assert(roundedToFp16(0x1p-24F) == 0x1p-24F); // the smallest denormal
    static_assert(roundedToFp16(0x1p-25F) == 0 && roundedToFp16(0x1.8p-24F) == 0x1p-23F);
    static_assert(roundedToBf16(0x1p-133F) == 0x1p-133F && roundedToBf16(0x1p-134F) == 0);
    static_assert(roundedToTf32(0x1p-136F) == 0x1p-136F && roundedToTf32(0x1p-137F) == 0);
    QVERIFY(sameBits(roundedToFp16(-1e-30F), -0.0F));
    QVERIFY(sameBits(roundedToBf16(-0.0F), -0.0F));
}

void TestRounding::nansStay()
{
    for (const std::uint32_t bits :
         {0x7fc00000U, 0xffc00000U, 0x7fffffffU, 0xffffffffU, 0x7f800001U, 0xffbfffffU}) {
        for (const auto& [precision, name] : namedPrecisions) {
            const auto rounded =
                std::bit_cast<std::uint32_t>(roundedFor(precision, std::bit_cast<float>(bits)));
            QVERIFY2((rounded & 0x7fffffffU) > 0x7f800000U, name.data());
            QCOMPARE(rounded & 0x80000000U, bits & 0x80000000U);
        }
    }
}

void TestRounding::otherPrecisionsRoundNothing()
{
    for (const auto& [precision, name] : namedPrecisions) {
        const float value = 1 + 0x1p-23F;
        QCOMPARE(roundedFor(precision, value) != value, roundsInputs(precision));
    }
}

QTEST_APPLESS_MAIN(TestRounding)
#include "tst_rounding.moc"
