// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset.h"

#include <QTest>

#include <limits>

using namespace fullbatch;

namespace {

Dataset smallDataset()
{
    Dataset dataset;
    dataset.classes = 3;
    dataset.train.inputs = Eigen::MatrixXf::Ones(2, 4);
    dataset.train.labels = {0, 1, 2, 2};
    dataset.test.inputs = Eigen::MatrixXf::Ones(2, 1);
    dataset.test.labels = {1};
    return dataset;
}

QString complaint(const Dataset& dataset)
{
    try {
        check(dataset);
    } catch (const DataError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestDataset : public QObject
{
    Q_OBJECT

private slots:
    void acceptsWhatIsRight()
    {
        Dataset dataset = smallDataset();
        QCOMPARE(complaint(dataset), QString());
        dataset.test = {};
        QCOMPARE(complaint(dataset), QString());
    }

    void namesRowAndColumnOfABadInput()
    {
        Dataset dataset = smallDataset();
        dataset.train.inputs(1, 3) = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(complaint(dataset),
                 QString("The training input in row 3, column 1 (both counted from 0) is not a "
                         "number; every input must be a finite number."));
        dataset = smallDataset();
        dataset.test.inputs(0, 0) = -std::numeric_limits<float>::infinity();
        QVERIFY(complaint(dataset).contains("test input in row 0, column 0"));
        QVERIFY(complaint(dataset).contains("infinite"));
    }

    void namesTheRowOfABadLabel()
    {
        Dataset dataset = smallDataset();
        dataset.train.labels[2] = 3;
        QCOMPARE(complaint(dataset),
                 QString("The training label of row 2 is 3; labels must be 0 to 2."));
        dataset = smallDataset();
        dataset.test.labels[0] = -1;
        QCOMPARE(complaint(dataset),
                 QString("The test label of row 0 is -1; labels must be 0 to 2."));
    }

    void refusesShapesThatDisagree()
    {
        Dataset dataset = smallDataset();
        dataset.train.labels.pop_back();
        QVERIFY(complaint(dataset).contains("4 rows of inputs but 3 labels"));
        dataset = smallDataset();
        dataset.test.inputs = Eigen::MatrixXf::Ones(5, 1);
        QVERIFY(complaint(dataset).contains("5 inputs but the training rows 2"));
        dataset = smallDataset();
        dataset.train = {};
        QVERIFY(complaint(dataset).contains("empty"));
        dataset = smallDataset();
        dataset.classes = 0;
        QVERIFY(complaint(dataset).contains("0 classes"));
        dataset = smallDataset();
        dataset.train.inputs.resize(0, 4);
        QVERIFY(complaint(dataset).contains("no inputs"));
    }

    void noticesClassesWithoutRows()
    {
        Dataset dataset = smallDataset();
        QCOMPARE(notice(dataset), std::string());
        dataset.train.labels = {0, 2, 2, 0};
        QCOMPARE(notice(dataset), std::string("No training row belongs to class 1."));
        dataset.classes = 5;
        QCOMPARE(notice(dataset), std::string("No training row belongs to the classes 1, 3, 4."));
    }

    void countsClasses()
    {
        const Dataset dataset = smallDataset();
        QCOMPARE(classCounts(dataset.train, 3), (std::vector<std::size_t>{1, 1, 2}));
        QCOMPARE(classCounts(dataset.test, 4), (std::vector<std::size_t>{0, 1, 0, 0}));
    }
};

QTEST_APPLESS_MAIN(TestDataset)
#include "tst_dataset.moc"
