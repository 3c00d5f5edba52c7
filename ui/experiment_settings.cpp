// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment_panel.h"

#include "ui/data_input.h"
#include "ui/engine_input.h"
#include "ui/number_field.h"
#include "ui/shape_input.h"

#include <QComboBox>
#include <QFileInfo>
#include <QSettings>
#include <QStringList>

#include <stdexcept>

namespace fullbatch {

namespace {

const auto group = QStringLiteral("experiment");

} // namespace

void ExperimentPanel::save() const
{
    QSettings settings;
    settings.beginGroup(group);
    settings.setValue(QStringLiteral("recentFiles"), m_data->recentFiles());
    if (m_rows.anyProblem())
        return; // what was there before makes more sense than what is half typed
    RunSpec spec = typed();
    // What was wanted, though its card may not have been found.
    if (!m_engine->wanted().empty())
        spec.engine = m_engine->wanted();
    spec.precision = m_engine->wantedPrecision();
    settings.setValue(QStringLiteral("spec"), QString::fromStdString(toJson(spec)));
    settings.setValue(QStringLiteral("preset"), m_preset->currentIndex());
    settings.setValue(QStringLiteral("epochs"), m_epochs->text());
    settings.setValue(QStringLiteral("byBudget"), m_shape->byBudget());
    settings.setValue(QStringLiteral("budget"), static_cast<qlonglong>(m_shape->budgetValue()));
}

void ExperimentPanel::restore()
{
    QSettings settings;
    settings.beginGroup(group);
    m_data->setRecentFiles(settings.value(QStringLiteral("recentFiles")).toStringList());
    RunSpec spec;
    try {
        spec = runSpecFromJson(settings.value(QStringLiteral("spec")).toString().toStdString());
    } catch (const std::invalid_argument&) {
        return;
    }
    if (!problems(spec).empty())
        return;
    const int preset = settings.value(QStringLiteral("preset")).toInt();
    if (preset >= OneLayer && preset <= AllFour)
        choosePreset(preset);
    m_filling = true;
    if (preset != AllFour) {
        m_shape->setHiddenWidths(spec.hiddenWidths);
        m_epochs->setValue(spec.epochs);
        if (settings.value(QStringLiteral("byBudget")).toBool()) {
            m_shape->setBudgetValue(settings.value(QStringLiteral("budget")).toLongLong());
            m_shape->setByBudget(true);
        }
    } else {
        m_epochs->setText(settings.value(QStringLiteral("epochs")).toString());
    }
    if (preset == OwnNetwork)
        m_preset->setCurrentIndex(OwnNetwork);
    m_rate->setValue(spec.learningRate);
    m_momentum->setValue(spec.momentum);
    m_seed->setValue(static_cast<std::int64_t>(spec.seed));
    m_testEvery->setValue(spec.testEvery);
    m_engine->choose(spec.engine);
    m_engine->setPrecision(spec.precision);
    m_engine->setThreads(spec.threads);
    if (spec.data.file.empty() || QFileInfo::exists(QString::fromStdString(spec.data.file)))
        m_data->setSpec(spec.data);
    m_filling = false;
    edited();
}

} // namespace fullbatch
