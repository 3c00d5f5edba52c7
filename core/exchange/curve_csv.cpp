// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/curve_csv.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <ostream>

namespace fullbatch {

namespace {

bool ratesVary(const MetricsLog& log)
{
    const std::size_t epochs = log.epochs.size();
    for (std::size_t epoch = 1; epoch < epochs; ++epoch)
        if (log.epochs[epoch].learningRate != log.epochs[0].learningRate)
            return true;
    return false;
}

/// The rows of a log as text. fmt ignores the locale and writes what reads back exactly.
class CurveText
{
public:
    explicit CurveText(const MetricsLog& log)
        : m_log(log),
          m_rates(ratesVary(log)),
          m_digits(log.precision == Precision::Fp64 ? 17 : 9),
          m_tests(log.tests.size())
    {
    }

    void appendHeader()
    {
        // "After the epoch" is said; before its update is what version 1 of the program wrote.
        const std::string_view when = m_log.measuredAfter ? "_after_epoch" : "";
        append("epoch");
        for (const std::string_view column :
             {"train_error_percent", "train_loss", "test_error_percent", "test_loss"})
            fmt::format_to(std::back_inserter(m_text), ",{}{}", column, when);
        append(m_rates ? ",learning_rate\n" : "\n");
    }

    void appendEpoch(std::size_t epoch, const EpochMetrics& metrics)
    {
        fmt::format_to(std::back_inserter(m_text), "{},", epoch);
        appendError(errorPercent(metrics.wrongRows, m_log.trainRows), metrics.loss);
        m_text.push_back(',');
        appendLoss(metrics.loss);
        m_text.push_back(',');
        appendTest(epoch);
        if (m_rates)
            fmt::format_to(std::back_inserter(m_text), ",{}", metrics.learningRate);
        m_text.push_back('\n');
    }

    void writeTo(std::ostream& out)
    {
        out.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
        m_text.clear();
    }

private:
    void appendTest(std::size_t epoch)
    {
        while (m_nextTest < m_tests && m_log.tests[m_nextTest].epoch < epoch)
            ++m_nextTest;
        if (m_nextTest == m_tests || m_log.tests[m_nextTest].epoch != epoch) {
            m_text.push_back(',');
            return;
        }
        const Evaluation& evaluation = m_log.tests[m_nextTest].evaluation;
        appendError(errorPercent(evaluation.wrongRows, evaluation.rows), evaluation.loss);
        m_text.push_back(',');
        appendLoss(evaluation.loss);
    }

    // Logits without a finite loss all fall to one class: the error would look like a guess's 90 %.
    void appendError(double percent, double loss)
    {
        if (std::isnan(percent) || !std::isfinite(loss))
            append("nan");
        else
            fmt::format_to(std::back_inserter(m_text), "{}", percent);
    }

    void appendLoss(double loss)
    {
        if (std::isnan(loss)) // whatever its sign
            append("nan");
        else
            fmt::format_to(std::back_inserter(m_text), "{:.{}g}", loss, m_digits);
    }

    void append(std::string_view text) { m_text.append(text.data(), text.data() + text.size()); }

    const MetricsLog& m_log;
    bool m_rates; // whether there is a column for them
    int m_digits;
    std::size_t m_tests; // published when writing began
    std::size_t m_nextTest = 0;
    fmt::memory_buffer m_text;
};

} // namespace

void writeCurveCsv(std::ostream& out, const MetricsLog& log)
{
    constexpr std::size_t epochsAtOnce = 4096;
    const std::size_t epochs = log.epochs.size();
    CurveText text(log);
    text.appendHeader();
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        text.appendEpoch(epoch, log.epochs[epoch]);
        if ((epoch + 1) % epochsAtOnce == 0)
            text.writeTo(out);
    }
    text.writeTo(out);
}

} // namespace fullbatch
