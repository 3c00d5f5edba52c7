// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/progress_delegate.h"

#include "ui/runs/run_table_model.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace fullbatch {

void ProgressDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    cell.text.clear();
    const QWidget* const view = option.widget;
    QStyle* const style = view != nullptr ? view->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, view);

    constexpr int margin = 2;
    const QRect track = option.rect.adjusted(margin, margin, -margin, -margin);
    const double done = std::clamp(index.data(RunTableModel::progressRole).toDouble(), 0.0, 1.0);
    QRect bar = track;
    bar.setWidth(static_cast<int>(done * track.width()));
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    QColor fill = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Highlight);
    constexpr int faint = 90; // of 255, so that the text stays legible on either part
    fill.setAlpha(faint);
    painter->save();
    painter->fillRect(bar, fill);
    painter->setPen(QPen(fill, 1));
    painter->drawRect(track.adjusted(0, 0, -1, -1));
    painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
    painter->setFont(option.font);
    painter->drawText(track.adjusted(margin, 0, -margin, 0), Qt::AlignCenter, text);
    painter->restore();
}

} // namespace fullbatch
