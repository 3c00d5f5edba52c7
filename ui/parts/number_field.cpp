// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/number_field.h"

#include "ui/parts/number_text.h"

#include <QKeyEvent>

#include <algorithm>
#include <limits>

namespace fullbatch {

RealField::RealField(QWidget* parent) : QLineEdit(parent)
{
    setInputMethodHints(Qt::ImhFormattedNumbersOnly);
}

std::optional<double> RealField::value() const
{
    return realFromText(text(), locale());
}

void RealField::setValue(double value)
{
    setText(realText(value, locale()));
}

QString RealField::syntaxProblem() const
{
    if (text().trimmed().isEmpty())
        return tr("A number is missing here, such as %1.").arg(realText(0.0025, locale()));
    return tr("“%1” is not a number; allowed are forms like %2 and 2.5e-3.")
        .arg(text().trimmed().left(20), realText(0.0025, locale()));
}

WholeField::WholeField(std::int64_t smallest, QWidget* parent)
    : QLineEdit(parent),
      m_smallest(smallest)
{
    setInputMethodHints(Qt::ImhDigitsOnly);
}

std::optional<std::int64_t> WholeField::value() const
{
    return wholeFromText(text(), locale());
}

void WholeField::setValue(std::int64_t value)
{
    setText(wholeText(value, locale()));
}

void WholeField::stepBy(std::int64_t steps)
{
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 2;
    if (const auto present = value(); present && *present < far)
        setValue(std::max(m_smallest, *present + steps));
}

QString WholeField::syntaxProblem() const
{
    if (text().trimmed().isEmpty())
        return tr("A whole number is missing here, such as %1.").arg(wholeText(1000, locale()));
    return tr("“%1” is not a whole number; allowed are forms like %2 and 2e5.")
        .arg(text().trimmed().left(20), wholeText(200'000, locale()));
}

void WholeField::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers() == Qt::NoModifier && !isReadOnly()
        && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        stepBy(event->key() == Qt::Key_Up ? 1 : -1);
        event->accept();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace fullbatch
