// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/batch_order.h"

#include "tests/core/reference_table.h"

using namespace fullbatch;

namespace {

std::vector<std::uint32_t> orderOf(BatchOrder& orders, std::uint64_t epoch)
{
    std::vector<std::uint32_t> order;
    orders.append(epoch, order);
    return order;
}

} // namespace

class BatchOrderTest : public QObject
{
    Q_OBJECT

private slots:
    // torch_batch_orders.py wrote the table with PyTorch 2.15.
    void everyEpochHasTheOrderOfPyTorchsRandomSampler()
    {
        const auto table = referenceTable("torch_batch_orders.csv", 5);
        QCOMPARE(table.size(), 28);
        for (const auto& row : table) {
            BatchOrder orders(row[0].toULongLong(), row[1].toULongLong());
            const std::vector<std::uint32_t> order = orderOf(orders, row[2].toULongLong());
            QCOMPARE(order.front(), row[4].toUInt());
            QCOMPARE(QByteArray::number(fnv1a<std::uint32_t>(order), 16).rightJustified(16, '0'),
                     row[3]);
        }
    }

    void anyEpochMayBeAskedFor()
    {
        BatchOrder inOrder(100, 7);
        std::vector<std::vector<std::uint32_t>> wanted;
        for (std::uint64_t epoch = 0; epoch < 10; ++epoch)
            wanted.push_back(orderOf(inOrder, epoch));
        BatchOrder jumping(100, 7);
        for (const std::uint64_t epoch : {9U, 3U, 4U, 0U, 9U})
            QCOMPARE(orderOf(jumping, epoch), wanted[epoch]);
        QVERIFY(wanted[0] != wanted[1]);
    }

    void anEpochIsAppended()
    {
        BatchOrder orders(10, 1);
        std::vector<std::uint32_t> both;
        orders.append(0, both);
        orders.append(1, both);
        QCOMPARE(both.size(), std::size_t(20));
        QCOMPARE(std::vector(both.begin() + 10, both.end()), orderOf(orders, 1));
    }
};

QTEST_APPLESS_MAIN(BatchOrderTest)
#include "tst_batch_order.moc"
