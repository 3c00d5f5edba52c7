// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chart/made_log.h"
#include "ui/chart/curve_chart.h"

#include <QLegend>
#include <QLegendMarker>
#include <QTest>

using namespace fullbatch;

namespace {

QString legendText(CurveChart& chart, int index)
{
    QStringList shown;
    for (const QLegendMarker* marker : chart.legend()->markers())
        if (!marker->label().isEmpty()) // the anchor's
            shown.push_back(marker->label());
    return shown.value(index);
}

} // namespace

class TestChartLegend : public QObject
{
    Q_OBJECT

private slots:
    void legendCountsWhatIsNotFinite();
    void twelveRunsInOrder();
    void hidingRecoloursNobody();
    void replacedRunKeepsItsPlace();
};

void TestChartLegend::legendCountsWhatIsNotFinite()
{
    CurveChart chart(Quantity::TrainingError);
    chart.addRun("a", "4 x 63", madeLog(5, [](std::uint64_t epoch) {
                     return epoch % 2 == 0 ? 1.0 : std::nan("");
                 }));
    QCOMPARE(legendText(chart, 0), QString("4 x 63"));
    chart.pull();
    QCOMPARE(legendText(chart, 0), QString("4 x 63 (2 values not finite)"));
    chart.setName("a", "deep");
    QCOMPARE(legendText(chart, 0), QString("deep (2 values not finite)"));
}

void TestChartLegend::twelveRunsInOrder()
{
    CurveChart chart(Quantity::TrainingError);
    for (int run = 0; run < 12; ++run)
        chart.addRun(QString::number(run), QString("run %1").arg(run),
                     std::make_shared<MetricsLog>());
    for (int run = 0; run < 12; ++run) {
        QCOMPARE(legendText(chart, run), QString("run %1").arg(run));
        QCOMPARE(chart.runs()[static_cast<std::size_t>(run)]->styleIndex(), run);
    }
}

void TestChartLegend::hidingRecoloursNobody()
{
    CurveChart chart(Quantity::TrainingError);
    for (const char* id : {"a", "b", "c"})
        chart.addRun(id, id, std::make_shared<MetricsLog>());
    chart.setRunVisible("b", false);
    QCOMPARE(chart.run("c")->styleIndex(), 2);
    chart.removeRun("b");
    QCOMPARE(chart.run("a")->styleIndex(), 0);
    QCOMPARE(chart.run("c")->styleIndex(), 2);
    chart.addRun("d", "d", std::make_shared<MetricsLog>());
    QCOMPARE(chart.run("d")->styleIndex(), 1);
    QCOMPARE(legendText(chart, 2), QString("d"));
}

void TestChartLegend::replacedRunKeepsItsPlace()
{
    CurveChart chart(Quantity::TrainingError);
    chart.addRun("a", "first", std::make_shared<MetricsLog>());
    chart.addRun("b", "second", std::make_shared<MetricsLog>());
    chart.addRun("a", "again", madeLog(7, [](std::uint64_t) { return 1.0; }));
    QCOMPARE(legendText(chart, 0), QString("again"));
    QCOMPARE(chart.run("a")->styleIndex(), 0);
    QCOMPARE(chart.runs().size(), std::size_t{2});
    chart.clearRuns();
    QVERIFY(chart.runs().empty());
    QCOMPARE(legendText(chart, 0), QString());
}

QTEST_MAIN(TestChartLegend)
#include "tst_chart_legend.moc"
