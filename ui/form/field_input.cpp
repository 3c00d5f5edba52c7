// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/field_input.h"

#include "ui/parts/choice_box.h"
#include "ui/parts/number_field.h"

#include <QCheckBox>

namespace fullbatch {

namespace {

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace

FieldInput::FieldInput(const RunField& field, QObject* parent) : QObject(parent), m_field(field)
{
    switch (field.type) {
    case FieldType::Flag: {
        auto* const box = new QCheckBox;
        connect(box, &QCheckBox::toggled, this, &FieldInput::changed);
        m_widget = box;
        break;
    }
    case FieldType::Choice: {
        auto* const box = new ChoiceBox;
        for (const std::string_view choice : field.choices)
            box->addItem(text(choice));
        connect(box, &QComboBox::currentIndexChanged, this, &FieldInput::changed);
        m_widget = box;
        break;
    }
    case FieldType::Real:
        m_widget = new RealField;
        break;
    case FieldType::Whole:
        m_widget = new WholeField(static_cast<std::int64_t>(std::max(field.least, -1e15)));
        break;
    case FieldType::Text:
    case FieldType::Widths:
        m_widget = new QLineEdit;
        break;
    }
    if (auto* const line = qobject_cast<QLineEdit*>(m_widget))
        connect(line, &QLineEdit::textChanged, this, &FieldInput::changed);
    m_widget->setObjectName(text(field.key));
    m_widget->setToolTip(text(field.tip));
    setValue(field.get(RunSpec()));
}

bool FieldInput::canBeLeft() const
{
    return m_field.type == FieldType::Real || m_field.type == FieldType::Whole;
}

std::optional<FieldValue> FieldInput::value() const
{
    if (const auto* const box = qobject_cast<QCheckBox*>(m_widget))
        return box->isChecked();
    if (const auto* const box = qobject_cast<QComboBox*>(m_widget))
        return box->currentText().toStdString();
    if (const auto* const real = qobject_cast<RealField*>(m_widget))
        return real->value();
    if (const auto* const whole = qobject_cast<WholeField*>(m_widget)) {
        const QString typed = whole->text().trimmed();
        if (!m_field.zero.empty() && typed.compare(text(m_field.zero), Qt::CaseInsensitive) == 0)
            return std::int64_t{0};
        // Beyond what the field can hold there is no value to set; the sentence is syntaxProblem().
        const std::optional<std::int64_t> number = whole->value();
        const bool fits = number && *number >= m_field.smallestStored
            && (*number < 0 || static_cast<std::uint64_t>(*number) <= m_field.largestStored);
        return fits ? std::optional<FieldValue>(*number) : std::nullopt;
    }
    return qobject_cast<QLineEdit*>(m_widget)->text().toStdString();
}

void FieldInput::setValue(const FieldValue& value)
{
    if (auto* const check = qobject_cast<QCheckBox*>(m_widget))
        check->setChecked(std::get<bool>(value));
    else if (auto* const box = qobject_cast<QComboBox*>(m_widget))
        box->setCurrentText(text(std::get<std::string>(value)));
    else if (auto* const real = qobject_cast<RealField*>(m_widget))
        real->setValue(std::get<double>(value));
    else if (auto* const whole = qobject_cast<WholeField*>(m_widget)) {
        const std::int64_t number = std::get<std::int64_t>(value);
        if (number == 0 && !m_field.zero.empty())
            whole->setText(text(m_field.zero));
        else
            whole->setValue(number);
    }
}

QString FieldInput::syntaxProblem() const
{
    if (value())
        return {};
    if (const auto* const real = qobject_cast<RealField*>(m_widget))
        return m_left && real->text().trimmed().isEmpty() ? QString() : real->syntaxProblem();
    const auto* const whole = qobject_cast<WholeField*>(m_widget);
    if (m_left && whole->text().trimmed().isEmpty())
        return {};
    if (whole->value())
        return tr("The %1 is %2, but it must be %3.")
            .arg(text(m_field.noun), QString::number(*whole->value()), text(m_field.allowed));
    if (!m_field.zero.empty())
        return tr("“%1” cannot be read; allowed is %2.")
            .arg(whole->text().trimmed().left(20), text(m_field.allowed));
    return whole->syntaxProblem();
}

void FieldInput::setLeftToPreset(bool left)
{
    if (m_left == left)
        return;
    m_left = left;
    auto* const line = qobject_cast<QLineEdit*>(m_widget);
    if (line == nullptr)
        return;
    line->setPlaceholderText(left ? tr("as in the preset") : QString());
    if (left)
        line->clear();
    else if (line->text().trimmed().isEmpty())
        setValue(m_field.get(RunSpec()));
}

} // namespace fullbatch
