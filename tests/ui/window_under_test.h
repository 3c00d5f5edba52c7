// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/training/fake_engine.h"
#include "ui/parts/theme.h"
#include "ui/runs/run_list.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>

namespace fullbatch {

/// Settings of a test's own, gone with it. Made before any window.
class OwnSettings
{
public:
    OwnSettings()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("fullbatch-test"));
        QCoreApplication::setApplicationName(QStringLiteral("fullbatch-test"));
        QGuiApplication::setApplicationDisplayName(QStringLiteral("Fullbatch"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        applyTheme(Theme::Light);
    }
    static void forget() { QSettings().clear(); }

private:
    QTemporaryDir m_folder;
};

/// An error curve that falls with noise and spikes, as those of real networks do.
inline std::uint32_t plausibleErrors(std::uint64_t epoch, double halfLife)
{
    const double smooth = 3600.0 / (1 + static_cast<double>(epoch) / halfLife);
    const double noise =
        static_cast<double>(predictionDigest(epoch, 1) % 1000) / 1000.0 * 0.2 * smooth;
    const bool spike = predictionDigest(epoch, 2) % 997 == 0;
    return static_cast<std::uint32_t>(std::min(3600.0, smooth * 0.85 + noise + (spike ? 600 : 0)));
}

/// A script whose curves look like training, at a speed a person could watch.
inline FakeScript plausibleScript(double microsecondsPerEpoch)
{
    FakeScript script;
    script.microsecondsPerEpoch = microsecondsPerEpoch;
    script.wrongRows = [](std::uint64_t epoch) { return plausibleErrors(epoch, 700); };
    script.loss = [](std::uint64_t epoch) {
        return 2.3 * (plausibleErrors(epoch, 900) + 40.0) / 3700.0;
    };
    return script;
}

inline WindowSetup setupWith(std::vector<EngineChoice> engines, int cores = 2)
{
    WindowSetup setup;
    setup.engines = std::move(engines);
    setup.cores = cores;
    return setup;
}

/// The engine that the default form asks for, scripted.
inline EngineChoice scriptedCpu(FakeScript script)
{
    EngineChoice choice = fakeEngineChoice(std::move(script), "cpu");
    choice.description = "CPU: scripted";
    return choice;
}

inline EngineChoice unusableGpu()
{
    EngineChoice choice;
    choice.id = "gpu";
    choice.description = "GPU: none found";
    choice.unusable = "The NVIDIA driver is not installed.";
    choice.remedy = "Install the driver, then start the program again.";
    choice.precisions = {Precision::Fp32};
    return choice;
}

inline QAction* action(const QWidget& window, const char* name)
{
    return window.findChild<QAction*>(QString::fromLatin1(name));
}

inline QLineEdit* field(const QWidget& window, const char* name)
{
    return window.findChild<QLineEdit*>(QString::fromLatin1(name));
}

/// As a person chooses an experiment: all runs of it, or one by its name.
inline void choosePreset(const QWidget& window, const char* id, const char* run = "")
{
    const auto activate = [&](const char* name, int index) {
        auto* const box = window.findChild<QComboBox*>(QString::fromLatin1(name));
        box->setCurrentIndex(index);
        emit box->activated(index);
    };
    const auto* const presets = window.findChild<QComboBox*>(QStringLiteral("preset"));
    activate("preset", presets->findData(QString::fromLatin1(id)));
    if (*run != '\0') {
        const auto* const runs = window.findChild<QComboBox*>(QStringLiteral("presetRun"));
        activate("presetRun", runs->findText(QString::fromLatin1(run)));
    }
}

inline RunState stateOf(const MainWindow& window, int row)
{
    return window.runs().at(row).session->state();
}

inline std::size_t epochsOf(const MainWindow& window, int row)
{
    if (row < 0 || row >= window.runs().size())
        return 0;
    const auto& prepared = window.runs().at(row).session->prepared();
    return prepared ? prepared->log->epochs.size() : 0;
}

} // namespace fullbatch
