// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/training_session.h"

#include "core/training/cost_estimate.h"
#include "core/training/training_loop.h"
#include "ui/parts/background_work.h"

#include <QThread>

#include <exception>
#include <new>
#include <stop_token>
#include <utility>

namespace fullbatch {

namespace {

RunState endState(StopReason reason)
{
    switch (reason) {
    case StopReason::EpochsDone:
        return RunState::Done;
    case StopReason::ZeroError:
        return RunState::ZeroError;
    case StopReason::TargetError:
        return RunState::TargetError;
    case StopReason::NoTestGain:
        return RunState::NoTestGain;
    case StopReason::TimeUp:
        return RunState::TimeUp;
    case StopReason::Diverged:
        return RunState::Diverged;
    case StopReason::Stopped:
        break;
    }
    return RunState::Stopped;
}

} // namespace

/// What the worker owns or shares, so that it may outlive the session.
struct TrainingSession::Job
{
    RunSpec spec;
    EngineChoice engine;
    std::shared_ptr<DataCache> data;
    std::shared_ptr<TrainingControl> control;
    int threads;
    std::function<void(PreparedRun)> tellPrepared;
};

struct TrainingSession::Outcome
{
    RunState state = RunState::Stopped;
    QString failure;
    std::shared_ptr<const Parameters> parameters;
    std::uint64_t parametersEpoch = 0;
};

TrainingSession::TrainingSession(RunSpec spec, EngineChoice engine, std::shared_ptr<DataCache> data,
                                 QObject* parent)
    : QObject(parent),
      m_spec(std::move(spec)),
      m_engine(std::move(engine)),
      m_data(std::move(data)),
      m_control(std::make_shared<TrainingControl>(m_spec.learningRate))
{
}

TrainingSession::~TrainingSession()
{
    m_control->stop();
}

void TrainingSession::start(int threads)
{
    Q_ASSERT(QThread::currentThread() == thread());
    if (m_state != RunState::Queued)
        return;
    m_threads = threads;
    enter(RunState::Preparing);
    m_work = std::make_unique<BackgroundWork>(
        [job = Job{m_spec, m_engine, m_data, m_control, threads, {}},
         this](const BackgroundWork::Caller& caller) mutable {
            // `this` is used in replies alone, which come only while the session lives.
            job.tellPrepared = [&](PreparedRun run) {
                caller.post([this, run = std::move(run)]() mutable { accept(std::move(run)); });
            };
            Outcome outcome = work(job);
            caller.post(
                [this, outcome = std::move(outcome)]() mutable { end(std::move(outcome)); });
        });
}

TrainingSession::Outcome TrainingSession::failed(const std::string& why)
{
    return {RunState::Failed, QString::fromStdString(why), nullptr, 0};
}

TrainingSession::Outcome TrainingSession::work(const Job& job)
{
    try {
        const std::shared_ptr<const LoadedData> data =
            job.data->load(job.spec.data, job.control->stopToken());
        if (!data || job.control->stopRequested())
            return {};
        const Dataset& dataset = data->dataset;
        NetworkShape shape = networkShape(job.spec, dataset.features(), dataset.classes);
        const auto rows = static_cast<std::int64_t>(dataset.train.rows());
        const std::string tooLarge =
            memoryProblem(estimateCost(shape, rows, job.spec.epochs, job.threads, job.spec.batches),
                          availableMemoryBytes());
        if (!tooLarge.empty())
            return failed(tooLarge);

        const TrainingProblem problem = trainingProblem(job.spec, {data, &dataset}, job.threads);
        if (job.control->stopRequested())
            return {};
        const std::unique_ptr<TrainingEngine> engine = job.engine.create(problem);

        const std::shared_ptr<MetricsLog> log = makeLog(job.spec, dataset);
        const double peak = job.engine.measurePeak ? job.engine.measurePeak(job.threads) : 0;
        job.tellPrepared({data, std::move(shape), log, peak});
        TrainingEnd end = trainToTheEnd(*engine, job.spec, *log, *job.control);
        Outcome outcome =
            end.reason ? Outcome{endState(*end.reason), {}, nullptr, 0} : failed(end.failure);
        if (end.parameters)
            outcome.parameters = std::make_shared<const Parameters>(std::move(*end.parameters));
        outcome.parametersEpoch = end.parametersEpoch;
        return outcome;
    } catch (const std::bad_alloc&) {
        return failed("There is not enough memory for this network.");
    } catch (const std::exception& error) {
        return failed(error.what());
    }
}

void TrainingSession::pause()
{
    if (!canPause())
        return;
    m_control->pause();
    m_paused = true;
    if (m_state == RunState::Running)
        enter(RunState::Paused);
}

void TrainingSession::resume()
{
    if (!canResume())
        return;
    m_control->resume();
    m_paused = false;
    if (m_state == RunState::Paused)
        enter(RunState::Running);
}

void TrainingSession::step()
{
    if (!canStep())
        return;
    m_control->step();
    m_paused = true;
    if (m_state == RunState::Running)
        enter(RunState::Paused);
}

void TrainingSession::stop()
{
    if (!canStop())
        return;
    m_control->stop();
    if (m_state == RunState::Queued || m_state == RunState::Preparing) {
        // Nothing is trained yet, so nothing is waited for, however long the step in progress
        // takes.
        if (m_work)
            m_work->abandon();
        end({});
        return;
    }
    enter(RunState::Stopping);
}

void TrainingSession::setLearningRate(double rate)
{
    m_control->setLearningRate(rate);
}

bool TrainingSession::canPause() const
{
    return !m_paused && (m_state == RunState::Preparing || m_state == RunState::Running);
}

bool TrainingSession::canResume() const
{
    return m_paused && (m_state == RunState::Preparing || m_state == RunState::Paused);
}

bool TrainingSession::canStep() const
{
    return m_state == RunState::Preparing || m_state == RunState::Running
        || m_state == RunState::Paused;
}

bool TrainingSession::canStop() const
{
    return !isEnd(m_state) && m_state != RunState::Stopping;
}

void TrainingSession::enter(RunState state)
{
    if (m_state == state)
        return;
    m_state = state;
    emit stateChanged(state);
}

void TrainingSession::accept(PreparedRun prepared)
{
    m_spec.data.sha256 = prepared.data->sha256;
    m_prepared = std::move(prepared);
    emit isPrepared();
    if (m_state == RunState::Preparing)
        enter(m_paused ? RunState::Paused : RunState::Running);
}

void TrainingSession::end(Outcome outcome)
{
    m_failure = std::move(outcome.failure);
    m_parameters = std::move(outcome.parameters);
    m_parametersEpoch = outcome.parametersEpoch;
    enter(outcome.state);
    emit finished();
}

} // namespace fullbatch
