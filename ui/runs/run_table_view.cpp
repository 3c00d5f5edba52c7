// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table_view.h"

#include "ui/runs/progress_delegate.h"
#include "ui/runs/run_table_model.h"

#include <QHeaderView>
#include <QKeyEvent>

namespace fullbatch {

namespace {

/// The longest text of ordinary use, by which a column gets its width once, so that nothing jumps
/// while numbers move.
QString widestText(int column)
{
    switch (column) {
    case RunTableModel::Name:
        return QStringLiteral("4 x 63 (2)");
    case RunTableModel::Shape:
        return QStringLiteral("40-63-63-63-63-10");
    case RunTableModel::ParameterCount:
        return QStringLiteral("15,319");
    case RunTableModel::Engine:
        return QStringLiteral("cpu × 8");
    case RunTableModel::Progress:
        return QStringLiteral("200,000 of 200,000");
    case RunTableModel::Error:
        return QStringLiteral("100.00");
    case RunTableModel::Loss:
        return QStringLiteral("0.1234");
    case RunTableModel::EpochsPerSecond:
        return QStringLiteral("12,345");
    case RunTableModel::GigaflopsPerSecond:
        return QStringLiteral("123.4");
    case RunTableModel::ShareOfPeak:
        return QStringLiteral("100 %");
    case RunTableModel::TimeLeft:
        return QStringLiteral("14 min 05 s");
    case RunTableModel::EndsAt:
        return QStringLiteral("Wed 14:05");
    default:
        return RunTableModel::tr("running");
    }
}

} // namespace

RunTableView::RunTableView(RunTableModel& model, QWidget* parent) : QTableView(parent)
{
    setObjectName(QStringLiteral("runs"));
    setAccessibleName(tr("Runs"));
    setModel(&model);
    setItemDelegateForColumn(RunTableModel::Progress, new ProgressDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle); // names of runs begin alike and differ at their ends
    setTabKeyNavigation(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    constexpr int swatchWidth = 28;
    constexpr int swatchHeight = 14;
    setIconSize({swatchWidth, swatchHeight});
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setTextElideMode(Qt::ElideRight);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { emit selectionChangedTo(selectedIds()); });
    fitColumns();
    fitRows();
}

std::vector<int> RunTableView::selectedIds() const
{
    std::vector<int> ids;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        ids.push_back(index.data(RunTableModel::idRole).toInt());
    return ids;
}

void RunTableView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        clearSelection();
        return;
    }
    QTableView::keyPressEvent(event);
}

void RunTableView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitColumns();
        fitRows();
    }
}

void RunTableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    showWhatFits();
}

void RunTableView::showWhatFits()
{
    int needed = m_stateWidth;
    for (int column = 0; column < RunTableModel::State; ++column)
        needed += isColumnHidden(column) ? m_shareWidth : columnWidth(column);
    const bool hidden = needed > viewport()->width();
    if (hidden != isColumnHidden(RunTableModel::ShareOfPeak))
        setColumnHidden(RunTableModel::ShareOfPeak, hidden);
}

void RunTableView::fitColumns()
{
    constexpr int padding = 12;
    constexpr int checkAndSwatch = 56;
    for (int column = 0; column < model()->columnCount(); ++column) {
        const QString header =
            model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = std::max(fontMetrics().horizontalAdvance(widestText(column)),
                             horizontalHeader()->fontMetrics().horizontalAdvance(header))
            + padding;
        if (column == RunTableModel::Name)
            width += checkAndSwatch;
        setColumnWidth(column, width);
        if (column == RunTableModel::ShareOfPeak)
            m_shareWidth = width;
        if (column == RunTableModel::State)
            m_stateWidth = width;
    }
    showWhatFits();
}

void RunTableView::fitRows()
{
    constexpr int padding = 8;
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + padding);
}

} // namespace fullbatch
