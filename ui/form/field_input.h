// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/fields/run_fields.h"

#include <QObject>
#include <QString>

#include <optional>

class QWidget;

namespace fullbatch {

/// The input of the form for one field of the table: a line for a number, a check box, or a list.
/// Its object name is the field's key.
class FieldInput : public QObject
{
    Q_OBJECT

public:
    explicit FieldInput(const RunField& field, QObject* parent = nullptr);

    [[nodiscard]] const RunField& field() const { return m_field; }
    /// Whoever lays it out owns it.
    [[nodiscard]] QWidget* widget() const { return m_widget; }

    /// Nothing when what is typed cannot be read, or when it is left to the preset.
    [[nodiscard]] std::optional<FieldValue> value() const;
    void setValue(const FieldValue& value);
    /// What to say about what is typed; empty when it can be read. The range is not judged.
    [[nodiscard]] QString syntaxProblem() const;

    /// Whether the input may stay empty, since each run of a preset has a value of its own. Lines
    /// alone can be; see canBeLeft().
    void setLeftToPreset(bool left);
    [[nodiscard]] bool leftToPreset() const { return m_left; }
    [[nodiscard]] bool canBeLeft() const;

signals:
    void changed(); ///< also on a change that cannot be read

private:
    const RunField& m_field;
    QWidget* m_widget = nullptr;
    bool m_left = false;
};

} // namespace fullbatch
