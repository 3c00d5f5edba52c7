// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/presets.h"
#include "ui/form/field_rows.h"
#include "ui/parts/measured_speeds.h"

#include <QWidget>

#include <map>
#include <memory>
#include <string_view>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace fullbatch {

class DataCache;
class DataInput;
class EngineInput;
class FieldInput;
class PresetInput;
class ShapeInput;
struct EngineChoice;

/// The form that says what Start trains: one run, or the runs of a preset as one experiment. It has
/// a row for each field of the table (see run_fields.h), in the table's order; data, shape and
/// engine have inputs of their own. A field in which a preset's runs differ is left to the preset
/// unless a number is typed for all of them. Every wrong input has a sentence below it; below all
/// stands what the runs are expected to need.
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
    /// The usable engine of that id; null when there is none.
    [[nodiscard]] const EngineChoice* engineOf(const std::string& id) const;
    void openData(const QString& path);
    void openPreset(const QString& path);

    /// What Start trains. Meaningful when ready().
    [[nodiscard]] std::vector<RunSpec> specs() const;
    /// The same with the words of the chosen preset, to be saved.
    [[nodiscard]] Preset asPreset(const QString& title) const;
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
    void addInputs();
    void addField(const RunField& field);
    void addRow(std::string_view key, const QString& label, QWidget& input);
    [[nodiscard]] QWidget* inputOf(FieldInput& input);
    [[nodiscard]] FieldInput* input(std::string_view key) const;
    void takePreset();
    void fillFrom(const RunSpec& spec);
    void edited();
    void leavePresetIfChanged();
    void judge();
    void showRows(const RunSpec& first);
    void judgeInputs();
    void judgeRuns(const std::vector<RunSpec>& runs);
    [[nodiscard]] bool differs(std::string_view key) const;
    [[nodiscard]] RunSpec typed(const RunSpec& run) const;
    void drawSeed();
    void applyRate();

    const MeasuredSpeeds& m_speeds;
    int m_cores;
    PresetInput* m_preset;
    DataInput* m_data;
    ShapeInput* m_shape;
    EngineInput* m_engine;
    std::vector<FieldInput*> m_inputs; // in the order of the table
    QToolButton* m_applyRate;
    QToolButton* m_more; // shows the rare fields
    QLabel* m_cost;
    QGridLayout* m_grid;
    FieldRows m_rows;
    std::map<std::string_view, std::size_t> m_row; // by key, or by a word for what is no field
    bool m_filling = false; // several inputs are being set by the program
    bool m_rateApplies = false;
};

} // namespace fullbatch
