// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/presets.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

class QComboBox;
class QWidget;

namespace fullbatch {

/// The inputs for what the form begins with: an experiment of one's own, or a preset (built in, or
/// opened from a file) as a whole or one run of it.
class PresetInput : public QObject
{
    Q_OBJECT

public:
    explicit PresetInput(QObject* parent = nullptr);

    // The widgets; whoever lays them out owns them.
    [[nodiscard]] QWidget* preset() const;
    [[nodiscard]] QWidget* run() const;

    /// The chosen preset; null for an experiment of one's own.
    [[nodiscard]] const Preset* chosen() const;
    /// The runs of it that are meant: all, or one. Empty for an experiment of one's own.
    [[nodiscard]] std::vector<RunSpec> runs() const;
    /// Whether several are meant.
    [[nodiscard]] bool several() const { return runs().size() > 1; }
    [[nodiscard]] QString note() const; ///< what there is to see, and where it stands

    void chooseOwn(); ///< without a signal
    /// By id and run's name (empty: all); without a signal. False when there is no such preset.
    bool choose(const QString& id, const QString& run);
    /// Reads and chooses a file.
    void openFile(const QString& path);
    [[nodiscard]] QString problem() const { return m_problem; } ///< about a file, one sentence

signals:
    void chosenAnew(); ///< by a person; the form takes what the preset says

private:
    void listRuns();
    void askForFile();

    QComboBox* m_box;
    QComboBox* m_run;
    std::vector<Preset> m_presets; // as in the list, from its second entry on
    QString m_problem;
};

} // namespace fullbatch
