// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/cost_text.h"

#include "core/training/cost_estimate.h"
#include "core/training/device_shares.h"
#include "core/training/thread_shares.h"
#include "ui/parts/measure_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace fullbatch {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("CostText", text);
}

struct Needs
{
    QStringList parameters;
    double memoryBytes = 0;
    double seconds = 0; ///< of all runs together
    bool measured = true;
};

Needs needs(const std::vector<RunSpec>& specs, const DataSizes& sizes, const MeasuredSpeeds& speeds,
            int cores, const QLocale& locale)
{
    Needs result;
    const int threads = specs.front().threads == 0 ? cores : specs.front().threads;
    const int budget = isGpu(specs.front().engine) ? 1 : threads; // runs on a GPU take turns
    double secondsOfWork = 0;
    double longest = 0;
    for (const RunSpec& spec : specs) {
        const NetworkShape shape = networkShape(spec, sizes.features, sizes.classes);
        const CostEstimate cost =
            estimateCost(shape, sizes.trainRows, spec.epochs, budget, spec.batches);
        result.parameters << locale.toString(static_cast<qlonglong>(cost.parameters));
        result.memoryBytes += cost.memoryBytes;
        const MeasuredSpeeds::Rate perThread = speeds.rate(spec.engine, 1);
        result.measured = result.measured && perThread.measured;
        const double alone =
            cost.flopsPerEpoch * static_cast<double>(spec.epochs) / perThread.flopsPerSecond;
        secondsOfWork += alone;
        longest =
            std::max(longest, alone / threadShares(static_cast<int>(specs.size()), budget).front());
    }
    result.seconds = std::max(longest, secondsOfWork / budget);
    return result;
}

} // namespace

QString costText(const std::vector<RunSpec>& specs, const DataSizes& sizes,
                 const MeasuredSpeeds& speeds, int cores, const QLocale& locale)
{
    const Needs all = needs(specs, sizes, speeds, cores, locale);
    const QString time = roughDurationText(all.seconds, locale);
    QStringList lines;
    lines << tr("Parameters: %1").arg(all.parameters.join(QStringLiteral(" · ")));
    lines << tr("Memory: about %1").arg(memoryText(all.memoryBytes, locale));
    lines << (all.measured ? tr("Time: about %1, as measured here").arg(time)
                           : tr("Time: perhaps %1, a guess until a run was measured").arg(time));
    return lines.join(QLatin1Char('\n'));
}

QString memoryProblemText(const std::vector<RunSpec>& specs, const DataSizes& sizes, int cores)
{
    CostEstimate all;
    for (const RunSpec& spec : specs) {
        const CostEstimate cost =
            estimateCost(networkShape(spec, sizes.features, sizes.classes), sizes.trainRows,
                         spec.epochs, spec.threads == 0 ? cores : spec.threads, spec.batches);
        all.parameters = std::max(all.parameters, cost.parameters);
        all.memoryBytes += cost.memoryBytes;
    }
    return QString::fromStdString(memoryProblem(all, availableMemoryBytes()));
}

} // namespace fullbatch
