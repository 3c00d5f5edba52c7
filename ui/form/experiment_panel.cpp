// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/experiment_panel.h"

#include "ui/form/cost_text.h"
#include "ui/form/data_input.h"
#include "ui/form/engine_input.h"
#include "ui/form/field_input.h"
#include "ui/form/preset_input.h"
#include "ui/form/shape_input.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRandomGenerator>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace fullbatch {

namespace {

QString translated(std::string_view text)
{
    return QCoreApplication::translate("RunField", std::string(text).c_str());
}

/// `field` with `button` at its right end; the focus goes to the field.
QWidget* joined(QWidget& field, QToolButton& button)
{
    auto* const both = new QWidget;
    button.setFocusPolicy(Qt::StrongFocus);
    auto* const line = new QHBoxLayout(both);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    line->addWidget(&field, 1);
    line->addWidget(&button);
    both->setFocusProxy(&field);
    return both;
}

/// Whether two specs describe the same experiment: on which engine, how long and from which seed
/// it is run is another matter.
bool sameExperiment(const RunSpec& a, const RunSpec& b)
{
    for (const RunField& field : runFields())
        if (field.group != FieldGroup::Engine && field.group != FieldGroup::Length
            && field.group != FieldGroup::Ends && field.key != "name" && field.key != "data.sha256"
            && field.get(a) != field.get(b))
            return false;
    return true;
}

} // namespace

ExperimentPanel::ExperimentPanel(std::shared_ptr<DataCache> cache, const MeasuredSpeeds& speeds,
                                 int cores, QWidget* parent)
    : QWidget(parent),
      m_speeds(speeds),
      m_cores(cores),
      m_preset(new PresetInput(this)),
      m_data(new DataInput(std::move(cache), this)),
      m_shape(new ShapeInput(this)),
      m_engine(new EngineInput(cores, this)),
      m_applyRate(new QToolButton),
      m_more(new QToolButton),
      m_cost(new QLabel),
      m_grid(new QGridLayout),
      m_rows(*m_grid)
{
    auto* const column = new QVBoxLayout(this);
    column->addLayout(m_grid);
    column->addWidget(m_more);
    column->addWidget(m_cost);
    column->addStretch(1);
    m_grid->setColumnStretch(1, 1);
    m_grid->setVerticalSpacing(4);
    m_more->setText(tr("More settings"));
    m_more->setObjectName(QStringLiteral("moreSettings"));
    m_more->setCheckable(true);
    m_more->setToolTip(tr("Shows what is seldom changed: random labels, initial weights, warm-up, "
                          "ways to end a run early."));
    m_cost->setWordWrap(true);
    m_cost->setObjectName(QStringLiteral("cost"));
    addInputs();
    connect(m_preset, &PresetInput::chosenAnew, this, &ExperimentPanel::takePreset);
    connect(m_data, &DataInput::changed, this, &ExperimentPanel::edited);
    connect(m_shape, &ShapeInput::changed, this, &ExperimentPanel::edited);
    connect(m_engine, &EngineInput::changed, this, &ExperimentPanel::edited);
    connect(m_more, &QToolButton::toggled, this, &ExperimentPanel::judge);
    connect(m_applyRate, &QToolButton::clicked, this, &ExperimentPanel::applyRate);
    m_preset->choose(QStringLiteral("figure-20-2"), QStringLiteral("four-layers"));
    takePreset();
}

void ExperimentPanel::addRow(std::string_view key, const QString& label, QWidget& input)
{
    m_row[key] = m_rows.add(label, input);
}

void ExperimentPanel::addInputs()
{
    addRow("preset", tr("E&xperiment"), *m_preset->preset());
    addRow("presetRun", tr("R&uns"), *m_preset->run());
    for (const RunField& field : runFields())
        addField(field);
}

void ExperimentPanel::addField(const RunField& field)
{
    const QString label = translated(field.label);
    if (field.key == "data.file") {
        addRow(field.key, label, *m_data->source());
        addRow("data.recipe.seed", tr("Data seed"), *m_data->seed());
    } else if (field.key == "hiddenWidths") {
        addRow("depth", tr("Hidden &layers"), *m_shape->depth());
        addRow("widthRule", tr("Widths"), *m_shape->rule());
        addRow(field.key, label, *m_shape->widths());
        addRow("budget", tr("Para&meter budget"), *m_shape->budget());
    } else if (field.key == "engine") {
        addRow(field.key, label, *m_engine->engine());
    } else if (field.key == "precision") {
        addRow(field.key, label, *m_engine->precision());
    } else if (field.key == "threads") {
        addRow(field.key, label, *m_engine->threads());
    } else if (!field.label.empty()) {
        auto* const input = new FieldInput(field, this);
        m_inputs.push_back(input);
        connect(input, &FieldInput::changed, this, &ExperimentPanel::edited);
        addRow(field.key, label, *inputOf(*input));
    }
}

/// The input, with what stands beside it.
QWidget* ExperimentPanel::inputOf(FieldInput& input)
{
    if (input.field().key == "learningRate") {
        m_applyRate->setText(tr("&Apply"));
        m_applyRate->setObjectName(QStringLiteral("applyLearningRate"));
        m_applyRate->setToolTip(
            tr("Gives this learning rate to the selected runs that train now (to all when none is "
               "selected), from their next epochs on; a schedule goes on from it."));
        return joined(*input.widget(), *m_applyRate);
    }
    if (input.field().key == "seed") {
        auto* const newSeed = new QToolButton;
        newSeed->setText(tr("&New"));
        newSeed->setObjectName(QStringLiteral("newSeed"));
        newSeed->setToolTip(tr("Draws another seed and shows it."));
        connect(newSeed, &QToolButton::clicked, this, &ExperimentPanel::drawSeed);
        return joined(*input.widget(), *newSeed);
    }
    return input.widget();
}

FieldInput* ExperimentPanel::input(std::string_view key) const
{
    const auto found = std::find_if(m_inputs.begin(), m_inputs.end(),
                                    [key](FieldInput* each) { return each->field().key == key; });
    return found == m_inputs.end() ? nullptr : *found;
}

void ExperimentPanel::setEngines(const std::vector<EngineChoice>& engines)
{
    m_engine->setEngines(engines);
}

const EngineChoice* ExperimentPanel::engine() const
{
    return m_engine->choice();
}

std::vector<EngineChoice> ExperimentPanel::engines() const
{
    return m_engine->choiceAndEquals();
}

const EngineChoice* ExperimentPanel::engineOf(const std::string& id) const
{
    return m_engine->usable(id);
}

void ExperimentPanel::openData(const QString& path)
{
    m_data->openFile(path);
}

void ExperimentPanel::openPreset(const QString& path)
{
    m_preset->openFile(path);
}

/// Whether the runs of the chosen preset have several values in the field.
bool ExperimentPanel::differs(std::string_view key) const
{
    const std::vector<RunSpec> runs = m_preset->runs();
    const RunField& field = runField(key);
    return std::any_of(runs.begin(), runs.end(), [&](const RunSpec& run) {
        return field.get(run) != field.get(runs.front());
    });
}

/// `run` with what the form says.
RunSpec ExperimentPanel::typed(const RunSpec& run) const
{
    RunSpec spec = run;
    spec.name.clear();
    spec.threads = m_engine->threadsValue();
    if (!differs("data.file") && !differs("data.recipe.seed")) {
        const DataSpec source = m_data->spec();
        spec.data.file = source.file;
        spec.data.recipe = source.recipe;
    }
    if (!differs("hiddenWidths"))
        spec.hiddenWidths = m_shape->hiddenWidths();
    if (!differs("engine") && engine() != nullptr)
        spec.engine = engine()->id;
    if (!differs("engine") && !differs("precision"))
        spec.precision = m_engine->precisionValue();
    for (const FieldInput* const input : m_inputs) {
        const RunField& field = input->field();
        if (differs(field.key) && !input->canBeLeft())
            continue;
        if (const std::optional<FieldValue> value = input->value())
            field.set(spec, *value);
    }
    return withoutIdleFields(std::move(spec));
}

std::vector<RunSpec> ExperimentPanel::specs() const
{
    std::vector<RunSpec> runs = m_preset->runs();
    if (runs.empty())
        runs.emplace_back();
    for (RunSpec& run : runs)
        run = typed(run);
    return runs;
}

Preset ExperimentPanel::asPreset(const QString& title) const
{
    Preset preset;
    const std::vector<RunSpec> named = m_preset->runs();
    if (const Preset* const chosen = m_preset->chosen())
        preset = *chosen;
    else
        preset.charts = {"error"};
    preset.title = title.toStdString();
    preset.runs = specs();
    for (std::size_t i = 0; i < named.size(); ++i)
        preset.runs[i].name = named[i].name;
    return preset;
}

bool ExperimentPanel::ready() const
{
    return !m_rows.anyProblem() && m_data->ready() && engine() != nullptr;
}

QString ExperimentPanel::showProblem()
{
    if (m_rows.focusFirstProblem())
        return tr("Start waits: what is wrong stands in red below the input.");
    return m_data->ready() ? m_engine->problem() : m_data->note();
}

/// Sets every input to what the run says; the engine stays as it is unless the run needs another.
void ExperimentPanel::fillFrom(const RunSpec& spec)
{
    for (FieldInput* const input : m_inputs) {
        input->setLeftToPreset(input->canBeLeft() && differs(input->field().key));
        if (!input->leftToPreset())
            input->setValue(input->field().get(spec));
    }
    m_shape->setHiddenWidths(spec.hiddenWidths);
}

void ExperimentPanel::takePreset()
{
    m_filling = true;
    const std::vector<RunSpec> runs = m_preset->runs();
    if (runs.empty()) {
        for (FieldInput* const input : m_inputs)
            input->setLeftToPreset(false);
    } else {
        fillFrom(runs.front());
        m_data->setSpec(runs.front().data);
        if (runs.front().engine != RunSpec().engine)
            m_engine->choose(runs.front().engine);
        if (runs.front().precision != RunSpec().precision)
            m_engine->setPrecision(runs.front().precision);
    }
    m_filling = false;
    edited();
}

void ExperimentPanel::edited()
{
    if (m_filling)
        return;
    m_filling = true;
    m_shape->setEnds(m_data->sizes().features, m_data->sizes().classes);
    leavePresetIfChanged();
    m_filling = false;
    judge();
    emit changed();
}

/// One run of a preset that is no longer what the preset says is an experiment of one's own.
void ExperimentPanel::leavePresetIfChanged()
{
    const std::vector<RunSpec> runs = m_preset->runs();
    if (runs.size() == 1 && !sameExperiment(typed(runs.front()), withoutIdleFields(runs.front())))
        m_preset->chooseOwn();
}

void ExperimentPanel::judge()
{
    const std::vector<RunSpec> runs = specs();
    showRows(runs.front());
    judgeInputs();
    judgeRuns(runs);
    refreshCost();
    setRateApplies(m_rateApplies);
}

void ExperimentPanel::showRows(const RunSpec& first)
{
    const RunSpec defaults;
    const bool ownShape = !differs("hiddenWidths");
    m_rows.setVisible(m_row["presetRun"], m_preset->chosen() != nullptr);
    m_rows.setNote(m_row["preset"], m_preset->note());
    m_rows.setVisible(m_row["data.recipe.seed"], m_data->generated());
    for (const std::string_view key : {"depth", "widthRule", "hiddenWidths"})
        m_rows.setVisible(m_row[key], ownShape);
    m_rows.setVisible(m_row["budget"], ownShape && m_shape->byBudget());
    m_rows.setVisible(m_row["engine"], !differs("engine"));
    m_rows.setVisible(m_row["precision"], !differs("engine") && !differs("precision"));
    if (auto* const widths = qobject_cast<QLineEdit*>(m_shape->widths()))
        widths->setReadOnly(m_shape->byBudget());
    for (const FieldInput* const input : m_inputs) {
        const RunField& field = input->field();
        const bool left = differs(field.key) && !input->canBeLeft();
        const bool wanted = !field.rare || m_more->isChecked()
            || field.get(first) != field.get(defaults) || !input->syntaxProblem().isEmpty();
        m_rows.setVisible(m_row[field.key], !left && wanted && field.hasEffect(first));
    }
}

/// What cannot be read, and what the inputs know themselves.
void ExperimentPanel::judgeInputs()
{
    const bool ownShape = !differs("hiddenWidths");
    const auto ofShape = [ownShape](const QString& problem) {
        return ownShape ? problem : QString();
    };
    m_rows.setProblem(m_row["preset"], m_preset->problem());
    m_rows.setProblem(m_row["data.file"], m_data->problem());
    m_rows.setNote(m_row["data.file"], m_data->note());
    m_rows.setProblem(m_row["data.recipe.seed"], m_data->seedProblem());
    m_rows.setProblem(m_row["depth"], ofShape(m_shape->depthProblem()));
    m_rows.setProblem(m_row["hiddenWidths"], ofShape(m_shape->widthsProblem()));
    m_rows.setProblem(m_row["budget"], ofShape(m_shape->budgetProblem()));
    m_rows.setProblem(m_row["engine"], m_engine->problem());
    m_rows.setNote(m_row["engine"], m_engine->note());
    for (const FieldInput* const input : m_inputs)
        m_rows.setProblem(m_row[input->field().key], input->syntaxProblem());
}

/// What no run can have, and what this machine cannot train.
void ExperimentPanel::judgeRuns(const std::vector<RunSpec>& runs)
{
    for (const RunSpec& run : runs) {
        for (const FieldProblem& problem : problems(run)) {
            const auto row = m_row.find(problem.field->key);
            m_rows.setProblem(row == m_row.end() ? m_row["preset"] : row->second,
                              QString::fromStdString(problem.message));
        }
        if (!differs("engine") && !differs("precision"))
            continue;
        const EngineChoice* const engine = engineOf(run.engine);
        if (engine == nullptr)
            m_rows.setProblem(m_row["preset"],
                              tr("The engine %1, which a run of this preset asks for, cannot be "
                                 "used here.")
                                  .arg(QString::fromStdString(run.engine)));
        else if (std::find(engine->precisions.begin(), engine->precisions.end(), run.precision)
                 == engine->precisions.end())
            m_rows.setProblem(m_row["preset"],
                              tr("The engine %1 cannot compute in the precision that a run of this "
                                 "preset asks for.")
                                  .arg(QString::fromStdString(run.engine)));
    }
}

void ExperimentPanel::setRateApplies(bool applies)
{
    m_rateApplies = applies;
    const std::optional<FieldValue> rate = input("learningRate")->value();
    m_applyRate->setEnabled(applies && rate && std::get<double>(*rate) > 0
                            && std::get<double>(*rate) <= std::numeric_limits<double>::max());
}

void ExperimentPanel::applyRate()
{
    const std::optional<FieldValue> rate = input("learningRate")->value();
    if (m_applyRate->isEnabled() && rate)
        emit learningRateApplied(std::get<double>(*rate));
}

void ExperimentPanel::drawSeed()
{
    input("seed")->setValue(std::int64_t{QRandomGenerator::global()->bounded(1'000'000U)});
}

void ExperimentPanel::refreshCost()
{
    if (m_rows.anyProblem() || engine() == nullptr) {
        m_cost->clear();
        return;
    }
    const QString problem = memoryProblemText(specs(), m_data->sizes(), m_cores);
    m_rows.setProblem(m_row[differs("hiddenWidths") ? "preset" : "hiddenWidths"], problem);
    m_cost->setText(costText(specs(), m_data->sizes(), m_speeds, m_cores, locale()));
}

} // namespace fullbatch
