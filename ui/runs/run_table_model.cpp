// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table_model.h"

#include "core/engine/precision_names.h"
#include "core/training/cost_estimate.h"
#include "core/training/device_shares.h"
#include "ui/chart/run_style.h"
#include "ui/parts/measure_text.h"

#include <QDateTime>
#include <QPainter>
#include <QPixmap>

#include <cmath>

namespace fullbatch {

namespace {

QString whole(std::uint64_t number, const QLocale& locale)
{
    return locale.toString(static_cast<qulonglong>(number));
}

QString lossText(double loss, const QLocale& locale)
{
    if (!std::isfinite(loss))
        return RunTableModel::tr("not finite");
    constexpr double smallestFixed = 1e-3;
    constexpr double largestFixed = 1e5;
    const bool fixed = loss == 0 || (loss >= smallestFixed && loss < largestFixed);
    return fixed ? locale.toString(loss, 'f', 4) : locale.toString(loss, 'e', 2);
}

std::uint64_t skippedSteps(const TrainingSession& session)
{
    return session.prepared() ? session.prepared()->log->skippedSteps.load() : 0;
}

/// After a failure that took the last ones along.
bool olderParameters(const TrainingSession& session)
{
    return session.state() == RunState::Failed && session.finalParameters()
        && session.finalParametersEpoch() < session.prepared()->log->epochs.size();
}

} // namespace

QString stateText(const TrainingSession& session, const QLocale& locale)
{
    switch (session.state()) {
    case RunState::Queued:
        return RunTableModel::tr("waits for its turn");
    case RunState::Preparing:
        return RunTableModel::tr("preparing");
    case RunState::Running:
        return RunTableModel::tr("running");
    case RunState::Paused:
        return RunTableModel::tr("paused");
    case RunState::Stopping:
        return RunTableModel::tr("stopping");
    case RunState::Done:
        return RunTableModel::tr("done");
    case RunState::ZeroError:
        return RunTableModel::tr("done: no errors left");
    case RunState::TargetError:
        return RunTableModel::tr("done: target error reached");
    case RunState::NoTestGain:
        return RunTableModel::tr("done: test error falls no more");
    case RunState::TimeUp:
        return RunTableModel::tr("done: time is up");
    case RunState::Diverged:
        return RunTableModel::tr("diverged at epoch %1")
            .arg(whole(session.prepared()->log->epochs.size() - 1, locale));
    case RunState::Stopped:
        return RunTableModel::tr("stopped");
    case RunState::Failed:
        return RunTableModel::tr("failed: %1").arg(session.failure());
    }
    return {};
}

RunTableModel::RunTableModel(RunList& runs, QObject* parent)
    : QAbstractTableModel(parent),
      m_runs(runs),
      m_rows(static_cast<std::size_t>(runs.size()))
{
    connect(&runs, &RunList::aboutToInsert, this,
            [this](int row) { beginInsertRows({}, row, row); });
    connect(&runs, &RunList::inserted, this, [this](int row) {
        m_rows.insert(m_rows.begin() + row, look(m_runs.at(row)));
        endInsertRows();
    });
    connect(&runs, &RunList::aboutToRemove, this,
            [this](int row) { beginRemoveRows({}, row, row); });
    connect(&runs, &RunList::removed, this, [this](int row) {
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    });
    connect(&runs, &RunList::changed, this, [this](int row) {
        m_rows[static_cast<std::size_t>(row)].settled = false;
        refreshRow(row);
        emit dataChanged(index(row, Name), index(row, Name), {Qt::CheckStateRole});
    });
    connect(&runs, &RunList::renamed, this, [this] {
        for (int row = 0; row < m_runs.size(); ++row)
            m_rows[static_cast<std::size_t>(row)].settled = false;
        refresh();
    });
}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const Run& run = m_runs.at(index.row());
    const int column = index.column();
    const bool isText = column == Name || column == Shape || column == Engine || column == State;
    switch (role) {
    case Qt::DisplayRole:
        return row.texts[static_cast<std::size_t>(column)];
    case Qt::ToolTipRole:
        return toolTip(run, row, column);
    case Qt::TextAlignmentRole:
        return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DecorationRole:
        return column == Name ? decoration(run) : QVariant();
    case Qt::CheckStateRole:
        return column == Name ? QVariant(run.shown ? Qt::Checked : Qt::Unchecked) : QVariant();
    case progressRole:
        return row.progress;
    case idRole:
        return run.id;
    default:
        return {};
    }
}

QString RunTableModel::toolTip(const Run& run, const Row& row, int column)
{
    const QLocale locale;
    if (column == Engine)
        return tr("%1\nPrecision: %2\nThreads: %3")
            .arg(run.engine, QString::fromUtf8(precisionName(run.session->spec().precision)))
            .arg(run.session->threads());
    if (column == State && olderParameters(*run.session))
        return tr("%1\nIts weights are kept as they were after %2 epochs.")
            .arg(row.texts[State], whole(run.session->finalParametersEpoch(), locale));
    if (column == State && skippedSteps(*run.session) > 0)
        return tr("%1\nA step is skipped when its gradient is not finite in fp16; the loss scale "
                  "is then halved.")
            .arg(row.texts[State]);
    if (column == TimeLeft || column == State)
        return tr("%1\nTrained for %2, pauses left out")
            .arg(row.texts[State], durationText(run.session->speed().trainingSeconds, locale));
    const double peak = run.session->prepared() ? run.session->prepared()->peakGflops : 0;
    if (column == ShareOfPeak && peak > 0 && row.texts[ShareOfPeak] == tr("–"))
        return tr("Not known: nothing was trained yet, or the processors were busy with something "
                  "else when the run began");
    if ((column == GigaflopsPerSecond || column == ShareOfPeak) && peak > 0
        && row.texts[ShareOfPeak] != tr("–"))
        return tr("%1 of the %2 GFLOP/s that bare multiply-adds reached on as many threads when "
                  "the run began")
            .arg(row.texts[ShareOfPeak], speedText(peak, locale));
    return row.texts[static_cast<std::size_t>(column)];
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != Name
        || role != Qt::CheckStateRole)
        return false;
    m_runs.setShown(m_runs.at(index.row()).id, value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Name)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool isText =
            section == Name || section == Shape || section == Engine || section == State;
        return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Run");
    case Shape:
        return tr("Shape");
    case ParameterCount:
        return tr("Parameters");
    case Engine:
        return tr("Engine");
    case Progress:
        return tr("Epoch");
    case Error:
        return tr("Error %");
    case Loss:
        return tr("Loss");
    case EpochsPerSecond:
        return tr("Epochs/s");
    case GigaflopsPerSecond:
        return tr("GFLOP/s");
    case ShareOfPeak:
        return tr("Of peak");
    case TimeLeft:
        return tr("Time left");
    case EndsAt:
        return tr("Ends at");
    default:
        return tr("State");
    }
}

void RunTableModel::refresh()
{
    for (int row = 0; row < m_runs.size(); ++row)
        refreshRow(row);
}

void RunTableModel::setDark(bool dark)
{
    m_dark = dark;
    if (m_runs.size() > 0)
        emit dataChanged(index(0, Name), index(m_runs.size() - 1, Name), {Qt::DecorationRole});
}

void RunTableModel::refreshRow(int row)
{
    Row& present = m_rows[static_cast<std::size_t>(row)];
    if (present.settled)
        return;
    Row now = look(m_runs.at(row));
    if (now == present)
        return;
    present = std::move(now);
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

RunTableModel::Row RunTableModel::look(const Run& run) const
{
    const QLocale locale;
    const TrainingSession& session = *run.session;
    Row row;
    row.settled = isEnd(session.state());
    row.texts[Name] = run.name;
    const QString engine = QString::fromStdString(session.spec().engine);
    row.texts[Engine] = session.threads() == 0 || isGpu(session.spec().engine)
        ? engine
        : tr("%1 × %2").arg(engine).arg(session.threads());
    row.texts[State] = stateText(session, locale);
    if (const std::uint64_t skipped = skippedSteps(session); skipped > 0)
        row.texts[State] += tr("; skipped steps: %1").arg(whole(skipped, locale));
    const auto wanted = static_cast<std::uint64_t>(run.requested.epochs);
    row.texts[Progress] = tr("0 of %1").arg(whole(wanted, locale));
    if (!session.prepared())
        return row;

    const PreparedRun& prepared = *session.prepared();
    const MetricsLog& log = *prepared.log;
    const std::size_t epochs = log.epochs.size();
    row.texts[Shape] = QString::fromStdString(prepared.shape.text());
    row.texts[ParameterCount] =
        whole(static_cast<std::uint64_t>(prepared.shape.parameterCount()), locale);
    row.texts[Progress] = tr("%1 of %2").arg(whole(epochs, locale), whole(wanted, locale));
    row.progress = static_cast<double>(epochs) / static_cast<double>(wanted);
    if (epochs == 0)
        return row;
    const EpochMetrics& last = log.epochs[epochs - 1];
    row.texts[Error] = std::isfinite(last.loss)
        ? locale.toString(errorPercent(last.wrongRows, log.trainRows), 'f', 2)
        : tr("–");
    row.texts[Loss] = lossText(last.loss, locale);

    const Speed speed = session.speed();
    row.texts[EpochsPerSecond] = speedText(speed.epochsPerSecond, locale);
    constexpr double giga = 1e9;
    constexpr double percent = 100;
    const double flops = flopsPerEpoch(prepared.shape, static_cast<std::int64_t>(log.trainRows),
                                       session.spec().batches)
        / giga;
    const double gflops = flops * speed.epochsPerSecond;
    row.texts[GigaflopsPerSecond] = speedText(gflops, locale);
    // Above it, something else took the processors while the peak was measured.
    row.texts[ShareOfPeak] = gflops > 0 && gflops <= prepared.peakGflops
        ? tr("%1 %").arg(locale.toString(percent * gflops / prepared.peakGflops, 'f', 0))
        : tr("–");
    if (isEnd(session.state())) {
        row.texts[TimeLeft] = tr("–");
        row.texts[EndsAt] = tr("–");
        return row;
    }
    const double left = secondsLeft(speed, wanted - epochs);
    row.texts[TimeLeft] = durationText(left, locale);
    const bool counting = session.state() == RunState::Running && std::isfinite(left);
    const QDateTime now = QDateTime::currentDateTime();
    constexpr double farthest = 1e11;
    row.texts[EndsAt] = counting && left < farthest
        ? clockText(now.addSecs(static_cast<qint64>(left)), now, locale)
        : tr("–");
    return row;
}

QVariant RunTableModel::decoration(const Run& run) const
{
    constexpr int width = 28;
    constexpr int height = 14;
    QPixmap swatch(width, height);
    swatch.fill(Qt::transparent);
    QPainter painter(&swatch);
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr double line = 4;
    painter.setPen(runStyle(run.id).pen(m_dark, line));
    painter.drawLine(0, height / 2, width, height / 2);
    return swatch;
}

} // namespace fullbatch
