// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/curves/min_max_pyramid.h"
#include "core/training/metrics_log.h"
#include "ui/chart/run_style.h"

#include <QString>

#include <limits>
#include <memory>
#include <vector>

namespace fullbatch {

/// What a chart shows of a run.
enum class Quantity { TrainingError, TrainingLoss };

/// One run as a chart knows it: everything measured of one quantity, taken from the run's log in
/// slices, ready for drawing at any zoom. A plain class of the GUI thread; the log may grow in
/// another thread meanwhile.
class RunCurve
{
public:
    /// Something that happened at an epoch and is marked on the curve.
    struct Mark
    {
        enum class Kind { Diverged, RateChanged }; ///< the rate: by hand, not by a schedule
        Kind kind;
        std::uint64_t epoch;
        double learningRate; ///< from this epoch on
    };

    /// The test quantity, measured now and then.
    struct TestCurve
    {
        std::vector<std::uint64_t> epochs; ///< rising; of values[i]
        MinMaxPyramid values;
    };

    /// Over all finite values, training and test.
    struct Extent
    {
        float largest = 0;
        float smallestPositive = std::numeric_limits<float>::infinity();
        bool zero = false; ///< whether a value is 0
        bool empty = true;

        void include(float value);
        void include(const Extent& other);
    };

    RunCurve(QString runId, QString runName, std::shared_ptr<const MetricsLog> log,
             Quantity quantity, int styleIndex);

    const QString id; // NOLINT(readability-identifier-naming): public
    QString name;
    bool visible = true;

    /// Takes up to `atMost` new epochs out of the log; returns how many it took.
    std::size_t pull(std::size_t atMost);
    /// Whether everything the log held at the last pull() is here.
    [[nodiscard]] bool upToDate() const;

    /// Value e is epoch e's: percent or cross-entropy. NaN where the loss was not finite, for then
    /// the predictions mean nothing.
    [[nodiscard]] const MinMaxPyramid& training() const { return m_training; }
    [[nodiscard]] const TestCurve& test() const { return m_test; }
    [[nodiscard]] const std::vector<Mark>& marks() const { return m_marks; }
    [[nodiscard]] const Extent& extent() const { return m_extent; }
    [[nodiscard]] std::size_t notFinite() const { return m_notFinite; }

    /// Unrounded, straight from the log. `epoch` must be below training().size().
    [[nodiscard]] double exactValue(std::size_t epoch) const;

    [[nodiscard]] const std::shared_ptr<const MetricsLog>& log() const { return m_log; }
    [[nodiscard]] int styleIndex() const { return m_styleIndex; }
    [[nodiscard]] const RunStyle& style() const { return m_style; }

private:
    [[nodiscard]] double valueOf(const EpochMetrics& epoch) const;
    void pullRateChanges();
    void pullTests();

    std::shared_ptr<const MetricsLog> m_log;
    Quantity m_quantity;
    int m_styleIndex;
    RunStyle m_style;
    MinMaxPyramid m_training;
    TestCurve m_test;
    std::vector<Mark> m_marks;
    Extent m_extent;
    std::vector<float> m_slice; // reused between pulls
    std::size_t m_rateChanges = 0; // taken out of the log
    std::size_t m_notFinite = 0;
};

} // namespace fullbatch
