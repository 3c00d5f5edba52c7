// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/measured_speeds.h"

#include "core/training/device_shares.h"

#include <QSettings>
#include <QString>

#include <algorithm>

namespace fullbatch {

namespace {

constexpr double guessedPerThread = 20e9;
constexpr double guessedPerGpu = 2e12;
const auto group = QStringLiteral("measuredFlopsPerThread");

} // namespace

MeasuredSpeeds::MeasuredSpeeds()
{
    QSettings settings;
    settings.beginGroup(group);
    for (const QString& engine : settings.childKeys()) {
        const double value = settings.value(engine).toDouble();
        if (value > 0)
            m_perThread[engine.toStdString()] = value;
    }
}

MeasuredSpeeds::Rate MeasuredSpeeds::rate(const std::string& engine, int threads) const
{
    const auto found = m_perThread.find(engine);
    if (found == m_perThread.end() && isGpu(engine))
        return {guessedPerGpu, false};
    if (found == m_perThread.end())
        return {guessedPerThread * std::max(1, threads), false};
    return {found->second * std::max(1, threads), true};
}

void MeasuredSpeeds::record(const std::string& engine, int threads, double flopsPerSecond)
{
    if (!(flopsPerSecond > 0))
        return;
    m_perThread[engine] = flopsPerSecond / std::max(1, threads);
}

void MeasuredSpeeds::save() const
{
    QSettings settings;
    settings.beginGroup(group);
    for (const auto& [engine, perThread] : m_perThread)
        settings.setValue(QString::fromStdString(engine), perThread);
}

} // namespace fullbatch
