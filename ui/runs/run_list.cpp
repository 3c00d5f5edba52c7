// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_list.h"

#include "core/training/device_shares.h"
#include "core/training/fields/run_names.h"
#include "core/training/thread_shares.h"

#include <algorithm>
#include <utility>

namespace fullbatch {

namespace {

bool trains(const Run& run)
{
    return run.session->state() != RunState::Queued && !isEnd(run.session->state());
}

bool onGpu(const TrainingSession& session)
{
    return isGpu(session.spec().engine);
}

} // namespace

RunList::RunList(std::shared_ptr<DataCache> data, int cores, QObject* parent)
    : QObject(parent),
      m_data(std::move(data)),
      m_cores(cores)
{
}

RunList::~RunList()
{
    stopAll();
    for (const auto& run : m_runs)
        run->session->disconnect(this);
}

std::vector<int> RunList::start(const std::vector<RunSpec>& specs,
                                const std::vector<EngineChoice>& engines)
{
    const auto alreadyThere = [this](const RunSpec& spec) {
        return std::any_of(m_runs.begin(), m_runs.end(), [&](const auto& run) {
            return run->session->canStop() && run->requested == spec;
        });
    };
    // Runs asked for together start together, even beside others, unless somebody waits already.
    const bool nobodyWaits = std::none_of(m_runs.begin(), m_runs.end(), [](const auto& run) {
        return run->session->state() == RunState::Queued;
    });
    const int asked = static_cast<int>(specs.size());
    const int together = nobodyWaits && asked > 1 && asked <= mostRunsAtOnce(m_cores) ? asked : 0;
    std::vector<int> ids;
    if (std::all_of(specs.begin(), specs.end(), alreadyThere))
        return ids;
    const std::vector<std::size_t> shares = spread(asked, engines);
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const EngineChoice& engine = engines[shares[i]];
        auto run = std::make_unique<Run>();
        run->id = m_nextId++;
        run->requested = specs[i];
        run->engine = QString::fromStdString(engine.description);
        RunSpec spec = specs[i];
        spec.engine = engine.id;
        run->session = std::make_unique<TrainingSession>(spec, engine, m_data);
        const int id = run->id;
        TrainingSession* session = run->session.get();
        connect(session, &TrainingSession::isPrepared, this,
                [this, id] { emit prepared(rowOf(id)); });
        connect(session, &TrainingSession::stateChanged, this,
                [this, id] { emit changed(rowOf(id)); });
        connect(session, &TrainingSession::finished, this, [this] { startWaiting(0); });
        ids.push_back(id);
        insert(size(), std::move(run));
    }
    rename();
    startWaiting(together);
    return ids;
}

std::vector<std::size_t> RunList::spread(int runs, const std::vector<EngineChoice>& engines) const
{
    if (runs <= 1) // asked for on one device
        return std::vector<std::size_t>(static_cast<std::size_t>(runs), 0);
    std::vector<int> busy(engines.size());
    std::transform(engines.begin(), engines.end(), busy.begin(),
                   [this](const EngineChoice& engine) {
                       return static_cast<int>(
                           std::count_if(m_runs.begin(), m_runs.end(), [&](const auto& run) {
                               return !isEnd(run->session->state())
                                   && run->session->spec().engine == engine.id;
                           }));
                   });
    return deviceShares(runs, std::move(busy));
}

void RunList::insert(int row, std::unique_ptr<Run> run)
{
    emit aboutToInsert(row);
    m_runs.insert(m_runs.begin() + row, std::move(run));
    emit inserted(row);
}

void RunList::startWaiting(int atLeast)
{
    int free = mostRunsAtOnce(m_cores);
    int usedThreads = 0;
    std::vector<TrainingSession*> starting;
    for (const auto& run : m_runs) {
        if (!trains(*run))
            continue;
        --free;
        if (!onGpu(*run->session))
            usedThreads += run->session->threads();
    }
    free = std::max(free, atLeast);
    for (const auto& run : m_runs)
        if (run->session->state() == RunState::Queued && static_cast<int>(starting.size()) < free)
            starting.push_back(run->session.get());
    const auto firstOnGpu =
        std::stable_partition(starting.begin(), starting.end(),
                              [](const TrainingSession* session) { return !onGpu(*session); });
    std::for_each(firstOnGpu, starting.end(), [](TrainingSession* session) { session->start(1); });
    starting.erase(firstOnGpu, starting.end());
    if (starting.empty())
        return;
    const int wanted = starting.front()->spec().threads;
    const int budget = wanted == 0 ? m_cores : wanted;
    const std::vector<int> shares =
        threadShares(static_cast<int>(starting.size()), budget - usedThreads);
    for (std::size_t i = 0; i < starting.size(); ++i)
        starting[i]->start(shares[i]);
}

void RunList::rename()
{
    std::vector<RunSpec> specs;
    for (const auto& run : m_runs)
        specs.push_back(run->requested);
    const std::vector<std::string> names = runNames(specs);
    bool anyNew = false;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const QString name = QString::fromStdString(names[i]);
        anyNew = anyNew || m_runs[i]->name != name;
        m_runs[i]->name = name;
    }
    if (anyNew)
        emit renamed();
}

int RunList::rowOf(int id) const
{
    const auto found =
        std::find_if(m_runs.begin(), m_runs.end(), [id](const auto& run) { return run->id == id; });
    return found == m_runs.end() ? -1 : static_cast<int>(found - m_runs.begin());
}

int RunList::unfinished() const
{
    return static_cast<int>(std::count_if(m_runs.begin(), m_runs.end(), [](const auto& run) {
        return !isEnd(run->session->state());
    }));
}

void RunList::setShown(int id, bool shown)
{
    const int row = rowOf(id);
    if (row < 0 || at(row).shown == shown)
        return;
    m_runs[static_cast<std::size_t>(row)]->shown = shown;
    emit changed(row);
}

void RunList::setKept(int id)
{
    if (const int row = rowOf(id); row >= 0)
        m_runs[static_cast<std::size_t>(row)]->kept = true;
}

void RunList::remove(int id)
{
    const int row = rowOf(id);
    if (row < 0 || !isEnd(at(row).session->state()))
        return;
    emit aboutToRemove(row);
    m_removed.push_back({row, std::move(m_runs[static_cast<std::size_t>(row)])});
    m_runs.erase(m_runs.begin() + row);
    emit removed(row, id);
    rename();
}

void RunList::undoRemove()
{
    if (m_removed.empty())
        return;
    Removed last = std::move(m_removed.back());
    m_removed.pop_back();
    insert(std::min(last.row, size()), std::move(last.run));
    rename();
}

void RunList::stopAll()
{
    for (const auto& run : m_runs)
        run->session->disconnect(this); // no waiting run starts in the place of a stopped one
    for (const auto& run : m_runs)
        run->session->stop();
}

} // namespace fullbatch
