// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu_engine.h"
#include "tests/shared_data.h"
#include "tests/ui/window_under_test.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>

#include <algorithm>
#include <array>
#include <cstdio>

namespace fullbatch {

namespace {

constexpr double longestEvent = 0.050; // seconds
constexpr double longestStop = 0.3; // seconds

/// How long this thread was ready but without a processor since it began, in seconds; negative
/// where the system does not say. Time that other programs take is no fault of the event loop.
double waitedForProcessor()
{
    std::FILE* const file = std::fopen("/proc/thread-self/schedstat", "r");
    if (file == nullptr)
        return -1;
    unsigned long long ran = 0;
    unsigned long long waited = 0;
    const int read = std::fscanf(file, "%llu %llu", &ran, &waited); // NOLINT(cert-err34-c)
    std::fclose(file);
    constexpr double nanosecond = 1e-9;
    return read == 2 ? static_cast<double>(waited) * nanosecond : -1;
}

/// Measures every event that the event loop hands out.
class MeasuringApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_inside)
            return QApplication::notify(receiver, event);
        m_inside = true;
        const double waited = waitedForProcessor();
        QElapsedTimer clock;
        clock.start();
        const bool result = QApplication::notify(receiver, event);
        constexpr double nanosecond = 1e-9;
        const double busy = static_cast<double>(clock.nsecsElapsed()) * nanosecond
            - (waitedForProcessor() - waited);
        longest = std::max(longest, busy);
        ++events;
        m_inside = false;
        return result;
    }

    double longest = 0; // seconds
    int events = 0;

private:
    bool m_inside = false;
};

} // namespace

/// The window stays quick while the four networks of figure 20.2 train on the real CPU engine.
class TestEventLoop : public QObject
{
    Q_OBJECT

private slots:
    void measuringFindsABlockedLoop();
    void neverBlockedWhileFourTrain();
    void stopActsSoon();

private:
    static MeasuringApplication& application()
    {
        return *static_cast<MeasuringApplication*>(qApp); // made in main()
    }
    static std::unique_ptr<MainWindow> trainFour();

    OwnSettings m_settings;
};

void TestEventLoop::measuringFindsABlockedLoop()
{
    application().longest = 0;
    QTimer timer;
    timer.setSingleShot(true);
    connect(&timer, &QTimer::timeout, this, [] { QTest::qSleep(80); });
    timer.start();
    QTest::qWait(200);
    QVERIFY(application().longest > longestEvent);
}

std::unique_ptr<MainWindow> TestEventLoop::trainFour()
{
    auto window = std::make_unique<MainWindow>(setupWith({cpuEngineChoice()}));
    window->resize(1366, 768);
    window->show();
    choosePreset(*window, "figure-20-2");
    QTest::qWait(200); // fonts and styles are loaded by the first painting
    return window;
}

void TestEventLoop::neverBlockedWhileFourTrain()
{
    const auto window = trainFour();
    application().longest = 0;
    application().events = 0;
    action(*window, "start")->trigger();
    QCOMPARE(window->runs().size(), 4);
    QTest::qWait(4000);
    for (int row = 0; row < 4; ++row)
        QVERIFY(epochsOf(*window, row) > 0);
    qInfo("longest event %.1f ms of %d", 1000 * application().longest, application().events);
    QVERIFY(application().events > 40);
    QVERIFY2(application().longest <= longestEvent,
             qPrintable(QString::number(application().longest)));
    window->closeWithoutAsking();
}

void TestEventLoop::stopActsSoon()
{
    // The best of three, for on a busy machine the workers, at low priority, wait for a processor.
    double best = 1e9;
    for (int attempt = 0; attempt < 3 && best > longestStop; ++attempt) {
        const auto window = trainFour();
        action(*window, "start")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(epochsOf(*window, 0) > 10 && epochsOf(*window, 3) > 10, 60'000);
        QElapsedTimer clock;
        clock.start();
        action(*window, "stop")->trigger();
        while (window->runs().unfinished() > 0 && clock.elapsed() < 60'000)
            QCoreApplication::processEvents();
        constexpr double millisecond = 1e-3;
        best = std::min(best, static_cast<double>(clock.elapsed()) * millisecond);
        window->closeWithoutAsking();
    }
    qInfo("stopped after %.0f ms", 1000 * best);
    QVERIFY(best <= longestStop);
}

} // namespace fullbatch

int main(int argc, char** argv)
{
    if (fullbatch::waitedForProcessor() < 0) {
        std::puts("The system does not say how long a thread waits for a processor.");
        return fullbatch::testSkipped;
    }
    fullbatch::MeasuringApplication application(argc, argv);
    fullbatch::TestEventLoop test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_event_loop.moc"
