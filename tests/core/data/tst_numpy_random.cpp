// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/numpy_random.h"

#include <QTest>

using namespace fullbatch;

// The numbers are NumPy's own: numpy.random.RandomState(seed), printed in full.
class TestNumpyRandom : public QObject
{
    Q_OBJECT

private slots:
    void normalsAreNumpys()
    {
        NumpyRandom random(0);
        for (const double expected : {1.764052345967664, 0.4001572083672233, 0.9787379841057392,
                                      2.240893199201458, 1.8675579901499675})
            QCOMPARE(random.normal(), expected);
    }

    void uniformsIntegersAndPermutationAreNumpys()
    {
        NumpyRandom random(42);
        for (const double expected : {0.3745401188473625, 0.9507143064099162, 0.7319939418114051})
            QVERIFY(random.uniform() == expected);
        for (const std::uint64_t expected : {20U, 38U, 18U, 22U, 10U, 10U, 23U, 35U})
            QCOMPARE(random.integer(47), expected);
        for (const std::uint64_t expected :
             {445422780055U, 558434158229U, 227504030465U, 377237468651U, 675221855013U})
            QCOMPARE(random.integer((std::uint64_t{1} << 40U) - 1), expected);
        QCOMPARE(random.permutation(12),
                 (std::vector<std::size_t>{11, 7, 6, 2, 8, 9, 3, 10, 5, 0, 4, 1}));
        QVERIFY(random.uniform() == 0.13949386065204183);
    }

    void anIntegerWithoutChoiceDrawsNothing()
    {
        NumpyRandom random(42);
        QCOMPARE(random.integer(0), std::uint64_t{0});
        QCOMPARE(random.permutation(1), std::vector<std::size_t>{0});
        QVERIFY(random.permutation(0).empty());
        QVERIFY(random.uniform() == 0.3745401188473625);
    }

    void anotherSeedGivesOtherNumbers()
    {
        QVERIFY(NumpyRandom(1).uniform() != NumpyRandom(2).uniform());
        QVERIFY(NumpyRandom(1).normal() == NumpyRandom(1).normal());
    }
};

QTEST_APPLESS_MAIN(TestNumpyRandom)
#include "tst_numpy_random.moc"
