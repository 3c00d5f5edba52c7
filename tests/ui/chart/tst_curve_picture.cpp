// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/output_file.h"
#include "tests/ui/chart/made_log.h"
#include "ui/chart/curve_picture.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace fullbatch;

namespace {

CurvePicture spikePicture()
{
    CurvePicture picture;
    picture.runs.push_back({"4 x 63", madeLog(200'000, [](std::uint64_t epoch) {
                                return epoch == 123'456 ? 80.0 : 5.0;
                            })});
    return picture;
}

std::filesystem::path pathOf(const QString& file)
{
    return file.toStdU16String();
}

QByteArray bytesOf(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int pixelsOf(const QImage& image, const QRect& part, const QColor& colour)
{
    int count = 0;
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            count += image.pixelColor(x, y) == colour ? 1 : 0;
    return count;
}

bool naming(const QByteArray& svg, const char* word)
{
    const QString pattern = QString("[^a-z]%1[^a-z]").arg(word);
    return QString::fromUtf8(svg).contains(
        QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption));
}

} // namespace

class TestCurvePicture : public QObject
{
    Q_OBJECT

private slots:
    void sameAtEveryScale_data();
    void sameAtEveryScale();
    void spikeIsInThePicture();
    void everyCurveHasItsColour();
    void whiteInTheDark();
    void svgIsClean();
    void pdfIsAPage();
    void unknownSuffix();
    void missingFolder();
    void followsTheChart();
    void foreignNames();

private:
    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

void TestCurvePicture::sameAtEveryScale_data()
{
    QTest::addColumn<QString>("scale");
    QTest::newRow("1") << "1";
    QTest::newRow("1.5") << "1.5";
    QTest::newRow("2") << "2";
}

void TestCurvePicture::sameAtEveryScale()
{
    QFETCH(QString, scale);
    writeCurvePicture(pathOf(file("here.png")), spikePicture());
    QProcess other;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_SCALE_FACTOR", scale);
    other.setProcessEnvironment(environment);
    other.start(QCoreApplication::applicationFilePath(), {"--write", file("there.png")});
    QVERIFY(other.waitForFinished());
    QCOMPARE(other.exitCode(), 0);
    const QImage there(file("there.png"));
    QCOMPARE(there.size(), QSize(1600, 900));
    QCOMPARE(there, QImage(file("here.png")));
}

void TestCurvePicture::spikeIsInThePicture()
{
    writeCurvePicture(pathOf(file("spike.png")), spikePicture());
    const QImage image(file("spike.png"));
    const QColor colour = runStyle(0).onLight;
    // Somewhere over 40 % there is the curve's colour, three pixels wide and some 240 high.
    const int spike = pixelsOf(image, QRect(200, 150, 1300, 300), colour);
    QVERIFY2(spike >= 3 * 200 && spike <= 3 * 300, qPrintable(QString::number(spike)));
}

void TestCurvePicture::everyCurveHasItsColour()
{
    CurvePicture picture;
    for (int run = 0; run < 12; ++run)
        picture.runs.push_back(
            {QString::number(run), madeLog(1000, [run](std::uint64_t) { return 5.0 + 7 * run; })});
    writeCurvePicture(pathOf(file("twelve.png")), picture);
    const QImage image(file("twelve.png"));
    for (int run = 0; run < 12; ++run)
        QVERIFY(pixelsOf(image, image.rect(), runStyle(run).onLight) > 1000);
    QCOMPARE(pixelsOf(image, image.rect(), runStyle(3).onDark), 0);
}

void TestCurvePicture::whiteInTheDark()
{
    const QPalette before = QApplication::palette();
    QPalette dark;
    dark.setColor(QPalette::Base, Qt::black);
    dark.setColor(QPalette::Text, Qt::white);
    QApplication::setPalette(dark);
    writeCurvePicture(pathOf(file("dark.png")), spikePicture());
    QApplication::setPalette(before);
    const QImage image(file("dark.png"));
    QCOMPARE(image.pixelColor(0, 0), QColor(Qt::white));
    QCOMPARE(image.pixelColor(1599, 899), QColor(Qt::white));
}

void TestCurvePicture::svgIsClean()
{
    CurvePicture picture;
    picture.logarithmic = true;
    picture.runs.push_back({"first value missing", madeLog(3000, [](std::uint64_t epoch) {
                                return epoch == 0    ? std::nan("")
                                    : epoch % 5 == 0 ? HUGE_VAL
                                                     : 60.0 - 0.02 * static_cast<double>(epoch);
                            })});
    picture.runs.push_back({"reaches 0", madeLog(3000, [](std::uint64_t epoch) {
                                return epoch < 2000 ? 10.0 : 0.0;
                            })});
    picture.epochs = AxisRange{0, 2500};
    writeCurvePicture(pathOf(file("clean.svg")), picture);
    const QByteArray svg = bytesOf(file("clean.svg"));
    QVERIFY(svg.contains("viewBox=\"0 0 1600 900\""));
    QVERIFY(svg.contains("width=\"423.333mm\" height=\"238.125mm\"")); // 96 dots an inch
    QVERIFY(svg.contains(", sans-serif\""));
    QVERIFY(!naming(svg, "nan") && !naming(svg, "inf"));
    for (const char* text : {"Epoch", "Training error (%)", "reaches 0", "1,000"})
        QVERIFY2(svg.contains(text), text);
    static const QRegularExpression points("points=\"([^\"]+)\"");
    int places = 0;
    for (const QRegularExpressionMatch& line : points.globalMatch(QString::fromUtf8(svg)))
        for (const QString& place : line.captured(1).split(' ', Qt::SkipEmptyParts)) {
            const QStringList pair = place.split(',');
            QVERIFY(pair[0].toDouble() >= 0 && pair[0].toDouble() <= 1600);
            QVERIFY(pair[1].toDouble() >= 0 && pair[1].toDouble() <= 900);
            ++places;
        }
    QVERIFY(places > 100);
}

void TestCurvePicture::pdfIsAPage()
{
    writeCurvePicture(pathOf(file("curve.pdf")), spikePicture());
    const QByteArray pdf = bytesOf(file("curve.pdf"));
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY(pdf.trimmed().endsWith("%%EOF"));
    QVERIFY(pdf.contains("/MediaBox [0 0 1200"));
}

void TestCurvePicture::unknownSuffix()
{
    for (const QString name : {"curve.bmp", "curve", "png"}) {
        try {
            writeCurvePicture(pathOf(file(name)), spikePicture());
            QFAIL("written");
        } catch (const OutputError& error) {
            QCOMPARE(QString(error.what()),
                     file(name) + " cannot be a picture: its name must end in .png, .svg or .pdf.");
        }
        QVERIFY(!QFile::exists(file(name)));
    }
    QVERIFY(pictureProblem("A.PNG").empty());
}

void TestCurvePicture::missingFolder()
{
    QVERIFY_EXCEPTION_THROWN(writeCurvePicture(pathOf(file("nowhere/curve.png")), spikePicture()),
                             OutputError);
}

void TestCurvePicture::followsTheChart()
{
    CurveChart chart(Quantity::TrainingLoss);
    for (const char* id : {"a", "b", "c"})
        chart.addRun(id, id, madeLog(100, [](std::uint64_t) { return 1.0; }));
    chart.setRunVisible("b", false);
    chart.setLogarithmic(true);
    chart.zoomEpochs(AxisRange{10, 20});
    const CurvePicture picture = pictureOf(chart);
    QCOMPARE(picture.runs.size(), std::size_t{2});
    QCOMPARE(picture.runs[1].name, QString("c"));
    QCOMPARE(picture.runs[1].styleIndex, 2);
    QVERIFY(picture.logarithmic);
    QCOMPARE(picture.quantity, Quantity::TrainingLoss);
    QCOMPARE(*picture.epochs, (AxisRange{10, 20}));
}

void TestCurvePicture::foreignNames()
{
    QVERIFY(QDir(m_folder.path()).mkpath("实验 数据 é"));
    CurvePicture picture = spikePicture();
    picture.runs[0].name = "四层 63";
    const QString name = file("实验 数据 é/曲线 a%20b#1.svg");
    writeCurvePicture(pathOf(name), picture);
    QVERIFY(bytesOf(name).contains("四层"));
    QCOMPARE(QDir(file("实验 数据 é")).entryList(QDir::Files | QDir::Hidden).size(), 1);
}

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == "--write") { // the child of sameAtEveryScale()
        writeCurvePicture(pathOf(arguments.value(2)), spikePicture());
        return 0;
    }
    TestCurvePicture test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_curve_picture.moc"
