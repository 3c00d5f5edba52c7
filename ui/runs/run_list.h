// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/training_session.h"

#include <QObject>

#include <memory>
#include <vector>

namespace fullbatch {

/// One run of the window.
struct Run
{
    int id = 0; ///< never used twice; also the index of its colour, see runStyle()
    RunSpec requested; ///< as asked for, before anything was loaded or spread over devices
    QString name; ///< by what differs from the other runs
    QString engine; ///< description of its engine
    std::unique_ptr<TrainingSession> session;
    bool shown = true; ///< in the charts
    bool kept = false; ///< its curve or weights were written to a file
};

/// All runs of the window, in the order they were started, and who of them trains now: at most
/// mostRunsAtOnce() start, the rest wait in a queue (but those of one experiment start together).
/// Threads are divided among those that start together on the CPU, at least one each. Lives in the
/// GUI thread.
class RunList : public QObject
{
    Q_OBJECT

public:
    RunList(std::shared_ptr<DataCache> data, int cores, QObject* parent = nullptr);
    ~RunList() override;

    /// Adds the runs and starts them, or queues them, and returns their ids. When each of them has
    /// an equal one that has not ended, nothing happens: it would draw the same curves. `engines`:
    /// the one that is asked for and, where several runs may be spread over equal devices, the
    /// other ones; see deviceShares().
    std::vector<int> start(const std::vector<RunSpec>& specs,
                           const std::vector<EngineChoice>& engines);

    [[nodiscard]] int size() const { return static_cast<int>(m_runs.size()); }
    [[nodiscard]] const Run& at(int row) const { return *m_runs[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowOf(int id) const; ///< -1 when there is none
    [[nodiscard]] int unfinished() const; ///< how many have not ended

    void setShown(int id, bool shown);
    void setKept(int id);
    /// Takes an ended run off the list; undoRemove() brings the last one back.
    void remove(int id);
    void undoRemove();
    [[nodiscard]] bool canUndoRemove() const { return !m_removed.empty(); }
    /// Asks all to stop; for closing.
    void stopAll();

signals:
    void aboutToInsert(int row);
    void inserted(int row);
    void aboutToRemove(int row);
    void removed(int row, int id);
    void renamed(); ///< some names changed
    void prepared(int row); ///< its log is there
    void changed(int row); ///< its state or whether it is shown

private:
    struct Removed
    {
        int row;
        std::unique_ptr<Run> run;
    };
    [[nodiscard]] std::vector<std::size_t> spread(int runs,
                                                  const std::vector<EngineChoice>& engines) const;
    void insert(int row, std::unique_ptr<Run> run);
    void startWaiting(int atLeast); ///< so many runs, even if that is more than at once
    void rename();

    std::shared_ptr<DataCache> m_data;
    int m_cores;
    int m_nextId = 0;
    std::vector<std::unique_ptr<Run>> m_runs;
    std::vector<Removed> m_removed; // the last one removed is the last entry
};

} // namespace fullbatch
