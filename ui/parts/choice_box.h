// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QWheelEvent>

namespace fullbatch {

/// A combo box that the wheel scrolls past instead of changing it, and whose longest entry does not
/// widen the form it stands in: an entry that is too long ends in dots.
class ChoiceBox : public QComboBox
{
public:
    explicit ChoiceBox(QWidget* parent = nullptr) : QComboBox(parent)
    {
        setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        setMinimumContentsLength(12);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                    QStyle::SC_ComboBoxEditField, this);
        constexpr int margins = 2;
        option.currentText =
            fontMetrics().elidedText(option.currentText, Qt::ElideRight, field.width() - margins);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

} // namespace fullbatch
