// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/training/fake_engine.h"
#include "ui/runs/run_list.h"
#include "ui/runs/run_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>

namespace fullbatch {

/// Who trains when, and what the table says about it.
class TestRunList : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void fourStartTogetherAndMoreWait();
    void fourStartTogetherBesideAnEqualOne();
    void threadsAreDivided_data();
    void threadsAreDivided();
    void anExperimentIsSpreadOverGraphicsCards();
    void graphicsCardsLeaveTheThreadsToTheCpu();
    void aFailedEngineLeavesTheOthersAlone();
    void anEqualRunIsLeftOutUntilTheFirstHasEnded();
    void namesSayWhatDiffers();
    void removingCanBeUndone();
    void tableFollows();
    void checkMarkHidesACurve();
    void tableSaysHowARunEnded();
    void tableCountsSkippedSteps();

private:
    static std::vector<RunSpec> seeds(int count, std::uint64_t first = 1);
    EngineChoice engine();
    int count(RunState state) const;

    FakeScript m_script;
    std::unique_ptr<RunList> m_runs;
};

namespace {

constexpr int patience = 20'000; // milliseconds, for a machine with other things to do
constexpr int cores = 2;

} // namespace

void TestRunList::init()
{
    m_script = {};
    m_script.microsecondsPerEpoch = 100;
    m_runs = std::make_unique<RunList>(std::make_shared<DataCache>(), cores);
}

void TestRunList::cleanup()
{
    m_runs.reset();
    QCOMPARE(m_script.observations->alive(), 0);
}

std::vector<RunSpec> TestRunList::seeds(int count, std::uint64_t first)
{
    std::vector<RunSpec> specs(static_cast<std::size_t>(count));
    for (RunSpec& spec : specs) {
        spec.hiddenWidths = {3};
        spec.engine = "fake";
        spec.seed = first++;
    }
    return specs;
}

EngineChoice TestRunList::engine()
{
    return fakeEngineChoice(m_script);
}

int TestRunList::count(RunState state) const
{
    int found = 0;
    for (int row = 0; row < m_runs->size(); ++row)
        found += m_runs->at(row).session->state() == state ? 1 : 0;
    return found;
}

void TestRunList::fourStartTogetherAndMoreWait()
{
    QCOMPARE(m_runs->start(seeds(6), {engine()}).size(), std::size_t(6));
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Running), 4, patience);
    QCOMPARE(count(RunState::Queued), 2);
    m_runs->at(1).session->stop();
    QTRY_COMPARE_WITH_TIMEOUT(m_runs->at(4).session->state(), RunState::Running, patience);
    QCOMPARE(m_runs->at(5).session->state(), RunState::Queued);
    QCOMPARE(m_runs->unfinished(), 5);
}

// An experiment is one thing: none of its runs is left out or waits because a run of before, here a
// paused one, is equal to it or takes a place.
void TestRunList::fourStartTogetherBesideAnEqualOne()
{
    m_runs->start(seeds(1), {engine()});
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Running), 1, patience);
    m_runs->at(0).session->pause();
    QCOMPARE(m_runs->start(seeds(4), {engine()}).size(), std::size_t(4));
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Running), 4, patience);
    QCOMPARE(count(RunState::Queued), 0);
    QCOMPARE(m_runs->start(seeds(4), {engine()}).size(), std::size_t(0)); // all are there
    QCOMPARE(m_runs->start(seeds(1, 50), {engine()}).size(), std::size_t(1));
    QCOMPARE(count(RunState::Queued), 1);
}

void TestRunList::threadsAreDivided_data()
{
    QTest::addColumn<int>("runs");
    QTest::addColumn<int>("threads");
    QTest::addColumn<QList<int>>("shares");
    QTest::newRow("one run, every core") << 1 << 0 << QList<int>{2};
    QTest::newRow("one run, one core free") << 1 << 1 << QList<int>{1};
    QTest::newRow("two runs") << 2 << 0 << QList<int>{1, 1};
    QTest::newRow("three runs") << 3 << 0 << QList<int>{1, 1, 1};
    QTest::newRow("more threads than cores") << 3 << 8 << QList<int>{3, 3, 2};
}

void TestRunList::threadsAreDivided()
{
    QFETCH(int, runs);
    QFETCH(int, threads);
    QFETCH(QList<int>, shares);
    std::vector<RunSpec> specs = seeds(runs);
    for (RunSpec& spec : specs)
        spec.threads = threads;
    m_runs->start(specs, {engine()});
    for (int row = 0; row < runs; ++row)
        QCOMPARE(m_runs->at(row).session->threads(), shares[row]);
    m_runs->start(seeds(1, 99), {engine()});
    QCOMPARE(m_runs->at(runs).session->threads(), 1);
}

void TestRunList::anExperimentIsSpreadOverGraphicsCards()
{
    RunTableModel model(*m_runs);
    const std::vector<EngineChoice> cards = {fakeEngineChoice(m_script, "gpu"),
                                             fakeEngineChoice(m_script, "gpu:1")};
    const auto enginesOf = [this] {
        QStringList ids;
        for (int row = 0; row < m_runs->size(); ++row)
            ids << QString::fromStdString(m_runs->at(row).session->spec().engine);
        return ids.join(QLatin1Char(' '));
    };
    m_runs->start(seeds(1), cards);
    QCOMPARE(enginesOf(), QStringLiteral("gpu")); // the one that was asked for
    QCOMPARE(m_runs->start(seeds(4), cards).size(), std::size_t(4));
    QCOMPARE(enginesOf(), QStringLiteral("gpu gpu:1 gpu gpu:1 gpu"));
    QCOMPARE(model.index(1, RunTableModel::Engine).data().toString(), QStringLiteral("gpu:1"));
    QCOMPARE(m_runs->start(seeds(4), cards).size(), std::size_t(0)); // the very same
}

void TestRunList::graphicsCardsLeaveTheThreadsToTheCpu()
{
    m_runs->start(seeds(2), {fakeEngineChoice(m_script, "gpu")});
    QCOMPARE(m_runs->at(0).session->threads(), 1);
    QCOMPARE(m_runs->at(1).session->threads(), 1);
    m_runs->start(seeds(1, 9), {engine()});
    QCOMPARE(m_runs->at(2).session->threads(), cores);
}

void TestRunList::aFailedEngineLeavesTheOthersAlone()
{
    RunTableModel model(*m_runs);
    m_runs->start(seeds(1, 9), {engine()});
    FakeScript failing = m_script;
    failing.throwAtEpoch = 300;
    failing.takesParametersAlong = true;
    m_runs->start(seeds(2), {fakeEngineChoice(failing, "gpu")});
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Failed), 2, patience);
    QCOMPARE(model.index(1, RunTableModel::State).data().toString(),
             QStringLiteral("failed: ") + QString::fromStdString(failing.throwText));
    QVERIFY(m_runs->at(1).session->prepared()->log->epochs.size() > 0); // its curve stays
    QCOMPARE(m_runs->at(0).session->state(), RunState::Running);
    m_runs->start(seeds(1), {engine()}); // the same on the CPU, at once
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Running), 2, patience);
}

void TestRunList::anEqualRunIsLeftOutUntilTheFirstHasEnded()
{
    QCOMPARE(m_runs->start(seeds(1), {engine()}).size(), std::size_t(1));
    QCOMPARE(m_runs->start(seeds(1), {engine()}).size(), std::size_t(0));
    QCOMPARE(m_runs->start(seeds(1, 2), {engine()}).size(), std::size_t(1)); // a new seed
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Running), 2, patience);
    m_runs->at(0).session->pause();
    QCOMPARE(m_runs->start(seeds(1), {engine()}).size(), std::size_t(0));
    m_runs->at(0).session->stop();
    QCOMPARE(m_runs->start(seeds(1), {engine()}).size(), std::size_t(1));
    QCOMPARE(m_runs->size(), 3);
}

void TestRunList::namesSayWhatDiffers()
{
    m_runs->start(seeds(1), {engine()});
    QCOMPARE(m_runs->at(0).name, QStringLiteral("1 x 3"));
    QSignalSpy renamed(m_runs.get(), &RunList::renamed);
    m_runs->start(seeds(1, 7), {engine()});
    QCOMPARE(m_runs->at(0).name, QStringLiteral("1 x 3, seed 1"));
    QCOMPARE(m_runs->at(1).name, QStringLiteral("1 x 3, seed 7"));
    QCOMPARE(renamed.count(), 1);
}

void TestRunList::removingCanBeUndone()
{
    m_runs->start(seeds(3), {engine()});
    const int id = m_runs->at(1).id;
    m_runs->remove(id);
    QCOMPARE(m_runs->size(), 3); // it still trains
    m_runs->at(1).session->stop();
    QTRY_COMPARE_WITH_TIMEOUT(m_runs->at(1).session->state(), RunState::Stopped, patience);
    m_runs->remove(id);
    QCOMPARE(m_runs->size(), 2);
    QCOMPARE(m_runs->rowOf(id), -1);
    QVERIFY(m_runs->canUndoRemove());
    m_runs->undoRemove();
    QCOMPARE(m_runs->rowOf(id), 1);
    QVERIFY(!m_runs->canUndoRemove());
}

void TestRunList::tableFollows()
{
    RunTableModel model(*m_runs);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_runs->start(seeds(3), {engine()});
    QCOMPARE(model.rowCount(), 3);
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Running), 3, patience);
    QTRY_VERIFY_WITH_TIMEOUT(m_runs->at(2).session->prepared()->log->epochs.size() > 100, patience);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.refresh();
    QCOMPARE(changes.count(), 3); // a signal a row
    const auto text = [&](int column) { return model.index(2, column).data().toString(); };
    QCOMPARE(text(RunTableModel::Shape), QStringLiteral("40-3-10"));
    QCOMPARE(text(RunTableModel::ParameterCount), QStringLiteral("163"));
    QCOMPARE(text(RunTableModel::Error), QStringLiteral("0.25"));
    QCOMPARE(text(RunTableModel::State), QStringLiteral("running"));
    QVERIFY(text(RunTableModel::Progress).endsWith(QStringLiteral(" of 200,000")));
    QVERIFY(model.index(2, RunTableModel::Progress).data(RunTableModel::progressRole).toDouble()
            > 0);
    m_runs->at(0).session->stop();
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Stopped), 1, patience);
    model.refresh();
    changes.clear();
    m_runs->at(1).session->pause();
    m_runs->at(2).session->pause();
    QTest::qWait(50);
    model.refresh();
    changes.clear();
    model.refresh();
    QCOMPARE(changes.count(), 0); // nothing moved
    m_runs->remove(m_runs->at(0).id);
    QCOMPARE(model.rowCount(), 2);
    m_runs->undoRemove();
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.index(0, RunTableModel::State).data().toString(), QStringLiteral("stopped"));
}

void TestRunList::checkMarkHidesACurve()
{
    RunTableModel model(*m_runs);
    m_runs->start(seeds(1), {engine()});
    const QModelIndex name = model.index(0, RunTableModel::Name);
    QCOMPARE(name.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
    QVERIFY(model.setData(name, Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!m_runs->at(0).shown);
    QVERIFY(!model.setData(model.index(0, RunTableModel::Loss), Qt::Checked, Qt::CheckStateRole));
}

void TestRunList::tableSaysHowARunEnded()
{
    RunTableModel model(*m_runs);
    m_script.microsecondsPerEpoch = 0;
    m_script.loss = [](std::uint64_t epoch) { return epoch < 12 ? 1.0 : std::nan(""); };
    m_runs->start(seeds(1), {engine()});
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Diverged), 1, patience);
    const auto text = [&](int column) { return model.index(0, column).data().toString(); };
    QCOMPARE(text(RunTableModel::State), QStringLiteral("diverged at epoch 12"));
    QCOMPARE(text(RunTableModel::Loss), QStringLiteral("not finite"));
    QCOMPARE(text(RunTableModel::Error), QStringLiteral("–")); // and no false 90 %
}

void TestRunList::tableCountsSkippedSteps()
{
    RunTableModel model(*m_runs);
    m_script.skippedSteps = [](std::uint64_t) { return std::uint64_t{1234}; };
    std::vector<RunSpec> specs = seeds(1);
    specs.front().precision = Precision::Fp16;
    specs.front().epochs = 20;
    m_runs->start(specs, {engine()});
    QTRY_COMPARE_WITH_TIMEOUT(count(RunState::Done), 1, patience);
    const auto text = [&](int column) { return model.index(0, column).data().toString(); };
    QCOMPARE(text(RunTableModel::State), QStringLiteral("done; skipped steps: 1,234"));
    QCOMPARE(text(RunTableModel::Name), QStringLiteral("1 x 3, fp16"));
}

} // namespace fullbatch

QTEST_MAIN(fullbatch::TestRunList)
#include "tst_run_list.moc"
