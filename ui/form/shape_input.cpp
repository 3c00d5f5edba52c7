// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/shape_input.h"

#include "core/network/equal_budget.h"
#include "core/network/network_shape.h"
#include "ui/parts/choice_box.h"
#include "ui/parts/number_field.h"
#include "ui/parts/widths_text.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

namespace fullbatch {

namespace {

constexpr std::int64_t budgetOfTheBook = 15'208;

QToolButton* stepButton(const QString& text, const QString& name, WholeField& field,
                        std::int64_t step)
{
    auto* const button = new QToolButton;
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setAutoRepeat(true);
    button->setFocusPolicy(Qt::NoFocus); // the arrow keys in the field do the same
    QObject::connect(button, &QToolButton::clicked, &field, [&field, step] { field.stepBy(step); });
    return button;
}

} // namespace

ShapeInput::ShapeInput(QObject* parent)
    : QObject(parent),
      m_depthBox(new QWidget),
      m_depth(new WholeField(0)),
      m_rule(new ChoiceBox),
      m_widths(new QLineEdit),
      m_budget(new WholeField(1))
{
    auto* const line = new QHBoxLayout(m_depthBox);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(2);
    line->addWidget(m_depth, 1);
    line->addWidget(stepButton(QStringLiteral("−"), tr("One layer less"), *m_depth, -1));
    line->addWidget(stepButton(QStringLiteral("+"), tr("One layer more"), *m_depth, 1));
    m_depthBox->setFocusProxy(m_depth);
    m_depth->setObjectName(QStringLiteral("depth"));
    m_rule->setObjectName(QStringLiteral("widthRule"));
    m_widths->setObjectName(QStringLiteral("widths"));
    m_budget->setObjectName(QStringLiteral("budget"));
    m_rule->addItem(tr("as typed"));
    m_rule->addItem(tr("by parameter budget"));
    m_widths->setToolTip(tr("The widths of the hidden layers from first to last, such as "
                            "“63, 31” or “4 x 63”."));
    m_budget->setToolTip(tr("All hidden layers get the one width that brings the number of "
                            "weights and biases nearest to this."));
    m_budget->setValue(budgetOfTheBook);
    connect(m_depth, &QLineEdit::textChanged, this, &ShapeInput::followDepth);
    connect(m_widths, &QLineEdit::textChanged, this, &ShapeInput::followWidths);
    connect(m_rule, &QComboBox::currentIndexChanged, this, &ShapeInput::followRule);
    connect(m_budget, &QLineEdit::textChanged, this, &ShapeInput::followRule);
}

QWidget* ShapeInput::rule() const
{
    return m_rule;
}

QWidget* ShapeInput::widths() const
{
    return m_widths;
}

QWidget* ShapeInput::budget() const
{
    return m_budget;
}

bool ShapeInput::byBudget() const
{
    return m_rule->currentIndex() == 1;
}

void ShapeInput::setByBudget(bool byBudget)
{
    m_rule->setCurrentIndex(byBudget ? 1 : 0);
}

std::int64_t ShapeInput::budgetValue() const
{
    return m_budget->value().value_or(budgetOfTheBook);
}

void ShapeInput::setBudgetValue(std::int64_t parameters)
{
    m_budget->setValue(parameters);
}

void ShapeInput::setEnds(std::int64_t features, std::int64_t classes)
{
    m_features = features;
    m_classes = classes;
    followRule();
}

void ShapeInput::setHiddenWidths(const std::vector<std::int64_t>& widths)
{
    setByBudget(false);
    m_widths->setText(QString::fromStdString(widthsText(widths)));
}

QString ShapeInput::depthProblem() const
{
    const auto depth = m_depth->value();
    if (!depth)
        return m_depth->syntaxProblem();
    if (*depth < 0 || *depth > mostHiddenLayers)
        return tr("%1 hidden layers cannot be trained; allowed is 0 to %2.")
            .arg(locale().toString(static_cast<qlonglong>(*depth)),
                 locale().toString(static_cast<qlonglong>(mostHiddenLayers)));
    return {};
}

QString ShapeInput::widthsProblem() const
{
    if (byBudget() || widthsFromText(m_widths->text()))
        return {};
    return tr("“%1” are no widths; allowed are forms like “63, 31”, “4 x 63” and “none”, up to %2 "
              "layers.")
        .arg(m_widths->text().trimmed().left(20),
             locale().toString(static_cast<qlonglong>(mostHiddenLayers)));
}

QString ShapeInput::budgetProblem() const
{
    if (!byBudget())
        return {};
    const auto budget = m_budget->value();
    if (!budget)
        return m_budget->syntaxProblem();
    if (*budget < 1)
        return tr("A budget of %1 parameters cannot be met; it must be at least 1.").arg(*budget);
    return {};
}

QLocale ShapeInput::locale() const
{
    return m_depth->locale();
}

void ShapeInput::followDepth()
{
    if (depthProblem().isEmpty()) {
        m_hiddenWidths = withDepth(m_hiddenWidths, *m_depth->value());
        const QSignalBlocker quiet(m_widths);
        m_widths->setText(QString::fromStdString(widthsText(m_hiddenWidths)));
    }
    followRule();
}

void ShapeInput::followWidths()
{
    if (const auto widths = widthsFromText(m_widths->text())) {
        m_hiddenWidths = *widths;
        const QSignalBlocker quiet(m_depth);
        m_depth->setValue(static_cast<std::int64_t>(widths->size()));
    }
    emit changed();
}

void ShapeInput::followRule()
{
    if (byBudget() && budgetProblem().isEmpty() && depthProblem().isEmpty()) {
        const std::int64_t depth = *m_depth->value();
        const std::int64_t width =
            depth == 0 ? 1 : equalBudgetWidth(m_features, m_classes, depth, *m_budget->value());
        m_hiddenWidths.assign(static_cast<std::size_t>(depth), width);
        const QSignalBlocker quiet(m_widths);
        m_widths->setText(QString::fromStdString(widthsText(m_hiddenWidths)));
    }
    emit changed();
}

} // namespace fullbatch
