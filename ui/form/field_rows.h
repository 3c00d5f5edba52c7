// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QGridLayout;
class QLabel;
class QWidget;

namespace fullbatch {

/// A form in two columns, label and input, where every input can have a sentence below it that says
/// what is wrong with it. The sentence is also the input's accessible description.
class FieldRows
{
public:
    /// Rows are added to `layout`, which owns nothing here beyond the usual of a layout.
    explicit FieldRows(QGridLayout& layout) : m_layout(layout) { }

    /// `label` may have an &; it names `input` for a screen reader too. Returns the row's number.
    std::size_t add(const QString& label, QWidget& input);
    /// A widget across both columns, without a label.
    void addWide(QWidget& widget);
    /// A quiet sentence below the row's input; empty hides it.
    void setNote(std::size_t row, const QString& note);
    /// The sentence about what is wrong; empty when all is well. Takes the place of the note.
    void setProblem(std::size_t row, const QString& problem);
    /// Puts the focus into the first input that is wrong; false when none is.
    bool focusFirstProblem() const;
    [[nodiscard]] bool anyProblem() const;
    /// Hides a row, or shows it again.
    void setVisible(std::size_t row, bool visible);

private:
    struct Row
    {
        QLabel* label;
        QWidget* input;
        QLabel* below;
        QString note;
        QString problem;
        bool visible = true;
    };
    void show(const Row& row) const;

    QGridLayout& m_layout;
    std::vector<Row> m_rows;
};

} // namespace fullbatch
