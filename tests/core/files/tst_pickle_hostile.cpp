// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/pickle_file.h"

#include <QTest>

#include <sys/resource.h>

using namespace fullbatch;

namespace {

using namespace std::string_literals;

std::string complaint(const std::string& bytes)
{
    try {
        (void)readPickle("\x80\x04"s + bytes);
    } catch (const DataError& error) {
        return error.what();
    }
    return {};
}

std::string repeated(const std::string& piece, std::size_t count)
{
    std::string result;
    result.reserve(piece.size() * count);
    for (std::size_t index = 0; index < count; ++index)
        result += piece;
    return result;
}

constexpr auto reconstruct = "cnumpy.core.multiarray\n_reconstruct\n";
constexpr auto float64 = "cnumpy\ndtype\nU\x02"
                         "f8\x85R";

/// {"x": an array with this state, "y": nothing}
std::string arrayWithState(const std::string& state)
{
    return "}U\x01x"s
        + (reconstruct
           + "cnumpy\nndarray\nK\0\x85U\x01"
             "b\x87R"s)
        + state + "bs.";
}

} // namespace

/// Files that were made to hurt: every one must end in one sentence, at no great cost.
class TestPickleHostile : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        // Far above what an honest small file needs. What asks for more fails the test. Address
        // sanitizers reserve more than this beforehand and go without.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        const rlimit limit = {rlim_t{2} << 30U, rlim_t{2} << 30U};
        QCOMPARE(setrlimit(RLIMIT_AS, &limit), 0);
#endif
    }

    void hugeLengths()
    {
        for (const std::string& bytes :
             {"B\xff\xff\xff\xff"s, "\x8e\xff\xff\xff\xff\xff\xff\xff\xff"s,
              "\x8d\xff\xff\xff\xff\xff\xff\xff\x7f"s, "X\xff\xff\xff\xff"s,
              "\x95\xff\xff\xff\xff\xff\xff\xff\xff"s, "\x8b\xff\xff\xff\xff"s})
            QVERIFY(complaint(bytes).starts_with("it is cut short"));
    }

    void hugeShapes()
    {
        const std::string large = "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"s;
        const std::string state = "(K\x01("s + large + large + "t" + float64
            + "\x89"
              "U\x08"
              "12345678t";
        QCOMPARE(QString::fromStdString(complaint(arrayWithState(state))),
                 QString("the array x has the shape (9223372036854775807, 9223372036854775807), "
                         "more than any memory holds; the file is damaged"));
        const std::string negative = "(K\x01(J\xff\xff\xff\xff"
                                     "K\x01t"s
            + float64
            + "\x89"
              "U\x08"
              "12345678t";
        QVERIFY(complaint(arrayWithState(negative)).find("no size may be negative")
                != std::string::npos);
        const std::string tooMany = "(K\x01("s + repeated("K\x01", 65) + "t" + float64
            + "\x89"
              "U\x08"
              "12345678t";
        QVERIFY(complaint(arrayWithState(tooMany)).find("is not one that NumPy writes")
                != std::string::npos);
    }

    void contentsOfAnotherLength()
    {
        const std::string state = "(K\x01(K\x02K\x01t"s + float64
            + "\x89"
              "U\x08"
              "12345678t";
        QCOMPARE(QString::fromStdString(complaint(arrayWithState(state))),
                 QString("the array x has the shape (2, 1), which takes 16 bytes, but holds 8; the "
                         "file is damaged"));
    }

    void deepNesting()
    {
        QVERIFY(!complaint(repeated("]", 1'000'000) + repeated("a", 999'999) + ".").empty());
        QVERIFY(!complaint(repeated("(", 5'000'000)).empty());
        QVERIFY(!complaint(repeated("N", 5'000'000)).empty());
        QVERIFY(!complaint("N"s + repeated("\x85", 5'000'000) + ".").empty());
        QVERIFY(!complaint(repeated(")\x94", 5'000'000) + ".").empty());
    }

    void recursiveAndDoublingMemo()
    {
        QCOMPARE(complaint("]q\0h\0a."s),
                 "it holds a list; a dict with the NumPy arrays x and y is wanted"s);
        QVERIFY(complaint("}q\0U\x01xh\0s."s).starts_with("x is a dict"));
        // Each tuple holds the one before twice: 2^1000 leaves when written out.
        const std::string doubled = "N"s + repeated("q\0h\0\x86"s, 1000);
        QVERIFY(complaint("}U\x01x" + doubled + "s.").starts_with("x is a tuple"));
    }

    void badStackAndMemo()
    {
        for (const std::string& bytes :
             {"."s,     "t."s,     "s."s,           "R."s,    "b."s,
              "a."s,    "e."s,     "u."s,           "\x93."s, "\x87."s,
              "\x94."s, "h\x07."s, "j\x07\0\0\0."s, "(N."s,   "(."s,
              "N(a."s,  "}(Nu."s,  "]Na."s,         "NNs."s,  "K\x01K\x02\x93."s,
              "NNR."s,  "NNb."s,   "N)b."s})
            QVERIFY2(!complaint(bytes).empty(), bytes.c_str());
    }

    void namesThatAreAllowedButMisused()
    {
        for (const std::string& bytes :
             {"c_codecs\nencode\n)R."s, "c__builtin__\nbytes\nK\x01\x85R."s,
              "cnumpy\nndarray\n)R."s, "cnumpy\ndtype\n)R."s, reconstruct + ")R."s,
              "c_codecs\nencode\nX\x01\0\0\0aX\x05\0\0\0rot13\x86R."s,
              "cnumpy.core.numeric\n_frombuffer\nNNN\x87R."s})
            QVERIFY2(complaint(bytes).find("does not write") != std::string::npos,
                     complaint(bytes).c_str());
        QVERIFY(complaint(arrayWithState(")")).find("is not one that NumPy writes")
                != std::string::npos);
        const std::string unfilled =
            "}U\x01x"s + (reconstruct + "cnumpy\nndarray\nN"s) + "N\x87Rs.";
        QCOMPARE(complaint(unfilled), "the array x has no contents; the file is damaged"s);
    }
};

QTEST_APPLESS_MAIN(TestPickleHostile)
#include "tst_pickle_hostile.moc"
