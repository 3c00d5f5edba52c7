// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QWheelEvent>

namespace fullbatch {

/// A combo box that the wheel scrolls past instead of changing it, and whose longest entry does not
/// widen the form it stands in.
class ChoiceBox : public QComboBox
{
public:
    explicit ChoiceBox(QWidget* parent = nullptr) : QComboBox(parent)
    {
        setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        setMinimumContentsLength(12);
    }

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

} // namespace fullbatch
