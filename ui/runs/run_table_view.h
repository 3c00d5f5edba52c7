// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include <vector>

namespace fullbatch {

class RunTableModel;

/// The table of runs: whole rows are selected, Escape selects none, columns are as wide as what
/// stands in them and the progress bar takes what is left.
class RunTableView : public QTableView
{
    Q_OBJECT

public:
    explicit RunTableView(RunTableModel& model, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<int> selectedIds() const;

signals:
    void selectionChangedTo(std::vector<int> ids);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();
    /// Where not every column has room, the share of the peak gives way, so that the state is seen.
    void showWhatFits();

    int m_shareWidth = 0; // of the column when it is shown
    int m_stateWidth = 0; // that its column needs; it gets what is left
    void fitRows();
};

} // namespace fullbatch
