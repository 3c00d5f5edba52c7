// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"
#include "ui/field_rows.h"
#include "ui/measured_speeds.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace fullbatch {

class DataCache;
class DataInput;
class EngineInput;
class RealField;
class ShapeInput;
class WholeField;
struct EngineChoice;

/// The form that says what Start trains: one network, or the four of figure 20.2 as one experiment.
/// Every wrong input has a sentence below it; below all stands what the runs are expected to need.
class ExperimentPanel : public QWidget
{
    Q_OBJECT

public:
    ExperimentPanel(std::shared_ptr<DataCache> cache, const MeasuredSpeeds& speeds, int cores,
                    QWidget* parent = nullptr);

    void setEngines(const std::vector<EngineChoice>& engines);
    [[nodiscard]] const EngineChoice* engine() const; ///< null when none can be used
    /// The same one first, then those that an experiment's runs may be spread over.
    [[nodiscard]] std::vector<EngineChoice> engines() const;
    void openData(const QString& path);

    /// What Start trains. Meaningful when ready().
    [[nodiscard]] std::vector<RunSpec> specs() const;
    [[nodiscard]] bool ready() const;
    /// Puts the focus into the first wrong input and returns what is wrong with it.
    QString showProblem();

    /// Whether there are runs whose rate can be changed.
    void setRateApplies(bool applies);
    /// Says the predictions anew, after a speed was measured.
    void refreshCost();

    void save() const; ///< to QSettings
    void restore(); ///< what was saved; the defaults where it makes no sense any more

signals:
    void changed();
    void learningRateApplied(double rate);

private:
    enum Preset : int { OwnNetwork, OneLayer, TwoLayers, ThreeLayers, FourLayers, AllFour };

    void addInputs();
    void addRun();
    void choosePreset(int preset);
    void edited();
    void judge();
    [[nodiscard]] RunSpec typed() const;
    [[nodiscard]] bool allFour() const;
    void drawSeed();
    void applyRate();

    const MeasuredSpeeds& m_speeds;
    int m_cores;
    DataInput* m_data;
    ShapeInput* m_shape;
    EngineInput* m_engine;
    QComboBox* m_preset;
    RealField* m_rate;
    QToolButton* m_applyRate;
    RealField* m_momentum;
    WholeField* m_epochs;
    WholeField* m_seed;
    WholeField* m_testEvery;
    QLabel* m_cost;
    QGridLayout* m_grid;
    FieldRows m_rows;
    struct RowNumbers
    {
        std::size_t preset, data, dataSeed, depth, rule, widths, budget, rate, momentum, epochs,
            seed, testEvery, engine, precision, threads;
    } m_row{};
    bool m_filling = false; // several inputs are being set by the program
    bool m_rateApplies = false;
};

} // namespace fullbatch
