// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_report.h"

#include "app/terminal/grouped_number.h"
#include "app/terminal/progress_line.h"
#include "core/engine/precision_names.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace fullbatch {

namespace {

using Json = nlohmann::ordered_json;

std::int64_t epochsDone(const TrainingOutcome& outcome)
{
    return static_cast<std::int64_t>(outcome.log->epochs.size());
}

std::string lastEpochText(const MetricsLog& log)
{
    const std::size_t epoch = log.epochs.size() - 1;
    const EpochMetrics& last = log.epochs[epoch];
    if (!std::isfinite(last.loss)) // and so its error means nothing
        return fmt::format("Epoch {}: the loss is not finite",
                           grouped(static_cast<std::int64_t>(epoch)));
    std::string text = fmt::format("Epoch {}: training error {:.3f} %, loss {:.6g}",
                                   grouped(static_cast<std::int64_t>(epoch)),
                                   errorPercent(last.wrongRows, log.trainRows), last.loss);
    if (log.tests.size() > 0) {
        const Evaluation& test = log.tests[log.tests.size() - 1].evaluation;
        text +=
            fmt::format("; test error {:.3f} %, loss {:.6g} (epoch {})",
                        errorPercent(test.wrongRows, test.rows), test.loss,
                        grouped(static_cast<std::int64_t>(log.tests[log.tests.size() - 1].epoch)));
    }
    return text;
}

// The precision that an engine takes unless asked for another goes without saying.
std::string precisionText(const RunResult& result)
{
    if (result.spec.precision == result.engine.precisions.front())
        return {};
    return fmt::format(", precision {}", precisionName(result.spec.precision));
}

std::string skippedText(const MetricsLog& log)
{
    const auto skipped = static_cast<std::int64_t>(log.skippedSteps.load());
    if (skipped == 0)
        return {};
    return fmt::format("Skipped   {} steps, whose gradient was not finite in fp16\n",
                       grouped(skipped));
}

// Of the weights, when they are older than the curve's end.
std::string ageText(const RunResult& result)
{
    const TrainingEnd& end = result.outcome.end;
    if (end.reason || !end.parameters)
        return {};
    return fmt::format("Weights   as they were after {} epochs\n",
                       grouped(static_cast<std::int64_t>(end.parametersEpoch)));
}

NetworkShape shapeOf(const RunResult& result)
{
    return networkShape(result.spec, result.data->features(), result.data->classes);
}

Json measuredJson(const MetricsLog& log)
{
    Json json;
    if (log.epochs.size() > 0) {
        const EpochMetrics& last = log.epochs[log.epochs.size() - 1];
        json["train_error_percent"] =
            std::isfinite(last.loss) ? Json(errorPercent(last.wrongRows, log.trainRows)) : Json();
        json["train_loss"] = last.loss;
    }
    if (log.tests.size() > 0) {
        const TestMetrics& last = log.tests[log.tests.size() - 1];
        json["test_epoch"] = last.epoch;
        json["test_error_percent"] = errorPercent(last.evaluation.wrongRows, last.evaluation.rows);
        json["test_loss"] = last.evaluation.loss;
    }
    return json;
}

} // namespace

std::string statusName(const TrainingOutcome& outcome)
{
    if (!outcome.end.reason)
        return "failed";
    switch (*outcome.end.reason) {
    case StopReason::EpochsDone:
        return "done";
    case StopReason::ZeroError:
        return "zero error";
    case StopReason::TargetError:
        return "target error";
    case StopReason::NoTestGain:
        return "no test gain";
    case StopReason::TimeUp:
        return "time up";
    case StopReason::Diverged:
        return "diverged";
    case StopReason::Stopped:
        return "stopped";
    }
    return {};
}

std::string endText(const RunResult& result)
{
    const TrainingOutcome& outcome = result.outcome;
    const std::string done = grouped(epochsDone(outcome));
    if (!outcome.end.reason)
        return fmt::format("failed after {} epochs: {}", done, outcome.end.failure);
    const std::string last = grouped(epochsDone(outcome) - 1);
    switch (*outcome.end.reason) {
    case StopReason::EpochsDone:
        return fmt::format("{} epochs done", done);
    case StopReason::ZeroError:
        return fmt::format("{} epochs done: no training row has been wrong for {} epochs", done,
                           grouped(result.spec.ends.zeroErrorEpochs));
    case StopReason::TargetError:
        return fmt::format("{} epochs done: the training error has come to {} % or less", done,
                           result.spec.ends.errorPercent);
    case StopReason::NoTestGain:
        return fmt::format("{} epochs done: {} tests in a row gave no new lowest error", done,
                           grouped(result.spec.ends.testsWithoutGain));
    case StopReason::TimeUp:
        return fmt::format("{} epochs done: the time is up", done);
    case StopReason::Diverged:
        return fmt::format("diverged at epoch {}: the loss is no longer finite", last);
    case StopReason::Stopped:
        return fmt::format("stopped after {} of {} epochs", done, grouped(result.spec.epochs));
    }
    return {};
}

std::string summaryText(const RunResult& result)
{
    const NetworkShape shape = shapeOf(result);
    const TrainingOutcome& outcome = result.outcome;
    std::string text = fmt::format(
        "Network   {}, {} parameters\nData      {}: {} training rows, {} test rows\n"
        "Engine    {}{}\nEnd       {}, {} ({:.4g} epochs/s)\n",
        shape.text(), grouped(shape.parameterCount()), result.data->source,
        grouped(static_cast<std::int64_t>(result.data->train.rows())),
        grouped(static_cast<std::int64_t>(result.data->test.rows())), result.engine.description,
        precisionText(result), endText(result), durationText(outcome.speed.trainingSeconds),
        outcome.speed.trainingSeconds > 0
            ? static_cast<double>(epochsDone(outcome)) / outcome.speed.trainingSeconds
            : 0.0);
    if (epochsDone(outcome) > 0)
        text += "Last      " + lastEpochText(*outcome.log) + "\n";
    text += skippedText(*outcome.log) + ageText(result);
    for (const std::filesystem::path& file : result.written)
        text += "Written   " + file.string() + "\n";
    return text;
}

namespace {

Json json(const RunResult& result)
{
    const NetworkShape shape = shapeOf(result);
    const TrainingOutcome& outcome = result.outcome;
    Json json;
    json["status"] = statusName(outcome);
    json["end"] = endText(result);
    json["epochs"] = epochsDone(outcome);
    json.update(measuredJson(*outcome.log));
    json["skipped_steps"] = outcome.log->skippedSteps.load();
    json["weights_after_epochs"] =
        outcome.end.parameters ? Json(outcome.end.parametersEpoch) : Json();
    json["seconds"] = outcome.speed.trainingSeconds;
    json["epochs_per_second"] = outcome.speed.trainingSeconds > 0
        ? Json(static_cast<double>(epochsDone(outcome)) / outcome.speed.trainingSeconds)
        : Json();
    json["network"] = shape.text();
    json["parameters"] = shape.parameterCount();
    json["data"] = {
        {"source", result.data->source},         {"train_rows", result.data->train.rows()},
        {"test_rows", result.data->test.rows()}, {"features", result.data->features()},
        {"classes", result.data->classes},       {"sha256", result.spec.data.sha256}};
    json["engine"] = {{"id", result.engine.id},
                      {"description", result.engine.description},
                      {"precision", precisionName(result.spec.precision)}};
    json["spec"] = Json::parse(toJson(result.spec));
    json["files"] = Json::array();
    for (const std::filesystem::path& file : result.written)
        json["files"].push_back(file.string());
    return json;
}

} // namespace

std::string summaryJson(const std::vector<RunResult>& results)
{
    Json all = Json::array();
    for (const RunResult& result : results)
        all.push_back(json(result));
    const Json summary = results.size() == 1 ? all.front() : Json{{"runs", all}};
    return summary.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace fullbatch
