// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "core/training/metrics_log.h"
#include "core/training/run_spec.h"
#include "core/training/training_control.h"
#include "ui/parts/data_cache.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace fullbatch {

class BackgroundWork;

/// Where a run stands. Those from Done on are ends.
enum class RunState {
    Queued,
    Preparing, ///< loading data, drawing start weights, making the engine
    Running,
    Paused,
    Stopping,
    Done,
    ZeroError,
    TargetError,
    NoTestGain,
    TimeUp,
    Diverged,
    Stopped,
    Failed
};

[[nodiscard]] constexpr bool isEnd(RunState state)
{
    return state >= RunState::Done;
}

/// What a run turned out to be once its data were loaded.
struct PreparedRun
{
    std::shared_ptr<const LoadedData> data;
    NetworkShape shape;
    /// Filled by the worker; read by anybody, also after the session is gone.
    std::shared_ptr<const MetricsLog> log;
    double peakGflops = 0; ///< of the device when the run began; 0: not known
};

/// One run and its worker thread. Lives in the GUI thread; no call waits for the worker. The engine
/// is made, used and destroyed in the worker; the numbers flow through the log alone, and signals
/// tell of the life-cycle. When an end is announced, every entry of the log is published.
/// Destroying a session stops it within a fifth of a second, see BackgroundWork.
class TrainingSession : public QObject
{
    Q_OBJECT

public:
    /// Queued until start(). `engine` must be usable.
    TrainingSession(RunSpec spec, EngineChoice engine, std::shared_ptr<DataCache> data,
                    QObject* parent = nullptr);
    ~TrainingSession() override;

    /// Begins with so many threads for the engine, at least 1.
    void start(int threads);

    // Requests. One that makes no sense in the present state does nothing.
    void pause();
    void resume();
    /// Pauses and trains one more epoch.
    void step();
    void stop();
    /// From the next chunk on; must be positive and finite.
    void setLearningRate(double rate);

    [[nodiscard]] bool canPause() const;
    [[nodiscard]] bool canResume() const;
    [[nodiscard]] bool canStep() const;
    [[nodiscard]] bool canStop() const;

    /// Paused, and the worker has followed: no epoch comes before the next request.
    [[nodiscard]] bool waiting() const { return m_control->waiting(); }

    [[nodiscard]] RunState state() const { return m_state; }
    [[nodiscard]] QString failure() const { return m_failure; } ///< one sentence; Failed only
    [[nodiscard]] const RunSpec& spec() const { return m_spec; }
    [[nodiscard]] int threads() const { return m_threads; } ///< 0 before start()
    [[nodiscard]] double learningRate() const { return m_control->learningRate(); }
    [[nodiscard]] Speed speed() const { return m_control->speed(); }
    /// Nothing before prepared().
    [[nodiscard]] const std::optional<PreparedRun>& prepared() const { return m_prepared; }
    /// The last finite parameters, or after a failure those that could be kept; null before an end,
    /// and at an end before the first epoch.
    [[nodiscard]] std::shared_ptr<const Parameters> finalParameters() const { return m_parameters; }
    /// Epochs in the log when they were copied; fewer than at the end where a device took the last
    /// ones along.
    [[nodiscard]] std::uint64_t finalParametersEpoch() const { return m_parametersEpoch; }

signals:
    void isPrepared();
    void stateChanged(fullbatch::RunState state);
    void finished(); ///< after the stateChanged() of any end, once

private:
    struct Job;
    struct Outcome;
    static Outcome work(const Job& job);
    static Outcome failed(const std::string& why);
    void enter(RunState state);
    void accept(PreparedRun prepared);
    void end(Outcome outcome);

    RunSpec m_spec;
    EngineChoice m_engine;
    std::shared_ptr<DataCache> m_data;
    std::shared_ptr<TrainingControl> m_control;
    RunState m_state = RunState::Queued;
    bool m_paused = false; // what was asked for last
    int m_threads = 0;
    QString m_failure;
    std::optional<PreparedRun> m_prepared;
    std::shared_ptr<const Parameters> m_parameters;
    std::uint64_t m_parametersEpoch = 0;
    std::unique_ptr<BackgroundWork> m_work; // last: its replies use the members above
};

} // namespace fullbatch
