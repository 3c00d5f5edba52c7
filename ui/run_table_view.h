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

private:
    void fitColumns();
    void fitRows();
};

} // namespace fullbatch
