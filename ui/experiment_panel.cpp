// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment_panel.h"

#include "core/training/presets.h"
#include "ui/choice_box.h"
#include "ui/cost_text.h"
#include "ui/data_input.h"
#include "ui/engine_input.h"
#include "ui/number_field.h"
#include "ui/shape_input.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QRandomGenerator>
#include <QToolButton>
#include <QVBoxLayout>

#include <limits>

namespace fullbatch {

namespace {

constexpr std::int64_t largestSeed = std::numeric_limits<std::uint32_t>::max();

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

} // namespace

ExperimentPanel::ExperimentPanel(std::shared_ptr<DataCache> cache, const MeasuredSpeeds& speeds,
                                 int cores, QWidget* parent)
    : QWidget(parent),
      m_speeds(speeds),
      m_cores(cores),
      m_data(new DataInput(std::move(cache), this)),
      m_shape(new ShapeInput(this)),
      m_engine(new EngineInput(cores, this)),
      m_preset(new ChoiceBox),
      m_rate(new RealField),
      m_applyRate(new QToolButton),
      m_momentum(new RealField),
      m_epochs(new WholeField(1)),
      m_seed(new WholeField(0)),
      m_testEvery(new WholeField(0)),
      m_cost(new QLabel),
      m_grid(new QGridLayout),
      m_rows(*m_grid)
{
    auto* const column = new QVBoxLayout(this);
    column->addLayout(m_grid);
    column->addWidget(m_cost);
    column->addStretch(1);
    m_grid->setColumnStretch(1, 1);
    m_grid->setVerticalSpacing(4);
    m_cost->setWordWrap(true);
    m_cost->setObjectName(QStringLiteral("cost"));
    addInputs();
    for (QLineEdit* field :
         std::initializer_list<QLineEdit*>{m_rate, m_momentum, m_epochs, m_seed, m_testEvery})
        connect(field, &QLineEdit::textChanged, this, &ExperimentPanel::edited);
    connect(m_data, &DataInput::changed, this, &ExperimentPanel::edited);
    connect(m_shape, &ShapeInput::changed, this, &ExperimentPanel::edited);
    connect(m_engine, &EngineInput::changed, this, &ExperimentPanel::edited);
    connect(m_preset, &QComboBox::activated, this, &ExperimentPanel::choosePreset);
    connect(m_applyRate, &QToolButton::clicked, this, &ExperimentPanel::applyRate);
    choosePreset(FourLayers);
}

void ExperimentPanel::addInputs()
{
    m_preset->setObjectName(QStringLiteral("preset"));
    for (const QString& name :
         {tr("Own network"), tr("Fig. 20.2: one layer"), tr("Fig. 20.2: two layers"),
          tr("Fig. 20.2: three layers"), tr("Fig. 20.2: four layers"), tr("Fig. 20.2: all four")})
        m_preset->addItem(name);
    m_preset->setToolTip(tr("The networks of figure 20.2 in “Understanding Deep Learning”: equal "
                            "numbers of parameters, spread over one to four hidden layers."));
    m_row.preset = m_rows.add(tr("E&xperiment"), *m_preset);
    m_row.data = m_rows.add(tr("&Data"), *m_data->source());
    m_row.dataSeed = m_rows.add(tr("Data seed"), *m_data->seed());
    m_row.depth = m_rows.add(tr("Hidden &layers"), *m_shape->depth());
    m_row.rule = m_rows.add(tr("Widths"), *m_shape->rule());
    m_row.widths = m_rows.add(tr("Layer &widths"), *m_shape->widths());
    m_row.budget = m_rows.add(tr("Para&meter budget"), *m_shape->budget());

    m_rate->setObjectName(QStringLiteral("learningRate"));
    m_applyRate->setText(tr("&Apply"));
    m_applyRate->setObjectName(QStringLiteral("applyLearningRate"));
    m_applyRate->setToolTip(
        tr("Gives this learning rate to the selected runs that train now (to all "
           "when none is selected), from their next epochs on."));
    m_row.rate = m_rows.add(tr("Learning &rate"), *joined(*m_rate, *m_applyRate));
    m_momentum->setObjectName(QStringLiteral("momentum"));
    m_row.momentum = m_rows.add(tr("Mo&mentum"), *m_momentum);
    addRun();
}

void ExperimentPanel::addRun()
{
    m_epochs->setObjectName(QStringLiteral("epochs"));
    m_row.epochs = m_rows.add(tr("E&pochs"), *m_epochs);
    m_seed->setObjectName(QStringLiteral("seed"));
    m_seed->setToolTip(tr("The seed of the start weights: the same seed gives the same run."));
    auto* const newSeed = new QToolButton;
    newSeed->setText(tr("&New"));
    newSeed->setObjectName(QStringLiteral("newSeed"));
    newSeed->setToolTip(tr("Draws another seed and shows it."));
    connect(newSeed, &QToolButton::clicked, this, &ExperimentPanel::drawSeed);
    m_row.seed = m_rows.add(tr("See&d"), *joined(*m_seed, *newSeed));
    m_testEvery->setObjectName(QStringLiteral("testEvery"));
    m_testEvery->setToolTip(
        tr("Measures the test rows before every so many epochs; 0 means never."));
    m_row.testEvery = m_rows.add(tr("&Test every"), *m_testEvery);
    m_row.engine = m_rows.add(tr("En&gine"), *m_engine->engine());
    m_row.precision = m_rows.add(tr("Precision"), *m_engine->precision());
    m_row.threads = m_rows.add(tr("T&hreads"), *m_engine->threads());
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

void ExperimentPanel::openData(const QString& path)
{
    m_data->openFile(path);
}

bool ExperimentPanel::allFour() const
{
    return m_preset->currentIndex() == AllFour;
}

RunSpec ExperimentPanel::typed() const
{
    RunSpec spec;
    spec.data = m_data->spec();
    spec.hiddenWidths = m_shape->hiddenWidths();
    spec.learningRate = m_rate->value().value_or(spec.learningRate);
    spec.momentum = m_momentum->value().value_or(spec.momentum);
    spec.epochs = m_epochs->value().value_or(spec.epochs);
    if (const auto seed = m_seed->value(); seed && *seed >= 0)
        spec.seed = static_cast<std::uint64_t>(*seed);
    spec.testEvery = m_testEvery->value().value_or(0);
    if (engine() != nullptr)
        spec.engine = engine()->id;
    spec.precision = m_engine->precisionValue();
    spec.threads = m_engine->threadsValue();
    return spec;
}

std::vector<RunSpec> ExperimentPanel::specs() const
{
    const RunSpec form = typed();
    if (!allFour())
        return {form};
    const bool epochsOfFigure = m_epochs->text().trimmed().isEmpty();
    std::vector<RunSpec> specs;
    for (const RunSpec& preset : figure202Presets()) {
        specs.push_back(form);
        specs.back().hiddenWidths = preset.hiddenWidths;
        if (epochsOfFigure)
            specs.back().epochs = preset.epochs;
    }
    return specs;
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

void ExperimentPanel::choosePreset(int preset)
{
    m_filling = true;
    m_preset->setCurrentIndex(preset);
    if (preset >= OneLayer && preset <= FourLayers) {
        const std::vector<RunSpec> presets = figure202Presets();
        const RunSpec& chosen = presets[static_cast<std::size_t>(preset - OneLayer)];
        m_shape->setHiddenWidths(chosen.hiddenWidths);
        m_epochs->setValue(chosen.epochs);
    }
    if (preset != OwnNetwork) {
        const RunSpec figure = figure202Presets().front();
        m_rate->setValue(figure.learningRate);
        m_momentum->setValue(figure.momentum);
        if (m_seed->text().isEmpty())
            m_seed->setValue(static_cast<std::int64_t>(figure.seed));
        if (m_testEvery->text().isEmpty())
            m_testEvery->setValue(figure.testEvery);
    }
    if (preset == AllFour)
        m_epochs->clear();
    m_epochs->setPlaceholderText(preset == AllFour ? tr("as in the figure") : QString());
    m_filling = false;
    edited();
}

void ExperimentPanel::edited()
{
    if (m_filling)
        return;
    m_filling = true;
    m_shape->setEnds(m_data->sizes().features, m_data->sizes().classes);
    if (const int preset = m_preset->currentIndex(); preset >= OneLayer && preset <= FourLayers) {
        const auto presets = figure202Presets();
        if (presets[static_cast<std::size_t>(preset - OneLayer)].hiddenWidths
            != m_shape->hiddenWidths())
            m_preset->setCurrentIndex(OwnNetwork);
    }
    if (!allFour() && m_epochs->text().isEmpty() && !m_epochs->placeholderText().isEmpty()) {
        m_epochs->setPlaceholderText({});
        m_epochs->setValue(RunSpec().epochs);
    }
    m_filling = false;
    judge();
    emit changed();
}

void ExperimentPanel::judge()
{
    m_rows.setVisible(m_row.dataSeed, m_data->generated());
    for (const std::size_t row : {m_row.depth, m_row.rule})
        m_rows.setVisible(row, !allFour());
    m_rows.setVisible(m_row.widths, !allFour());
    m_rows.setVisible(m_row.budget, !allFour() && m_shape->byBudget());
    if (auto* const widths = qobject_cast<QLineEdit*>(m_shape->widths()))
        widths->setReadOnly(m_shape->byBudget());

    const bool epochsOfFigure = allFour() && m_epochs->text().trimmed().isEmpty();
    m_rows.setProblem(m_row.data, m_data->problem());
    m_rows.setNote(m_row.data, m_data->note());
    m_rows.setProblem(m_row.dataSeed, m_data->seedProblem());
    m_rows.setProblem(m_row.depth, allFour() ? QString() : m_shape->depthProblem());
    m_rows.setProblem(m_row.widths, allFour() ? QString() : m_shape->widthsProblem());
    m_rows.setProblem(m_row.budget, allFour() ? QString() : m_shape->budgetProblem());
    m_rows.setProblem(m_row.rate, m_rate->value() ? QString() : m_rate->syntaxProblem());
    m_rows.setProblem(m_row.momentum,
                      m_momentum->value() ? QString() : m_momentum->syntaxProblem());
    m_rows.setProblem(m_row.epochs,
                      m_epochs->value() || epochsOfFigure ? QString() : m_epochs->syntaxProblem());
    m_rows.setProblem(m_row.seed, m_seed->value() ? QString() : m_seed->syntaxProblem());
    m_rows.setProblem(m_row.testEvery,
                      m_testEvery->value() ? QString() : m_testEvery->syntaxProblem());
    m_rows.setProblem(m_row.engine, m_engine->problem());
    m_rows.setNote(m_row.engine, m_engine->note());
    if (const auto seed = m_seed->value(); seed && *seed < 0)
        m_rows.setProblem(m_row.seed,
                          tr("The seed is %1, but it must be from 0 to %2.")
                              .arg(*seed)
                              .arg(locale().toString(static_cast<qlonglong>(largestSeed))));

    for (const FieldProblem& problem : problems(specs().front())) {
        const QString message = QString::fromStdString(problem.message);
        switch (problem.field) {
        case Field::Data:
            m_rows.setProblem(m_row.data, message);
            break;
        case Field::HiddenWidths:
            m_rows.setProblem(m_row.widths, message);
            break;
        case Field::LearningRate:
            m_rows.setProblem(m_row.rate, message);
            break;
        case Field::Momentum:
            m_rows.setProblem(m_row.momentum, message);
            break;
        case Field::Epochs:
            m_rows.setProblem(m_row.epochs, message);
            break;
        case Field::Seed:
            m_rows.setProblem(m_row.seed, message);
            break;
        case Field::TestEvery:
            m_rows.setProblem(m_row.testEvery, message);
            break;
        default: // no input of this form can cause the others
            m_rows.setProblem(m_row.engine, message);
        }
    }
    refreshCost();
    setRateApplies(m_rateApplies);
}

void ExperimentPanel::setRateApplies(bool applies)
{
    m_rateApplies = applies;
    const auto rate = m_rate->value();
    m_applyRate->setEnabled(applies && rate && *rate > 0
                            && *rate <= std::numeric_limits<double>::max());
}

void ExperimentPanel::applyRate()
{
    if (m_applyRate->isEnabled() && m_rate->value())
        emit learningRateApplied(*m_rate->value());
}

void ExperimentPanel::drawSeed()
{
    m_seed->setText(QString::number(QRandomGenerator::global()->bounded(1'000'000U)));
}

void ExperimentPanel::refreshCost()
{
    if (m_rows.anyProblem() || engine() == nullptr) {
        m_cost->clear();
        return;
    }
    const QString problem = memoryProblemText(specs(), m_data->sizes(), m_cores);
    m_rows.setProblem(allFour() ? m_row.preset : m_row.widths, problem);
    m_cost->setText(costText(specs(), m_data->sizes(), m_speeds, m_cores, locale()));
}

} // namespace fullbatch
