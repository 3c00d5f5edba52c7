// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu_engine.h"
#include "tests/ui/window_under_test.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QTableView>

namespace fullbatch {

/// Writes pictures of the window's main states to <build folder>/screenshots, for people to look
/// at, and checks what a machine can see in them.
class TestScreenshots : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { OwnSettings::forget(); }
    void states_data();
    void states();
    void enginesAndTheirReasons_data();
    void enginesAndTheirReasons();
    void figureTrainedForReal();
    void notBlankFailsOnABlankPicture();

private:
    static std::unique_ptr<MainWindow> open(QSize size);
    static void shoot(QWidget& window, const QString& name);
    static bool blank(const QImage& image);

    OwnSettings m_settings;
};

namespace {

QString folder()
{
    return QStringLiteral(FULLBATCH_BINARY_DIR "/screenshots");
}

void choose(MainWindow& window, const char* box, int index)
{
    auto* const combo = window.findChild<QComboBox*>(QString::fromLatin1(box));
    combo->setCurrentIndex(index);
    emit combo->activated(index);
}

void startAndWait(MainWindow& window, int runs, std::size_t epochs)
{
    action(window, "start")->trigger();
    QCOMPARE(window.runs().size(), runs);
    QTRY_VERIFY_WITH_TIMEOUT(epochsOf(window, runs - 1) > epochs, 20'000);
    QTest::qWait(700); // the table shows numbers four times a second
}

/// A text that does not fit into its label.
QStringList clippedLabels(const QWidget& window)
{
    QStringList clipped;
    for (const QLabel* const label : window.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty())
            continue;
        const QSize needed =
            label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
        if (label->width() < needed.width() || label->height() < needed.height())
            clipped << label->text();
    }
    return clipped;
}

} // namespace

void TestScreenshots::initTestCase()
{
    QVERIFY(QDir().mkpath(folder()));
}

std::unique_ptr<MainWindow> TestScreenshots::open(QSize size)
{
    auto window =
        std::make_unique<MainWindow>(setupWith({scriptedCpu(plausibleScript(100)), unusableGpu()}));
    window->resize(size);
    window->show();
    return window;
}

bool TestScreenshots::blank(const QImage& image)
{
    const QRgb first = image.pixel(0, 0);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != first)
                return false;
    return true;
}

void TestScreenshots::shoot(QWidget& window, const QString& name)
{
    const QImage image = window.grab().toImage();
    QVERIFY(!blank(image));
    QVERIFY(image.save(folder() + QLatin1Char('/') + name + QStringLiteral(".png")));
}

void TestScreenshots::states_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("dark");
    QTest::newRow("1366x768") << QSize(1366, 768) << false;
    QTest::newRow("1366x768-dark") << QSize(1366, 768) << true;
    QTest::newRow("1600x900") << QSize(1600, 900) << false;
}

void TestScreenshots::states()
{
    QFETCH(QSize, size);
    QFETCH(bool, dark);
    applyTheme(dark ? Theme::Dark : Theme::Light);
    const QString suffix = QLatin1Char('-') + QString::fromLatin1(QTest::currentDataTag());
    const auto window = open(size);
    QTest::qWait(50);
    QCOMPARE(window->size(), size); // everything fits
    shoot(*window, QStringLiteral("empty") + suffix);
    QTRY_COMPARE(clippedLabels(*window), QStringList());

    startAndWait(*window, 1, 2000);
    shoot(*window, QStringLiteral("running") + suffix);

    action(*window, "stop")->trigger();
    choosePreset(*window, "figure-20-2");
    startAndWait(*window, 5, 3000);
    shoot(*window, QStringLiteral("four-curves") + suffix);
    QCOMPARE(window->size(), size);

    choosePreset(*window, "figure-20-2", "four-layers");
    field(*window, "learningRate")->setText(QStringLiteral("-1"));
    field(*window, "widths")->setText(QStringLiteral("63, sixty"));
    action(*window, "start")->trigger();
    QTest::qWait(50);
    shoot(*window, QStringLiteral("error-message") + suffix);
    QTRY_COMPARE(clippedLabels(*window), QStringList());
    QCOMPARE(window->runs().size(), 5);
    window->closeWithoutAsking();
    applyTheme(Theme::Light);
}

void TestScreenshots::enginesAndTheirReasons_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestScreenshots::enginesAndTheirReasons()
{
    QFETCH(bool, dark);
    applyTheme(dark ? Theme::Dark : Theme::Light);
    const QString suffix = QLatin1Char('-') + QString::fromLatin1(QTest::currentDataTag());
    EngineChoice usable = fakeEngineChoice(plausibleScript(100), "gpu");
    usable.description = "GPU 0: NVIDIA H200, CUDA 13.0";
    usable.precisions = {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16};
    EngineChoice old = unusableGpu();
    old.id = "gpu:1";
    old.description = "GPU 1: NVIDIA GeForce GTX 1080, CUDA 13.0";
    old.unusable = "Its compute capability is 6.1, this program needs 7.5 or newer.";
    old.remedy = "Use a newer card.";
    MainWindow window(setupWith({cpuEngineChoice(), usable, old}));
    window.resize(1366, 768);
    window.show();
    QTest::qWait(50);
    shoot(window, QStringLiteral("start-with-old-gpu") + suffix);
    auto* const box = window.findChild<QComboBox*>(QStringLiteral("engine"));
    box->showPopup();
    QTest::qWait(50);
    shoot(*box->view()->window(), QStringLiteral("engine-list") + suffix);
    QVERIFY(box->view()->width() >= box->view()->sizeHintForColumn(0));
    box->hidePopup();
    choose(window, "engine", 1);
    choose(window, "precision", 2);
    startAndWait(window, 1, 2000);
    shoot(window, QStringLiteral("bf16") + suffix);
    QTRY_COMPARE(clippedLabels(window), QStringList());
    window.closeWithoutAsking();
    applyTheme(Theme::Light);
}

void TestScreenshots::figureTrainedForReal()
{
    // For the README: the four networks on the CPU engine, at a rate that shows something soon.
    MainWindow window(setupWith({cpuEngineChoice()}));
    window.resize(1366, 768);
    window.show();
    choosePreset(window, "figure-20-2");
    field(window, "learningRate")->setText(QStringLiteral("0.05"));
    field(window, "momentum")->setText(QStringLiteral("0.9"));
    field(window, "epochs")->setText(QStringLiteral("2000"));
    action(window, "start")->trigger();
    constexpr int patience = 60'000;
    QTRY_VERIFY_WITH_TIMEOUT(epochsOf(window, 0) > 600 && epochsOf(window, 3) > 600, patience);
    QTest::qWait(700); // the table shows numbers four times a second
    shoot(window, QStringLiteral("figure-20-2"));
    QCOMPARE(window.runs().size(), 4);
    window.closeWithoutAsking();
}

void TestScreenshots::notBlankFailsOnABlankPicture()
{
    QImage image(4, 3, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(blank(image));
    image.setPixel(3, 2, qRgb(0, 0, 0));
    QVERIFY(!blank(image));
}

} // namespace fullbatch

QTEST_MAIN(fullbatch::TestScreenshots)
#include "tst_screenshots.moc"
