// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/presets.h"

#include <QTest>

#include <stdexcept>

using namespace fullbatch;

class PresetsTest : public QObject
{
    Q_OBJECT

private slots:
    void theFourNetworksOfTheFigure_data()
    {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("widths");
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<qint64>("epochs");
        QTest::newRow("1") << 0 << "one-layer"
                           << "1 x 298" << 15'208LL << 500'000LL;
        QTest::newRow("2") << 1 << "two-layers"
                           << "2 x 100" << 15'210LL << 200'000LL;
        QTest::newRow("3") << 2 << "three-layers"
                           << "3 x 75" << 15'235LL << 200'000LL;
        QTest::newRow("4") << 3 << "four-layers"
                           << "4 x 63" << 15'319LL << 200'000LL;
    }

    void theFourNetworksOfTheFigure()
    {
        QFETCH(int, index);
        QFETCH(QString, name);
        QFETCH(QString, widths);
        QFETCH(qint64, parameters);
        QFETCH(qint64, epochs);
        QCOMPARE(figure202Presets().size(), std::size_t(4));
        const RunSpec spec = figure202Presets()[static_cast<std::size_t>(index)];
        QCOMPARE(QString::fromStdString(spec.name), name);
        QCOMPARE(QString::fromStdString(widthsText(spec.hiddenWidths)), widths);
        QCOMPARE(qint64(networkShape(spec, 40, 10).parameterCount()), parameters);
        QCOMPARE(qint64(spec.epochs), epochs);
        QCOMPARE(spec.learningRate, 0.0025);
        QCOMPARE(spec.momentum, 0.0);
        QCOMPARE(spec.seed, std::uint64_t(1));
        QCOMPARE(spec.testEvery, std::int64_t(0));
        QVERIFY(problems(spec).empty());
        QVERIFY(presetByName(spec.name) == spec);
    }

    void anUnknownNameIsAnsweredWithTheNamesThereAre()
    {
        try {
            (void)presetByName("five-layers");
            QFAIL("accepted");
        } catch (const std::invalid_argument& error) {
            QCOMPARE(QString(error.what()),
                     QString("There is no preset \"five-layers\"; the presets are one-layer, "
                             "two-layers, three-layers, four-layers."));
        }
    }
};

QTEST_APPLESS_MAIN(PresetsTest)
#include "tst_presets.moc"
