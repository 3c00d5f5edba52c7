// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/experiment_panel.h"

#include "ui/form/data_input.h"
#include "ui/form/engine_input.h"
#include "ui/form/field_input.h"
#include "ui/form/preset_input.h"
#include "ui/form/shape_input.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QSettings>
#include <QStringList>
#include <QToolButton>

#include <stdexcept>

namespace fullbatch {

namespace {

const auto group = QStringLiteral("experiment");

/// Where the text of a field that is left to the preset is kept.
QString leftKey(const FieldInput& input)
{
    return QStringLiteral("overridden/") + input.widget()->objectName();
}

} // namespace

void ExperimentPanel::save() const
{
    QSettings settings;
    settings.beginGroup(group);
    settings.setValue(QStringLiteral("recentFiles"), m_data->recentFiles());
    settings.setValue(QStringLiteral("more"), m_more->isChecked());
    if (m_rows.anyProblem())
        return; // what was there before makes more sense than what is half typed
    RunSpec spec = specs().front();
    // What was wanted, though its card may not have been found.
    if (!m_engine->wanted().empty())
        spec.engine = m_engine->wanted();
    spec.precision = m_engine->wantedPrecision();
    const Preset* const preset = m_preset->chosen();
    settings.setValue(QStringLiteral("spec"), QString::fromStdString(toJson(spec)));
    settings.setValue(QStringLiteral("presetId"),
                      preset == nullptr ? QString() : QString::fromStdString(preset->id));
    settings.setValue(QStringLiteral("presetRun"),
                      m_preset->several() || preset == nullptr
                          ? QString()
                          : QString::fromStdString(m_preset->runs().front().name));
    for (const FieldInput* const input : m_inputs)
        if (const auto* const line = qobject_cast<QLineEdit*>(input->widget()))
            settings.setValue(leftKey(*input), input->leftToPreset() ? line->text() : QString());
    settings.setValue(QStringLiteral("byBudget"), m_shape->byBudget());
    settings.setValue(QStringLiteral("budget"), static_cast<qlonglong>(m_shape->budgetValue()));
}

void ExperimentPanel::restore()
{
    QSettings settings;
    settings.beginGroup(group);
    m_data->setRecentFiles(settings.value(QStringLiteral("recentFiles")).toStringList());
    m_more->setChecked(settings.value(QStringLiteral("more")).toBool());
    RunSpec spec;
    try {
        spec = runSpecFromJson(settings.value(QStringLiteral("spec")).toString().toStdString());
    } catch (const std::invalid_argument&) {
        return;
    }
    if (!problems(spec).empty())
        return;
    if (!m_preset->choose(settings.value(QStringLiteral("presetId")).toString(),
                          settings.value(QStringLiteral("presetRun")).toString()))
        m_preset->chooseOwn();
    m_filling = true;
    fillFrom(spec);
    for (FieldInput* const input : m_inputs)
        if (input->leftToPreset())
            qobject_cast<QLineEdit*>(input->widget())
                ->setText(settings.value(leftKey(*input)).toString());
    if (settings.value(QStringLiteral("byBudget")).toBool()) {
        m_shape->setBudgetValue(settings.value(QStringLiteral("budget")).toLongLong());
        m_shape->setByBudget(true);
    }
    m_engine->choose(spec.engine);
    m_engine->setPrecision(spec.precision);
    m_engine->setThreads(spec.threads);
    if (spec.data.file.empty() || QFileInfo::exists(QString::fromStdString(spec.data.file)))
        m_data->setSpec(spec.data);
    m_filling = false;
    edited();
}

} // namespace fullbatch
