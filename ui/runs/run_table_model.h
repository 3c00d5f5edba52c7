// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_list.h"

#include <QAbstractTableModel>

#include <array>
#include <vector>

namespace fullbatch {

/// The runs as a table, a row a run. The numbers that move come from what the last refresh() saw,
/// so that a view reads one consistent moment; refresh() costs the same however long the runs are.
class RunTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Name, ///< with the colour of the curve and a check mark: shown in the charts
        Shape,
        ParameterCount,
        Engine,
        Progress, ///< "12,345 of 200,000"; progressRole: 0 .. 1
        Error,
        Loss,
        EpochsPerSecond,
        GigaflopsPerSecond,
        ShareOfPeak,
        TimeLeft,
        EndsAt,
        State,
        ColumnCount
    };
    static constexpr int progressRole = Qt::UserRole; ///< double
    static constexpr int idRole = Qt::UserRole + 1; ///< int

    explicit RunTableModel(RunList& runs, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

    /// Takes the present numbers of every run; tells views of the rows that changed.
    void refresh();
    /// Colours for light or dark.
    void setDark(bool dark);

private:
    struct Row
    {
        std::array<QString, ColumnCount> texts;
        double progress = 0;
        bool settled = false; ///< the run has ended and these are its last numbers

        friend bool operator==(const Row&, const Row&) = default;
    };
    [[nodiscard]] Row look(const Run& run) const;
    void refreshRow(int row);
    [[nodiscard]] static QString toolTip(const Run& run, const Row& row, int column);
    [[nodiscard]] QVariant decoration(const Run& run) const;

    RunList& m_runs;
    std::vector<Row> m_rows;
    bool m_dark = false;
};

/// The state in words: "running", "diverged at epoch 12".
[[nodiscard]] QString stateText(const TrainingSession& session, const QLocale& locale);

} // namespace fullbatch
