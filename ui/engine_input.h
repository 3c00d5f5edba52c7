// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"

#include <QObject>
#include <QString>

#include <vector>

class QComboBox;
class QWidget;

namespace fullbatch {

/// The inputs for the engine and the number of its threads. Engines that cannot be used stand in
/// the list too, greyed, and note() says why and what to do about it.
class EngineInput : public QObject
{
    Q_OBJECT

public:
    /// `cores`: of this machine.
    explicit EngineInput(int cores, QObject* parent = nullptr);

    // The widgets; whoever lays them out owns them.
    [[nodiscard]] QWidget* engine() const;
    [[nodiscard]] QWidget* precision() const;
    [[nodiscard]] QWidget* threads() const;

    /// Keeps the choice where its engine is still there and usable.
    void setEngines(std::vector<EngineChoice> engines);
    /// The chosen engine, usable; null when there is none.
    [[nodiscard]] const EngineChoice* choice() const;
    void choose(const std::string& id);

    [[nodiscard]] Precision precisionValue() const;
    void setPrecision(Precision precision);
    [[nodiscard]] bool severalPrecisions() const;
    [[nodiscard]] int threadsValue() const; ///< 0: every core
    void setThreads(int threads);

    [[nodiscard]] QString
    note() const; ///< the chosen one where its box cuts it, and those that cannot be used
    [[nodiscard]] QString problem() const; ///< when no engine can be used

signals:
    void changed();

private:
    void listPrecisions();

    std::vector<EngineChoice> m_engines;
    QComboBox* m_engine;
    QComboBox* m_precision;
    QComboBox* m_threads;
};

} // namespace fullbatch
