// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_under_test.h"
#include "ui/form/experiment_panel.h"
#include "ui/parts/data_cache.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QWheelEvent>

namespace fullbatch {

/// The form: what it makes of what is typed, and what it says about it.
class TestExperimentPanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void untouchedItIsTheFourLayerNetwork();
    void presets_data();
    void presets();
    void allFourAreOneExperiment();
    void budgetGivesTheWidthOfTheBook_data();
    void budgetGivesTheWidthOfTheBook();
    void depthAndWidthsFollowEachOther();
    void numbersAreKeptExactly_data();
    void numbersAreKeptExactly();
    void wrongNumbersAreRefusedBesideTheField_data();
    void wrongNumbersAreRefusedBesideTheField();
    void theWheelChangesNothing();
    void newSeedIsShown();
    void unusableEnginesSayWhy();
    void precisionFollowsTheEngine();
    void aGraphicsCardThatIsFoundLateIsChosenAgain();
    void unreadableFileIsRefused();
    void valuesSurviveARestart();
    void nonsenseInTheSettingsIsIgnored();

private:
    void make();
    [[nodiscard]] RunSpec spec() const { return m_panel->specs().front(); }
    void type(const char* name, const QString& text) { field(*m_panel, name)->setText(text); }
    void choose(const char* name, int index);
    [[nodiscard]] QString messages() const;

    OwnSettings m_settings;
    MeasuredSpeeds m_speeds;
    std::unique_ptr<ExperimentPanel> m_panel;
};

namespace {

constexpr int cores = 2;
constexpr int patience = 20'000; // milliseconds, for a machine with other things to do

} // namespace

void TestExperimentPanel::init()
{
    OwnSettings::forget();
    make();
}

void TestExperimentPanel::make()
{
    m_panel = std::make_unique<ExperimentPanel>(std::make_shared<DataCache>(), m_speeds, cores);
    m_panel->setEngines({scriptedCpu({}), unusableGpu()});
    m_panel->restore();
    m_panel->resize(330, 640);
    m_panel->show();
}

void TestExperimentPanel::cleanup()
{
    m_panel.reset();
}

void TestExperimentPanel::choose(const char* name, int index)
{
    auto* const box = m_panel->findChild<QComboBox*>(QString::fromLatin1(name));
    box->setCurrentIndex(index);
    emit box->activated(index);
}

QString TestExperimentPanel::messages() const
{
    QStringList all;
    for (const QLabel* const label : m_panel->findChildren<QLabel*>())
        if (label->isVisible())
            all << label->text();
    return all.join(QLatin1Char('\n'));
}

void TestExperimentPanel::untouchedItIsTheFourLayerNetwork()
{
    QVERIFY(m_panel->ready());
    QCOMPARE(m_panel->specs().size(), std::size_t(1));
    QVERIFY(spec() == RunSpec());
    QCOMPARE(spec().epochs, std::int64_t(200'000));
    QVERIFY(messages().contains(QStringLiteral("15,319")));
    QVERIFY(messages().contains(QStringLiteral("4,000 training rows")));
}

void TestExperimentPanel::presets_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("width");
    QTest::addColumn<qint64>("epochs");
    QTest::addColumn<QString>("parameters");
    QTest::newRow("one-layer") << 1 << 298 << qint64(500'000) << QStringLiteral("15,208");
    QTest::newRow("two-layers") << 2 << 100 << qint64(200'000) << QStringLiteral("15,210");
    QTest::newRow("three-layers") << 3 << 75 << qint64(200'000) << QStringLiteral("15,235");
    QTest::newRow("four-layers") << 4 << 63 << qint64(200'000) << QStringLiteral("15,319");
}

void TestExperimentPanel::presets()
{
    QFETCH(int, index);
    QFETCH(int, width);
    QFETCH(qint64, epochs);
    QFETCH(QString, parameters);
    choosePreset(*m_panel, "figure-20-2", QTest::currentDataTag());
    QCOMPARE(spec().hiddenWidths,
             std::vector<std::int64_t>(static_cast<std::size_t>(index), width));
    QCOMPARE(spec().epochs, epochs);
    QVERIFY(messages().contains(parameters));
}

void TestExperimentPanel::allFourAreOneExperiment()
{
    choosePreset(*m_panel, "figure-20-2");
    type("seed", QStringLiteral("9"));
    QCOMPARE(m_panel->specs().size(), std::size_t(4));
    QCOMPARE(m_panel->specs()[0].epochs, std::int64_t(500'000));
    QCOMPARE(m_panel->specs()[3].epochs, std::int64_t(200'000));
    QCOMPARE(m_panel->specs()[3].hiddenWidths, RunSpec().hiddenWidths);
    type("epochs", QStringLiteral("2000"));
    for (const RunSpec& each : m_panel->specs()) {
        QCOMPARE(each.epochs, std::int64_t(2000));
        QCOMPARE(each.seed, std::uint64_t(9));
    }
    choose("preset", 0);
    QCOMPARE(m_panel->specs().size(), std::size_t(1));
    QVERIFY(m_panel->ready());
}

void TestExperimentPanel::budgetGivesTheWidthOfTheBook_data()
{
    QTest::addColumn<int>("depth");
    QTest::addColumn<int>("width");
    QTest::newRow("1") << 1 << 298;
    QTest::newRow("2") << 2 << 100;
    QTest::newRow("3") << 3 << 75;
    QTest::newRow("4") << 4 << 63;
}

void TestExperimentPanel::budgetGivesTheWidthOfTheBook()
{
    QFETCH(int, depth);
    QFETCH(int, width);
    choose("widthRule", 1);
    type("budget", QStringLiteral("15,208"));
    type("depth", QString::number(depth));
    QCOMPARE(spec().hiddenWidths,
             std::vector<std::int64_t>(static_cast<std::size_t>(depth), width));
}

void TestExperimentPanel::depthAndWidthsFollowEachOther()
{
    type("widths", QStringLiteral("63, 31"));
    QCOMPARE(field(*m_panel, "depth")->text(), QStringLiteral("2"));
    type("depth", QStringLiteral("3"));
    QCOMPARE(spec().hiddenWidths, (std::vector<std::int64_t>{63, 31, 31}));
    type("depth", QStringLiteral("0"));
    QVERIFY(spec().hiddenWidths.empty());
    QVERIFY(m_panel->ready());
    QVERIFY(messages().contains(QStringLiteral("Parameters: 410")));
    QTest::keyClick(field(*m_panel, "depth"), Qt::Key_Down);
    QCOMPARE(field(*m_panel, "depth")->text(), QStringLiteral("0"));
}

void TestExperimentPanel::numbersAreKeptExactly_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("rate");
    QTest::newRow("plain") << QStringLiteral("0.0025") << 0.0025;
    QTest::newRow("small") << QStringLiteral("1e-5") << 1e-5;
    QTest::newRow("capital") << QStringLiteral("2.5E-3") << 2.5e-3;
    QTest::newRow("zeros") << QStringLiteral("0.00001") << 0.00001;
    QTest::newRow("pasted") << QStringLiteral(" 1e-05 ") << 1e-05;
}

void TestExperimentPanel::numbersAreKeptExactly()
{
    QFETCH(QString, text);
    QFETCH(double, rate);
    type("learningRate", text);
    QVERIFY(m_panel->ready());
    QVERIFY(spec().learningRate == rate);
    m_panel->save();
    make();
    QVERIFY(spec().learningRate == rate);
    QVERIFY(field(*m_panel, "learningRate")->text() != QLatin1String("0"));
}

void TestExperimentPanel::wrongNumbersAreRefusedBesideTheField_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("allowed"); // what the sentence must say
    const auto row = [](const char* name, const char* text, const char* allowed) {
        QTest::addRow("%s %s", name, text) << QString::fromLatin1(name) << QString::fromLatin1(text)
                                           << QString::fromLatin1(allowed);
    };
    for (const char* const text : {"0", "-1", "nan", "inf", "1e999", "1e-999"})
        row("learningRate", text, "above 0");
    for (const char* const text : {"", "abc", "1,5"})
        row("learningRate", text, "0.0025");
    row("momentum", "1", "less than 1");
    row("momentum", "-0.1", "from 0 up");
    row("epochs", "0", "1,000,000,000");
    row("epochs", "1000000000000", "1,000,000,000");
    row("epochs", "1.5", "whole number");
    row("seed", "-1", "4,294,967,295");
    row("seed", "4294967296", "4,294,967,295");
    row("dataSeed", "-1", "4,294,967,295");
    row("testEvery", "-1", "0 for never");
    row("depth", "-1", "0 to 100,000");
    row("depth", "100001", "0 to 100,000");
    row("widths", "63, sixty", "4 x 63");
    row("widths", "0", "at least 1");
    row("widths", "2 x 50000000", "GiB"); // more memory than there is: needed and available
}

void TestExperimentPanel::wrongNumbersAreRefusedBesideTheField()
{
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QString, allowed);
    QVERIFY(m_panel->ready());
    QLineEdit* const input = m_panel->findChild<QLineEdit*>(name);
    const QString before = input->text();
    input->setText(text);
    QVERIFY(!m_panel->ready());
    QVERIFY2(messages().contains(allowed), qPrintable(messages()));
    QVERIFY(!m_panel->showProblem().isEmpty());
    input->setText(before);
    QVERIFY2(m_panel->ready(), qPrintable(messages()));
}

void TestExperimentPanel::theWheelChangesNothing()
{
    const RunSpec before = spec();
    QList<QWidget*> inputs;
    for (QLineEdit* const each : m_panel->findChildren<QLineEdit*>())
        inputs << each;
    for (QComboBox* const each : m_panel->findChildren<QComboBox*>())
        inputs << each;
    QVERIFY(inputs.size() > 10);
    for (QWidget* const input : inputs) {
        input->setFocus();
        for (const int turn : {120, -120, -120}) {
            const QPointF middle = input->rect().center();
            QWheelEvent event(middle, input->mapToGlobal(middle), {}, {0, turn}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(input, &event);
        }
    }
    QVERIFY(spec() == before);
    QCOMPARE(m_panel->specs().size(), std::size_t(1));
}

void TestExperimentPanel::newSeedIsShown()
{
    const std::uint64_t before = spec().seed;
    auto* const button = m_panel->findChild<QAbstractButton*>(QStringLiteral("newSeed"));
    button->click();
    const std::uint64_t first = spec().seed;
    button->click();
    QVERIFY(first != before || spec().seed != before);
    QString shown = field(*m_panel, "seed")->text();
    QCOMPARE(shown.remove(QLatin1Char(',')), QString::number(spec().seed));
}

void TestExperimentPanel::unusableEnginesSayWhy()
{
    const auto* const box = m_panel->findChild<QComboBox*>(QStringLiteral("engine"));
    const auto* const items = qobject_cast<QStandardItemModel*>(box->model());
    QVERIFY(items->item(0)->isEnabled());
    QVERIFY(!items->item(1)->isEnabled());
    QVERIFY(items->item(1)->toolTip().contains(QStringLiteral("driver")));
    QVERIFY(messages().contains(QStringLiteral("Install the driver")));
    m_panel->setEngines({unusableGpu()});
    QVERIFY(!m_panel->ready());
    m_panel->setEngines({});
    QVERIFY(!m_panel->ready());
    m_panel->setEngines({unusableGpu(), scriptedCpu({})});
    QVERIFY(m_panel->ready());
    QCOMPARE(spec().engine, std::string("cpu"));
}

namespace {

EngineChoice usableGpu(const char* id)
{
    EngineChoice gpu = fakeEngineChoice({}, id);
    gpu.precisions = {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16};
    return gpu;
}

} // namespace

void TestExperimentPanel::precisionFollowsTheEngine()
{
    const auto enabled = [this](const char* name) {
        return m_panel->findChild<QComboBox*>(QString::fromLatin1(name))->isEnabled();
    };
    QVERIFY(!enabled("precision") && enabled("threads"));
    EngineChoice other = usableGpu("gpu:2");
    other.precisions = {Precision::Fp32, Precision::Fp16};
    m_panel->setEngines({scriptedCpu({}), usableGpu("gpu"), usableGpu("gpu:1"), other});
    choose("engine", 2);
    QVERIFY(enabled("precision") && !enabled("threads"));
    QVERIFY(spec().precision == Precision::Fp32); // and nothing less unless asked for
    QCOMPARE(m_panel->engines().size(), std::size_t(3));
    QCOMPARE(m_panel->engines().front().id, std::string("gpu:1"));
    choose("precision", 1);
    QVERIFY(spec().precision == Precision::Tf32);
    QCOMPARE(m_panel->engines().size(), std::size_t(2)); // gpu:2 has no tf32
    choose("engine", 0);
    QVERIFY(spec().precision == Precision::Fp32);
    QCOMPARE(m_panel->engines().size(), std::size_t(1));
}

void TestExperimentPanel::aGraphicsCardThatIsFoundLateIsChosenAgain()
{
    const std::vector<EngineChoice> all = {scriptedCpu({}), usableGpu("gpu"), usableGpu("gpu:1")};
    m_panel->setEngines(all);
    choose("engine", 2);
    choose("precision", 2);
    m_panel->save();
    make(); // without a card
    QCOMPARE(spec().engine, std::string("cpu"));
    m_panel->save(); // closed before the cards were found
    make();
    m_panel->setEngines(all);
    QCOMPARE(spec().engine, std::string("gpu:1"));
    QVERIFY(spec().precision == Precision::Bf16);
    make();
    choose("engine", 0); // a person prefers the CPU meanwhile
    m_panel->setEngines(all);
    QCOMPARE(spec().engine, std::string("cpu"));
}

void TestExperimentPanel::unreadableFileIsRefused()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("数据 é.csv"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("<!DOCTYPE html><html><body>404</body></html>");
    file.close();
    m_panel->openData(path);
    QVERIFY(!m_panel->ready());
    QTRY_VERIFY2_WITH_TIMEOUT(messages().contains(QStringLiteral("web page")),
                              qPrintable(messages()), patience);
    QVERIFY(!m_panel->ready());
    choose("dataSource", 0);
    QVERIFY(m_panel->ready());
}

void TestExperimentPanel::valuesSurviveARestart()
{
    type("widths", QStringLiteral("7, 5"));
    type("momentum", QStringLiteral("0.9"));
    type("epochs", QStringLiteral("1,234"));
    type("seed", QStringLiteral("77"));
    type("dataSeed", QStringLiteral("43"));
    type("testEvery", QStringLiteral("50"));
    choose("threads", 1);
    const RunSpec before = spec();
    m_panel->save();
    make();
    QVERIFY(spec() == before);
    choosePreset(*m_panel, "figure-20-2");
    m_panel->save();
    make();
    QCOMPARE(m_panel->specs().size(), std::size_t(4));
}

void TestExperimentPanel::nonsenseInTheSettingsIsIgnored()
{
    for (const char* const spec : {"{", "{\"version\": 999}", "{\"version\": 1, \"epochs\": -5}"}) {
        QSettings settings;
        settings.setValue(QStringLiteral("experiment/spec"), QString::fromLatin1(spec));
        settings.setValue(QStringLiteral("experiment/preset"), 44);
        make();
        QVERIFY(m_panel->ready());
        QVERIFY(this->spec() == RunSpec());
    }
}

} // namespace fullbatch

QTEST_MAIN(fullbatch::TestExperimentPanel)
#include "tst_experiment_panel.moc"
