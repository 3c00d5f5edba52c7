// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/cost_estimate.h"

#include "core/training/metrics_log.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <cmath>
#include <fstream>

using namespace fullbatch;

namespace {

constexpr double mebibyte = 1024.0 * 1024;
constexpr double gibibyte = 1024 * mebibyte;

NetworkShape shape(std::vector<std::int64_t> widths)
{
    return NetworkShape::mlp(40, widths, 10);
}

/// A made-up /proc and /sys.
class SystemFolder
{
public:
    SystemFolder()
    {
        write("proc/meminfo", "MemTotal:       8388608 kB\nMemAvailable:   4194304 kB\n");
    }
    void write(const std::string& file, const std::string& text) const
    {
        const std::filesystem::path path = root() / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    [[nodiscard]] std::filesystem::path root() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

} // namespace

class CostEstimateTest : public QObject
{
    Q_OBJECT

private slots:
    void countsAreThoseOfTheShape()
    {
        const CostEstimate cost = estimateCost(shape({63, 63, 63, 63}), 4000, 1000, 2, {});
        QCOMPARE(qint64(cost.parameters), qint64(15'319));
        QCOMPARE(cost.flopsPerEpoch, shape({63, 63, 63, 63}).flopsPerEpoch(4000));
    }

    void miniBatchesAddTheMeasuringPass()
    {
        const NetworkShape network = shape({63, 63});
        const double full = network.flopsPerEpoch(4000);
        QCOMPARE(flopsPerEpoch(network, 4000, {0}), full);
        QCOMPARE(flopsPerEpoch(network, 4000, {4000}), full);
        QCOMPARE(flopsPerEpoch(network, 4000, {5000, true, true}), full);
        QCOMPARE(flopsPerEpoch(network, 4000, {100}), full + network.forwardFlops(4000));
        QCOMPARE(flopsPerEpoch(network, 4000, {300, false, true}),
                 network.flopsPerEpoch(3900) + network.forwardFlops(4000));
        QCOMPARE(estimateCost(network, 4000, 1, 1, {100}).flopsPerEpoch,
                 full + network.forwardFlops(4000));
    }

    void theHomeExperimentNeedsLittle()
    {
        const double bytes = estimateCost(shape({298}), 4000, 500'000, 8, {}).memoryBytes;
        QVERIFY(bytes > 500'000.0 * sizeof(EpochMetrics));
        QVERIFY(bytes < 100 * mebibyte);
    }

    void eachPartGrowsWithItsCause()
    {
        const auto bytes = [](std::vector<std::int64_t> widths, std::int64_t rows,
                              std::int64_t epochs, int threads) {
            return estimateCost(shape(std::move(widths)), rows, epochs, threads, {}).memoryBytes;
        };
        const double least = bytes({100, 100}, 4000, 1000, 1);
        QVERIFY(bytes({200, 100}, 4000, 1000, 1) > least);
        QVERIFY(bytes({100, 100}, 8000, 1000, 1) > least);
        QVERIFY(bytes({100, 100}, 4000, 1000, 2) > least);
        QCOMPARE(bytes({100, 100}, 4000, 2000, 1) - least, 1000.0 * sizeof(EpochMetrics));
        QVERIFY(bytes({100, 100}, 4000, 1000, 0) >= least);
    }

    void absurdWidthsAreCountedWithoutOverflow()
    {
        const double bytes =
            estimateCost(shape({1LL << 40, 1LL << 40}), 4000, 1, 1, {}).memoryBytes;
        QVERIFY(std::isfinite(bytes));
        QVERIFY(bytes > 1e18);
    }

    void whatDoesNotFitIsSaidWithBothNumbers()
    {
        CostEstimate cost;
        cost.memoryBytes = 12.4 * gibibyte;
        QCOMPARE(QString::fromStdString(memoryProblem(cost, 3.456 * gibibyte)),
                 QString("The run needs about 12.4 GiB of memory, but only 3.46 GiB are available; "
                         "narrower or fewer layers, or fewer epochs, need less."));
        QVERIFY(memoryProblem(cost, cost.memoryBytes).empty());
        QVERIFY(memoryProblem(cost, std::numeric_limits<double>::infinity()).empty());
        cost.memoryBytes = 1e30;
        QVERIFY(QString::fromStdString(memoryProblem(cost, 0)).contains("9.3e+20 GiB"));
    }

    void thisSystemSaysHowMuchThereIs()
    {
        QVERIFY(std::isfinite(availableMemoryBytes()));
        QVERIFY(availableMemoryBytes() > 0);
    }

    void aSystemThatSaysNothingHasNoLimit()
    {
        const QTemporaryDir empty;
        QVERIFY(std::isinf(availableMemoryBytes(empty.path().toStdString())));
    }

    void theSystemsEstimateCounts()
    {
        QCOMPARE(availableMemoryBytes(SystemFolder().root()), 4 * gibibyte);
    }

    void controlGroupsOfVersion2Count()
    {
        const SystemFolder system;
        system.write("proc/self/cgroup", "0::/outer/inner\n");
        system.write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
        system.write("sys/fs/cgroup/outer/inner/memory.current", "1048576\n");
        QCOMPARE(availableMemoryBytes(system.root()), 4 * gibibyte);
        system.write("sys/fs/cgroup/outer/memory.max", "104857600\n");
        system.write("sys/fs/cgroup/outer/memory.current", "52428800\n");
        QCOMPARE(availableMemoryBytes(system.root()), 50 * mebibyte);
        system.write("sys/fs/cgroup/outer/memory.stat", "file 1\ninactive_file 10485760\n");
        QCOMPARE(availableMemoryBytes(system.root()), 60 * mebibyte);
    }

    void controlGroupsOfVersion1Count()
    {
        const SystemFolder system;
        system.write("proc/self/cgroup", "5:devices:/\n4:cpu,memory:/job:7\n0::/\n");
        const std::string group = "sys/fs/cgroup/memory/job:7/";
        system.write(group + "memory.limit_in_bytes", "9223372036854771712\n");
        system.write(group + "memory.usage_in_bytes", "1048576\n");
        QCOMPARE(availableMemoryBytes(system.root()), 4 * gibibyte);
        system.write(group + "memory.limit_in_bytes", "3145728\n");
        QCOMPARE(availableMemoryBytes(system.root()), 2 * mebibyte);
        system.write(group + "memory.usage_in_bytes", "4194304\n");
        QCOMPARE(availableMemoryBytes(system.root()), 0.0);
    }

    void aContainersOwnGroupIsTheMountPoint()
    {
        const SystemFolder system;
        system.write("proc/self/cgroup", "0::/somewhere/outside\n");
        system.write("sys/fs/cgroup/memory.max", "104857600\n");
        system.write("sys/fs/cgroup/memory.current", "0\n");
        QCOMPARE(availableMemoryBytes(system.root()), 100 * mebibyte);
    }

    void theLimitOnTheAddressSpaceCounts()
    {
        double pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_AS, &before), 0);
        rlimit limit = before;
        limit.rlim_cur = static_cast<rlim_t>(pages * 4096 + gibibyte);
        if (limit.rlim_cur > before.rlim_max)
            QSKIP("the address space is already limited");
        QCOMPARE(setrlimit(RLIMIT_AS, &limit), 0);
        const double available = availableMemoryBytes();
        QCOMPARE(setrlimit(RLIMIT_AS, &before), 0);
        QVERIFY(available <= gibibyte);
        QVERIFY(available > 0.5 * gibibyte);
    }
};

QTEST_APPLESS_MAIN(CostEstimateTest)
#include "tst_cost_estimate.moc"
