// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chart/made_log.h"
#include "ui/chart/curve_chart_view.h"

#include <QAction>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

#include <memory>

using namespace fullbatch;

class TestCurveChartView : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void dragZooms();
    void clickDoesNotZoom();
    void wheelZoomsAroundTheMouse();
    void zoomOutEndsWithEverything();
    void doubleClickResets();
    void keysZoomAndPan();
    void keysRead();
    void readoutNamesEveryCurve();
    void readoutTellsOfASpike();
    void zoomStaysWhileDataArrive();
    void logarithmicKey();
    void measuresItsFrame();

private:
    [[nodiscard]] QPoint placeOf(double epoch, double value) const;
    void moveMouse(const QPoint& place, Qt::MouseButtons buttons = {});
    void turnWheel(double epoch, int notches, Qt::KeyboardModifiers modifiers = {});

    std::unique_ptr<CurveChartView> m_view;
    std::shared_ptr<MetricsLog> m_log;
};

void TestCurveChartView::init()
{
    m_view = std::make_unique<CurveChartView>(Quantity::TrainingError);
    m_view->resize(900, 500);
    m_log = madeLog(10'000, [](std::uint64_t epoch) { return epoch == 5000 ? 80.0 : 5.0; });
    m_view->curves().addRun("a", "4 x 63", m_log);
    m_view->show();
    while (m_view->pull()) { }
    QCoreApplication::processEvents();
}

void TestCurveChartView::cleanup()
{
    m_view.reset();
}

QPoint TestCurveChartView::placeOf(double epoch, double value) const
{
    const PlotFrame& frame = m_view->curves().frame();
    return m_view->mapFromScene(
        m_view->curves().mapToScene(QPointF(frame.x(epoch), frame.y(value))));
}

// Not by QTest::mouseMove(), which moves the cursor and leaves the rest to the platform.
void TestCurveChartView::moveMouse(const QPoint& place, Qt::MouseButtons buttons)
{
    QMouseEvent event(QEvent::MouseMove, place, m_view->viewport()->mapToGlobal(place),
                      Qt::NoButton, buttons, {});
    QCoreApplication::sendEvent(m_view->viewport(), &event);
}

void TestCurveChartView::turnWheel(double epoch, int notches, Qt::KeyboardModifiers modifiers)
{
    const QPointF place = placeOf(epoch, 50);
    QWheelEvent event(place, m_view->viewport()->mapToGlobal(place), {}, {0, 120 * notches},
                      Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(m_view->viewport(), &event);
}

void TestCurveChartView::dragZooms()
{
    const double pixel = 10'000 / m_view->curves().plotArea().width();
    const QPoint from = placeOf(2000, 75);
    const QPoint to = placeOf(6000, 25);
    QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, from);
    moveMouse(to, Qt::LeftButton);
    QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, to);
    const PlotFrame& frame = m_view->curves().frame();
    QVERIFY(std::abs(frame.epochs.from - 2000) <= pixel);
    QVERIFY(std::abs(frame.epochs.to - 6000) <= pixel);
    QVERIFY(std::abs(frame.values.from - 25) <= 1);
    QVERIFY(std::abs(frame.values.to - 75) <= 1);
}

void TestCurveChartView::clickDoesNotZoom()
{
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, placeOf(2000, 50));
    QVERIFY(!m_view->curves().zoomed());
}

void TestCurveChartView::wheelZoomsAroundTheMouse()
{
    const QPoint before = placeOf(3000, 50);
    turnWheel(3000, 3);
    QVERIFY(m_view->curves().frame().epochs.length() < 7000);
    QVERIFY(std::abs(placeOf(3000, 50).x() - before.x()) <= 2);
    QCOMPARE(m_view->curves().frame().values, (AxisRange{0, 100}));
    turnWheel(3000, 3, Qt::ControlModifier);
    QVERIFY(m_view->curves().frame().values.length() < 60);
}

void TestCurveChartView::zoomOutEndsWithEverything()
{
    turnWheel(3000, 3);
    QVERIFY(m_view->curves().zoomed());
    turnWheel(3000, -10);
    QVERIFY(!m_view->curves().zoomed());
    QCOMPARE(m_view->curves().frame().epochs, (AxisRange{0, 10'000}));
}

void TestCurveChartView::doubleClickResets()
{
    turnWheel(3000, 3);
    QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, placeOf(3000, 50));
    QVERIFY(!m_view->curves().zoomed());
}

void TestCurveChartView::keysZoomAndPan()
{
    QTest::keyClick(m_view.get(), Qt::Key_Plus);
    const AxisRange zoomed = m_view->curves().frame().epochs;
    QVERIFY(zoomed.length() < 8000);
    QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(m_view->curves().frame().epochs.from > zoomed.from);
    for (int i = 0; i < 30; ++i)
        QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(m_view->curves().frame().epochs.to, 10'000.0);
    m_view->resetZoomAction()->trigger();
    QVERIFY(!m_view->curves().zoomed());
}

void TestCurveChartView::keysRead()
{
    QTest::keyClick(m_view.get(), Qt::Key_Right);
    QVERIFY(m_view->readout().text().startsWith("Epoch 5,000\n4 x 63: 80 %"));
    QCOMPARE(m_view->accessibleDescription(), m_view->readout().text());
    QTest::keyClick(m_view.get(), Qt::Key_Left);
    QVERIFY(*m_view->readout().epoch() < 5000);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QVERIFY(!m_view->readout().epoch());
}

void TestCurveChartView::readoutNamesEveryCurve()
{
    m_view->curves().addRun("b", "short", madeLog(100, [](std::uint64_t) { return 12.5; }));
    m_view->curves().addRun("c", "hidden", madeLog(9000, [](std::uint64_t) { return 1.0; }));
    m_view->curves().setRunVisible("c", false);
    while (m_view->pull()) { }
    moveMouse(placeOf(40, 50));
    QVERIFY(m_view->readout().text().contains("short: 12.5 %"));
    QVERIFY(m_view->readout().text().contains("4 x 63: 5 %"));
    QVERIFY(!m_view->readout().text().contains("hidden"));
    moveMouse(placeOf(4000, 50));
    QVERIFY(!m_view->readout().text().contains("short"));
}

void TestCurveChartView::readoutTellsOfASpike()
{
    moveMouse(placeOf(5000, 50));
    QVERIFY2(m_view->readout().text().contains("(5 to 80 here)"),
             qPrintable(m_view->readout().text()));
}

void TestCurveChartView::zoomStaysWhileDataArrive()
{
    m_view->curves().zoomEpochs(AxisRange{1000, 2000});
    extendLog(*m_log, 60'000, [](std::uint64_t) { return 3.0; });
    while (m_view->pull()) { }
    QCOMPARE(m_view->curves().frame().epochs, (AxisRange{1000, 2000}));
    m_view->curves().resetZoom();
    QCOMPARE(m_view->curves().frame().epochs, (AxisRange{0, 60'000}));
}

void TestCurveChartView::logarithmicKey()
{
    m_view->logarithmicAction()->trigger();
    QVERIFY(m_view->curves().logarithmic());
    m_view->logarithmicAction()->trigger();
    QVERIFY(!m_view->curves().logarithmic());
}

void TestCurveChartView::measuresItsFrame()
{
    m_view->pull();
    m_view->grab();
    QVERIFY(m_view->frameSeconds() > 0);
}

QTEST_MAIN(TestCurveChartView)
#include "tst_curve_chart_view.moc"
