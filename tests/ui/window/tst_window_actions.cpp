// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_under_test.h"

#include <QAbstractButton>
#include <QMessageBox>
#include <QRegularExpression>
#include <QTableView>

namespace fullbatch {

/// Start, Pause, Resume, Step, Stop and Close in every order.
class TestWindowActions : public QObject
{
    Q_OBJECT

private slots:
    void init() { OwnSettings::forget(); }
    void everySequence_data();
    void everySequence();
    void oneRunForManyStarts_data();
    void oneRunForManyStarts();
    void startAgainAfterStop();
    void stopLeavesNoLateEpochs();
    void selectionLimitsWhatActionsDo();
    void closingAsksOnceWhileTraining();
    void keepingTheWindowKeepsTheRuns();
    void closingAgainAnswersTheQuestion();
    void endOfTheSessionAsksNothing();

private:
    static std::unique_ptr<MainWindow> open();

    OwnSettings m_settings;
};

namespace {

constexpr int patience = 10'000; // milliseconds, for a machine with other things to do

/// What a window with at most one training run should do; the rules that a person expects, written
/// down without a thread.
struct Expected
{
    int runs = 0;
    bool paused = false;
    bool training = false; // running or paused
    bool closed = false;

    [[nodiscard]] bool enabled(char key) const
    {
        switch (key) {
        case 'P':
            return training && !paused;
        case 'R':
            return training && paused;
        case 'S': // step
        case 'X': // stop
            return training;
        default:
            return true;
        }
    }
    void press(char key)
    {
        if (!enabled(key))
            return;
        if (key == 'T' && !training) {
            ++runs;
            training = true;
            paused = false;
        }
        if (key == 'P' || key == 'S')
            paused = true;
        if (key == 'R')
            paused = false;
        if (key == 'X')
            training = false;
        if (key == 'C')
            closed = true;
    }
    [[nodiscard]] RunState state() const
    {
        if (!training)
            return RunState::Stopped;
        return paused ? RunState::Paused : RunState::Running;
    }
};

const char* nameOf(char key)
{
    switch (key) {
    case 'T':
        return "start";
    case 'P':
        return "pause";
    case 'R':
        return "resume";
    case 'S':
        return "step";
    default:
        return "stop";
    }
}

QAbstractButton* answer(MainWindow& window, QMessageBox::ButtonRole role)
{
    auto* const box = window.findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
    if (box != nullptr)
        for (QAbstractButton* const button : box->buttons())
            if (box->buttonRole(button) == role)
                return button;
    return nullptr;
}

} // namespace

std::unique_ptr<MainWindow> TestWindowActions::open()
{
    auto window = std::make_unique<MainWindow>(setupWith({scriptedCpu(plausibleScript(200))}));
    window->show();
    return window;
}

void TestWindowActions::everySequence_data()
{
    QTest::addColumn<QString>("keys");
    // Every sequence up to length four; the shorter ones are beginnings of the longer ones, and
    // each step is checked. Nothing follows a Close.
    const QString alphabet = QStringLiteral("TPRSX");
    constexpr int length = 4;
    QStringList sequences = {QString()};
    for (int i = 0; i < length; ++i) {
        QStringList longer;
        for (const QString& sequence : sequences)
            for (const QChar key : alphabet)
                longer << sequence + key;
        sequences = longer;
    }
    // One data row for each first pair of keys, so that a failure is found quickly.
    for (const QChar first : alphabet)
        for (const QChar second : alphabet) {
            const QString start = QString(first) + second;
            QTest::newRow(qPrintable(start))
                << sequences.filter(QRegularExpression('^' + start)).join(QLatin1Char(' '));
        }
}

void TestWindowActions::everySequence()
{
    QFETCH(QString, keys);
    for (const QString& sequence : keys.split(QLatin1Char(' '))) {
        const auto window = open();
        Expected expected;
        for (const QChar each : sequence) {
            const char key = each.toLatin1();
            QAction* const pressed = action(*window, nameOf(key));
            if (expected.training && expected.paused)
                QTRY_VERIFY_WITH_TIMEOUT(window->runs().at(expected.runs - 1).session->waiting(),
                                         patience);
            const std::size_t before = epochsOf(*window, window->runs().size() - 1);
            const bool step = key == 'S' && expected.enabled('S') && expected.paused;
            pressed->trigger(); // does nothing while it is disabled
            expected.press(key);
            QCOMPARE(window->runs().size(), expected.runs);
            if (expected.runs == 0)
                continue;
            const int row = expected.runs - 1;
            QTRY_COMPARE_WITH_TIMEOUT(stateOf(*window, row), expected.state(), patience);
            if (step)
                QTRY_COMPARE_WITH_TIMEOUT(epochsOf(*window, row), before + 1, patience);
            for (const char other : {'P', 'R', 'S', 'X'})
                QVERIFY2(action(*window, nameOf(other))->isEnabled() == expected.enabled(other),
                         qPrintable(sequence + QStringLiteral(": ") + QChar(other)));
            if (expected.training && !expected.paused)
                QTRY_VERIFY_WITH_TIMEOUT(epochsOf(*window, row) > 0, patience);
        }
        // Close in whatever state that was.
        window->closeWithoutAsking();
        QVERIFY(!window->isVisible());
    }
}

void TestWindowActions::oneRunForManyStarts_data()
{
    QTest::addColumn<QString>("how");
    for (const char* const how : {"double click", "click and Enter", "ten times the shortcut"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

void TestWindowActions::oneRunForManyStarts()
{
    QFETCH(QString, how);
    const auto window = open();
    auto* const button = window->findChild<QAbstractButton*>(QStringLiteral("startButton"));
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    if (how.startsWith(QLatin1String("double"))) {
        QTest::mouseDClick(button, Qt::LeftButton);
        QTest::mouseClick(button, Qt::LeftButton);
    } else if (how.startsWith(QLatin1String("click"))) {
        QTest::mouseClick(button, Qt::LeftButton);
        QTest::keyClick(button, Qt::Key_Return);
    } else {
        for (int i = 0; i < 10; ++i)
            QTest::keyClick(window.get(), Qt::Key_F5);
    }
    QCOMPARE(window->runs().size(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*window, 0), RunState::Running, patience);
    QCOMPARE(window->runs().size(), 1);
}

void TestWindowActions::startAgainAfterStop()
{
    const auto window = open();
    action(*window, "start")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*window, 0), RunState::Running, patience);
    action(*window, "stop")->trigger();
    action(*window, "start")->trigger(); // another press of another key lay between
    QCOMPARE(window->runs().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*window, 1), RunState::Running, patience);
}

void TestWindowActions::stopLeavesNoLateEpochs()
{
    const auto window = open();
    action(*window, "start")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(epochsOf(*window, 0) > 10, patience);
    action(*window, "stop")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*window, 0), RunState::Stopped, patience);
    const std::size_t epochs = epochsOf(*window, 0);
    QTest::qWait(100);
    QCOMPARE(epochsOf(*window, 0), epochs);
}

void TestWindowActions::selectionLimitsWhatActionsDo()
{
    const auto window = open();
    action(*window, "start")->trigger();
    field(*window, "seed")->setText(QStringLiteral("2"));
    QTest::qWait(700); // longer than a burst of clicks
    action(*window, "start")->trigger();
    QCOMPARE(window->runs().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*window, 1), RunState::Running, patience);
    auto* const table = window->findChild<QTableView*>(QStringLiteral("runs"));
    table->selectRow(1);
    action(*window, "pause")->trigger();
    QCOMPARE(stateOf(*window, 0), RunState::Running);
    QCOMPARE(stateOf(*window, 1), RunState::Paused);
    QVERIFY(!action(*window, "pause")->isEnabled());
    QTest::keyClick(table, Qt::Key_Escape);
    QVERIFY(action(*window, "pause")->isEnabled());
    action(*window, "stop")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(window->runs().unfinished(), 0, patience);
}

void TestWindowActions::closingAsksOnceWhileTraining()
{
    const auto window = open();
    action(*window, "start")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*window, 0), RunState::Running, patience);
    QVERIFY(!window->close());
    QAbstractButton* const yes = answer(*window, QMessageBox::AcceptRole);
    QVERIFY(yes != nullptr);
    yes->click();
    QVERIFY(!window->isVisible());
}

void TestWindowActions::keepingTheWindowKeepsTheRuns()
{
    const auto window = open();
    action(*window, "start")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(*window, 0), RunState::Running, patience);
    QVERIFY(!window->close());
    answer(*window, QMessageBox::RejectRole)->click();
    QVERIFY(window->isVisible());
    QCOMPARE(stateOf(*window, 0), RunState::Running);
    const std::size_t epochs = epochsOf(*window, 0);
    QTRY_VERIFY_WITH_TIMEOUT(epochsOf(*window, 0) > epochs, patience);
}

void TestWindowActions::closingAgainAnswersTheQuestion()
{
    const auto window = open();
    action(*window, "start")->trigger();
    QVERIFY(!window->close());
    QVERIFY(window->close());
}

void TestWindowActions::endOfTheSessionAsksNothing()
{
    const auto window = open();
    QVERIFY(window->close()); // nothing to lose, nothing to ask
    const auto training = open();
    action(*training, "start")->trigger();
    training->closeWithoutAsking();
    QVERIFY(!training->isVisible());
    QVERIFY(answer(*training, QMessageBox::AcceptRole) == nullptr);
}

} // namespace fullbatch

QTEST_MAIN(fullbatch::TestWindowActions)
#include "tst_window_actions.moc"
