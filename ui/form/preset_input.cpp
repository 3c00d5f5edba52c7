// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/preset_input.h"

#include "ui/parts/choice_box.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QSignalBlocker>

#include <stdexcept>

namespace fullbatch {

namespace {

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

} // namespace

PresetInput::PresetInput(QObject* parent)
    : QObject(parent),
      m_box(new ChoiceBox),
      m_run(new ChoiceBox),
      m_presets(builtInPresets().begin(), builtInPresets().end())
{
    m_box->setObjectName(QStringLiteral("preset"));
    m_run->setObjectName(QStringLiteral("presetRun"));
    m_box->addItem(tr("Own experiment"));
    for (const Preset& preset : m_presets)
        m_box->addItem(text(preset.title), text(preset.id));
    m_box->addItem(tr("Open a preset …"));
    m_box->setToolTip(tr("An experiment of your own, or one that is described already, with its "
                         "place in the book."));
    m_run->setToolTip(tr("All runs of the preset together, or one of them."));
    listRuns();
    connect(m_box, &QComboBox::activated, this, [this](int index) {
        m_problem.clear();
        if (index == m_box->count() - 1) {
            m_box->setCurrentIndex(0);
            askForFile();
        }
        listRuns();
        emit chosenAnew();
    });
    connect(m_run, &QComboBox::activated, this, &PresetInput::chosenAnew);
}

QWidget* PresetInput::preset() const
{
    return m_box;
}

QWidget* PresetInput::run() const
{
    return m_run;
}

const Preset* PresetInput::chosen() const
{
    const int index = m_box->currentIndex() - 1;
    return index >= 0 && index < static_cast<int>(m_presets.size())
        ? &m_presets[static_cast<std::size_t>(index)]
        : nullptr;
}

std::vector<RunSpec> PresetInput::runs() const
{
    const Preset* const preset = chosen();
    if (preset == nullptr)
        return {};
    if (preset->runs.size() == 1)
        return preset->runs;
    const int run = m_run->currentIndex() - 1; // the first entry means all
    return run < 0 ? preset->runs
                   : std::vector<RunSpec>{preset->runs[static_cast<std::size_t>(run)]};
}

QString PresetInput::note() const
{
    const Preset* const preset = chosen();
    if (preset == nullptr)
        return {};
    return preset->place.empty() ? text(preset->text)
                                 : tr("%1 (%2)").arg(text(preset->text), text(preset->place));
}

void PresetInput::listRuns()
{
    const QSignalBlocker quiet(m_run);
    m_run->clear();
    const Preset* const preset = chosen();
    if (preset == nullptr)
        return;
    m_run->addItem(tr("all %1 runs").arg(preset->runs.size()));
    for (std::size_t i = 0; i < preset->runs.size(); ++i)
        m_run->addItem(preset->runs[i].name.empty() ? tr("run %1").arg(i + 1)
                                                    : text(preset->runs[i].name));
}

void PresetInput::chooseOwn()
{
    m_box->setCurrentIndex(0);
    listRuns();
}

bool PresetInput::choose(const QString& id, const QString& run)
{
    const int index = id.isEmpty() ? -1 : m_box->findData(id);
    if (index < 0)
        return false;
    m_box->setCurrentIndex(index);
    listRuns();
    m_run->setCurrentIndex(run.isEmpty() ? 0 : std::max(0, m_run->findText(run)));
    return true;
}

void PresetInput::askForFile()
{
    auto* const dialog = new QFileDialog(m_box->window(), tr("Open preset"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Presets (*.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &PresetInput::openFile);
    dialog->open();
}

void PresetInput::openFile(const QString& path)
{
    constexpr qint64 largest = 1 << 24;
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    m_problem.clear();
    if (!file.open(QIODevice::ReadOnly)) {
        m_problem = tr("The preset %1 cannot be read: %2.").arg(name, file.errorString());
    } else {
        try {
            Preset preset = presetFromJson(file.read(largest).toStdString(),
                                           "The preset " + name.toStdString());
            preset.id = path.toStdString();
            m_presets.push_back(std::move(preset));
            m_box->insertItem(m_box->count() - 1, text(m_presets.back().title), path);
            choose(path, {});
        } catch (const std::invalid_argument& error) {
            m_problem = QString::fromUtf8(error.what());
        }
    }
    emit chosenAnew();
}

} // namespace fullbatch
