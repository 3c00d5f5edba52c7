// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

class QComboBox;
class QWidget;

namespace fullbatch {

/// The inputs for the engine, its precision and the number of its threads. Engines that cannot be
/// used stand in the list too, greyed, with the reason and the remedy, which note() says as well.
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

    /// Chooses what was wanted last, by a person or by choose(), as soon as it is usable: graphics
    /// cards may be found later than the others.
    void setEngines(std::vector<EngineChoice> engines);
    /// The chosen engine, usable; null when there is none.
    [[nodiscard]] const EngineChoice* choice() const;
    /// The chosen engine, and on a graphics card the others that runs may be spread over.
    [[nodiscard]] std::vector<EngineChoice> choiceAndEquals() const;
    /// The usable engine of that id; null when there is none.
    [[nodiscard]] const EngineChoice* usable(const std::string& id) const;
    void choose(const std::string& id);
    [[nodiscard]] const std::string& wanted() const { return m_wanted; } ///< empty: nothing yet

    [[nodiscard]] Precision precisionValue() const;
    [[nodiscard]] Precision wantedPrecision() const { return m_wantedPrecision; }
    void setPrecision(Precision precision);
    [[nodiscard]] int threadsValue() const; ///< 0: every core
    void setThreads(int threads);

    [[nodiscard]] QString
    note() const; ///< the chosen one where its box cuts it, and those that cannot be used
    [[nodiscard]] QString problem() const; ///< when no engine can be used

signals:
    void changed();

protected:
    bool eventFilter(QObject* object, QEvent* event) override; ///< note() depends on the width

private:
    void show(); ///< what was wanted, or the first usable engine
    void widenList();
    void listPrecisions();

    std::vector<EngineChoice> m_engines;
    std::string m_wanted;
    Precision m_wantedPrecision = Precision::Fp32;
    QComboBox* m_engine;
    QComboBox* m_precision;
    QComboBox* m_threads;
};

} // namespace fullbatch
