// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_under_test.h"
#include "ui/parts/background_work.h"

#include <QComboBox>
#include <QLabel>

#include <atomic>
#include <thread>

namespace fullbatch {

/// The window while graphics cards are being looked for, which may take long.
class TestEngineSearch : public QObject
{
    Q_OBJECT

private slots:
    void init() { OwnSettings::forget(); }
    void theWindowWorksMeanwhile();
    void closingDoesNotWait();

private:
    /// A search that ends when `m_release` is set.
    WindowSetup slowSetup();

    OwnSettings m_settings;
    std::atomic<bool> m_searching = false;
    std::atomic<bool> m_release = false;
    std::atomic<bool> m_inGuiThread = false;
};

namespace {

constexpr int patience = 20'000; // milliseconds, for a machine with other things to do

QString messages(const QWidget& window)
{
    QStringList all;
    for (const QLabel* const label : window.findChildren<QLabel*>())
        if (label->isVisible())
            all << label->text();
    return all.join(QLatin1Char('\n'));
}

} // namespace

WindowSetup TestEngineSearch::slowSetup()
{
    m_searching = false;
    m_release = false;
    EngineChoice searching = unusableGpu();
    searching.description = "GPU";
    searching.unusable = "Looking for graphics cards.";
    WindowSetup setup = setupWith({scriptedCpu(plausibleScript(100)), searching});
    setup.listEngines = [this, gui = std::this_thread::get_id()] {
        m_inGuiThread = std::this_thread::get_id() == gui;
        m_searching = true;
        m_release.wait(false);
        EngineChoice old = unusableGpu();
        old.id = "gpu:1";
        return std::vector<EngineChoice>{scriptedCpu(plausibleScript(100)),
                                         fakeEngineChoice({}, "gpu"), old};
    };
    return setup;
}

void TestEngineSearch::theWindowWorksMeanwhile()
{
    MainWindow window(slowSetup());
    window.show();
    QTRY_VERIFY_WITH_TIMEOUT(m_searching, patience);
    QVERIFY(!m_inGuiThread);
    QVERIFY(messages(window).contains(QStringLiteral("GPU: Looking for graphics cards.")));
    const auto* const box = window.findChild<QComboBox*>(QStringLiteral("engine"));
    QCOMPARE(box->count(), 2);
    action(window, "start")->trigger(); // the CPU does not wait for it either
    QTRY_VERIFY_WITH_TIMEOUT(epochsOf(window, 0) > 100, patience);
    QCOMPARE(box->count(), 2);

    m_release = true;
    m_release.notify_all();
    QTRY_COMPARE_WITH_TIMEOUT(box->count(), 3, patience);
    QCOMPARE(box->currentIndex(), 0);
    QVERIFY(!messages(window).contains(QStringLiteral("Looking for")));
    QVERIFY(messages(window).contains(QStringLiteral("The NVIDIA driver is not installed. "
                                                     "Install the driver")));
    QCOMPARE(stateOf(window, 0), RunState::Running);
    window.closeWithoutAsking();
}

void TestEngineSearch::closingDoesNotWait()
{
    {
        MainWindow window(slowSetup());
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(m_searching, patience);
        QVERIFY(window.close());
    }
    QCOMPARE(BackgroundWork::leftBehind(), 1);
    m_release = true;
    m_release.notify_all();
    QTRY_COMPARE_WITH_TIMEOUT(BackgroundWork::leftBehind(), 0, patience);
}

} // namespace fullbatch

QTEST_MAIN(fullbatch::TestEngineSearch)
#include "tst_engine_search.moc"
