// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corruption.h"

#include "tests/core/reference_table.h"

using namespace fullbatch;

namespace {

/// That of numpy_corruption.py, for training and test.
Dataset cleanData()
{
    constexpr int rows = 50;
    Split split;
    split.inputs.resize(3, rows);
    for (int row = 0; row < rows; ++row) {
        for (int feature = 0; feature < 3; ++feature)
            split.inputs(feature, row) = static_cast<float>(row) / 8 - static_cast<float>(feature);
        split.labels.push_back(row % 10);
    }
    Dataset data;
    data.source = "test rows";
    data.train = split;
    data.test = split;
    data.classes = 10;
    return data;
}

QByteArray labelsOf(const Split& split)
{
    QByteArrayList all;
    for (const std::int32_t label : split.labels)
        all << QByteArray::number(label);
    return all.join(' ');
}

} // namespace

class CorruptionTest : public QObject
{
    Q_OBJECT

private slots:
    // numpy_corruption.py wrote the table.
    void equalsNumPy()
    {
        const auto table = referenceTable("numpy_corruption.csv", 7);
        QCOMPARE(table.size(), 18);
        for (const auto& row : table) {
            Dataset data = cleanData();
            corrupt(data, {row[1] == "1", row[2] == "1", row[3].toDouble(), row[0].toUInt()});
            QCOMPARE(labelsOf(data.train), row[4]);
            QCOMPARE(data.train.inputs(0, 0), row[5].toFloat());
            QCOMPARE(data.train.inputs(2, 49), row[6].toFloat());
            QCOMPARE(labelsOf(data.test), labelsOf(cleanData().test));
            QVERIFY(data.test.inputs == cleanData().test.inputs);
        }
    }

    void whatWasDoneIsSaid()
    {
        Dataset data = cleanData();
        corrupt(data, {});
        QCOMPARE(data.source, std::string("test rows"));
        corrupt(data, {true, true, 12.5, 3});
        QCOMPARE(data.source,
                 std::string("test rows, permuted labels, random inputs, "
                             "12.5 % random labels (seed 3)"));
    }
};

QTEST_APPLESS_MAIN(CorruptionTest)
#include "tst_corruption.moc"
