// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include <cstdint>
#include <optional>

namespace fullbatch {

/// A line for one number. It keeps what was typed, so that no digit is ever rounded away, and reads
/// it in the widget's locale (see number_text.h). The wheel does nothing.
class RealField : public QLineEdit
{
    Q_OBJECT

public:
    explicit RealField(QWidget* parent = nullptr);
    [[nodiscard]] std::optional<double> value() const;
    void setValue(double value);
    /// What to say when value() is nothing.
    [[nodiscard]] QString syntaxProblem() const;
};

/// The same for whole numbers. The arrow keys up and down add and take one where there is a number.
class WholeField : public QLineEdit
{
    Q_OBJECT

public:
    /// `smallest` bounds the arrow keys alone.
    explicit WholeField(std::int64_t smallest, QWidget* parent = nullptr);
    [[nodiscard]] std::optional<std::int64_t> value() const;
    void setValue(std::int64_t value);
    void stepBy(std::int64_t steps);
    [[nodiscard]] QString syntaxProblem() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::int64_t m_smallest;
};

} // namespace fullbatch
