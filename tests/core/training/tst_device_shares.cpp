// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/device_shares.h"

#include <QTest>

using namespace fullbatch;

class DeviceSharesTest : public QObject
{
    Q_OBJECT

private slots:
    void runsGoToTheDeviceWithTheFewest_data()
    {
        QTest::addColumn<int>("runs");
        QTest::addColumn<std::vector<int>>("busy");
        QTest::addColumn<std::vector<std::size_t>>("shares");
        using Busy = std::vector<int>;
        using Shares = std::vector<std::size_t>;
        QTest::newRow("no run") << 0 << Busy{0, 0} << Shares{};
        QTest::newRow("one device") << 4 << Busy{3} << Shares{0, 0, 0, 0};
        QTest::newRow("one run, the preferred device") << 1 << Busy{0, 0} << Shares{0};
        QTest::newRow("four runs, two devices") << 4 << Busy{0, 0} << Shares{0, 1, 0, 1};
        QTest::newRow("four runs, eight devices") << 4 << Busy(8) << Shares{0, 1, 2, 3};
        QTest::newRow("four runs, three devices") << 4 << Busy(3) << Shares{0, 1, 2, 0};
        QTest::newRow("the first is busy") << 4 << Busy{2, 0} << Shares{1, 1, 0, 1};
    }
    void runsGoToTheDeviceWithTheFewest()
    {
        QFETCH(const int, runs);
        QFETCH(const std::vector<int>, busy);
        QFETCH(const std::vector<std::size_t>, shares);
        QCOMPARE(deviceShares(runs, busy), shares);
    }

    void idsOfGraphicsCards()
    {
        for (const char* const id : {"gpu", "gpu:1", "gpu:12"})
            QVERIFY(isGpu(id));
        for (const char* const id : {"cpu", "reference", "", "gpus", "a gpu"})
            QVERIFY(!isGpu(id));
    }
};

QTEST_GUILESS_MAIN(DeviceSharesTest)
#include "tst_device_shares.moc"
