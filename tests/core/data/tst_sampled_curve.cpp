// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sampled_curve.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace fullbatch;

class TestSampledCurve : public QObject
{
    Q_OBJECT

private slots:
    void resamplesALine()
    {
        QCOMPARE(resampled({0, 2, 4}, 5), (SampledCurve{0, 1, 2, 3, 4}));
        QCOMPARE(resampled({0, 1, 0}, 3), (SampledCurve{0, 1, 0}));
        QCOMPARE(resampled({3, 9}, 1), SampledCurve{3});
        QCOMPARE(resampled({3, 9}, 2), (SampledCurve{3, 9}));
    }

    void keepsZeroExactlyZero()
    {
        // The generator's noise goes where the value is exactly 0.
        const SampledCurve curve = resampled({0.7, 0.1, 0, 0, 0, 0, 0}, 19);
        for (std::size_t point = 6; point < curve.size(); ++point)
            QVERIFY(curve[point] == 0);
        QVERIFY(curve[5] > 0);
    }

    void filterKeepsTheSumAndMirrorsAtTheEnds()
    {
        SampledCurve impulse(40, 0.0);
        impulse[0] = 1;
        const SampledCurve smooth = gaussianFiltered(impulse, 2);
        // Mirrored about the edge, the impulse stands at 0 and at -1.
        double weights = 0;
        for (int offset = -8; offset <= 8; ++offset)
            weights += std::exp(-offset * offset / 8.0);
        for (int point = 0; point < 12; ++point) {
            const double here = point <= 8 ? std::exp(-point * point / 8.0) : 0;
            const double mirror = point <= 7 ? std::exp(-(point + 1) * (point + 1) / 8.0) : 0;
            QVERIFY(std::abs(smooth[static_cast<std::size_t>(point)] - (here + mirror) / weights)
                    < 1e-15);
        }
        QVERIFY(std::abs(std::accumulate(smooth.begin(), smooth.end(), 0.0) - 1) < 1e-14);
    }

    void filterReachesOverACurveShorterThanItself()
    {
        for (const double value : gaussianFiltered({2, 2, 2}, 2))
            QVERIFY(std::abs(value - 2) < 1e-14);
    }
};

QTEST_APPLESS_MAIN(TestSampledCurve)
#include "tst_sampled_curve.moc"
