// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/field_rows.h"

#include "ui/parts/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QWidget>

#include <algorithm>

namespace fullbatch {

std::size_t FieldRows::add(const QString& label, QWidget& input)
{
    auto* const text = new QLabel(label);
    text->setBuddy(&input);
    QString name = label;
    input.setAccessibleName(name.remove(QLatin1Char('&')));
    auto* const below = new QLabel;
    below->setWordWrap(true);
    below->hide();
    const int line = m_layout.rowCount();
    m_layout.addWidget(text, line, 0);
    m_layout.addWidget(&input, line, 1);
    m_layout.addWidget(below, line + 1, 0, 1, 2);
    m_rows.push_back({text, &input, below, {}, {}});
    return m_rows.size() - 1;
}

void FieldRows::addWide(QWidget& widget)
{
    m_layout.addWidget(&widget, m_layout.rowCount(), 0, 1, 2);
}

void FieldRows::setNote(std::size_t row, const QString& note)
{
    m_rows[row].note = note;
    show(m_rows[row]);
}

void FieldRows::setProblem(std::size_t row, const QString& problem)
{
    m_rows[row].problem = problem;
    show(m_rows[row]);
}

void FieldRows::setVisible(std::size_t row, bool visible)
{
    m_rows[row].visible = visible;
    m_rows[row].label->setVisible(visible);
    m_rows[row].input->setVisible(visible);
    show(m_rows[row]);
}

bool FieldRows::focusFirstProblem() const
{
    const auto wrong = std::find_if(m_rows.begin(), m_rows.end(),
                                    [](const Row& row) { return !row.problem.isEmpty(); });
    if (wrong == m_rows.end())
        return false;
    wrong->input->setFocus(Qt::OtherFocusReason);
    return true;
}

bool FieldRows::anyProblem() const
{
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [](const Row& row) { return !row.problem.isEmpty(); });
}

void FieldRows::show(const Row& row) const
{
    const bool wrong = !row.problem.isEmpty();
    const QString& text = wrong ? row.problem : row.note;
    row.below->setText(text);
    row.below->setPalette(wrong ? problemPalette(row.input->palette()) : QPalette());
    row.below->setVisible(row.visible && !text.isEmpty());
    row.input->setAccessibleDescription(text);
    // Read by the application's style sheet.
    if (row.input->property("wrong").toBool() != wrong) {
        row.input->setProperty("wrong", wrong);
        QPalette palette;
        if (wrong)
            palette.setColor(QPalette::Text,
                             problemPalette(row.input->palette()).color(QPalette::WindowText));
        row.input->setPalette(wrong ? palette : QPalette());
    }
}

} // namespace fullbatch
