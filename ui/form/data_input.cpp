// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/data_input.h"

#include "ui/parts/background_work.h"
#include "ui/parts/choice_box.h"
#include "ui/parts/number_field.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QSignalBlocker>

#include <exception>
#include <limits>
#include <new>

namespace fullbatch {

namespace {

constexpr int mostRecentFiles = 8;
constexpr DataSizes publishedSizes = {4000, 1000, 40, 10};

DataSizes sizesOf(const Dataset& data)
{
    return {static_cast<std::int64_t>(data.train.rows()),
            static_cast<std::int64_t>(data.test.rows()), data.features(), data.classes};
}

} // namespace

DataInput::DataInput(std::shared_ptr<DataCache> cache, QObject* parent)
    : QObject(parent),
      m_cache(std::move(cache)),
      m_source(new ChoiceBox),
      m_seed(new WholeField(0)),
      m_sizes(publishedSizes)
{
    m_source->setObjectName(QStringLiteral("dataSource"));
    m_seed->setObjectName(QStringLiteral("dataSeed"));
    m_seed->setToolTip(
        tr("The seed of the generator; %1 gives the published data.").arg(Mnist1dRecipe().seed));
    m_seed->setText(QString::number(m_recipe.seed));
    listSources();
    connect(m_source, &QComboBox::activated, this, &DataInput::choose);
    connect(m_seed, &QLineEdit::textChanged, this, &DataInput::changed);
}

DataInput::~DataInput() = default;

QWidget* DataInput::source() const
{
    return m_source;
}

QWidget* DataInput::seed() const
{
    return m_seed;
}

DataSpec DataInput::spec() const
{
    DataSpec spec;
    spec.recipe = m_recipe;
    if (generated() && seedProblem().isEmpty())
        spec.recipe.seed = static_cast<std::uint32_t>(*m_seed->value());
    spec.file = QFile::encodeName(m_file).toStdString();
    return spec;
}

void DataInput::setSpec(const DataSpec& spec)
{
    m_recipe = spec.recipe;
    m_seed->setText(QString::number(spec.recipe.seed));
    if (spec.file.empty()) {
        m_file.clear();
        listSources();
        read();
    } else {
        openFile(QFile::decodeName(QByteArray::fromStdString(spec.file)));
    }
}

void DataInput::openFile(const QString& path)
{
    m_file = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    m_recent.removeAll(m_file);
    m_recent.prepend(m_file);
    m_recent = m_recent.mid(0, mostRecentFiles);
    listSources();
    read();
}

QStringList DataInput::recentFiles() const
{
    return m_recent;
}

void DataInput::setRecentFiles(const QStringList& paths)
{
    m_recent = paths.mid(0, mostRecentFiles);
    listSources();
}

QString DataInput::note() const
{
    if (m_reading)
        return tr("Reading the file …");
    const QLocale locale = m_seed->locale();
    const auto number = [&](std::int64_t n) { return locale.toString(static_cast<qlonglong>(n)); };
    return tr("%1 training rows, %2 test rows; %3 values, %4 classes")
        .arg(number(m_sizes.trainRows), number(m_sizes.testRows), number(m_sizes.features),
             number(m_sizes.classes));
}

QString DataInput::seedProblem() const
{
    if (!generated())
        return {};
    const auto seed = m_seed->value();
    if (!seed)
        return m_seed->syntaxProblem();
    constexpr std::int64_t largest = std::numeric_limits<std::uint32_t>::max();
    if (*seed < 0 || *seed > largest)
        return tr("The seed of the data is %1, but it must be from 0 to %2.")
            .arg(*seed)
            .arg(m_seed->locale().toString(static_cast<qlonglong>(largest)));
    return {};
}

bool DataInput::ready() const
{
    return generated() || m_read.has_value();
}

void DataInput::listSources()
{
    const QSignalBlocker quiet(m_source);
    m_source->clear();
    m_source->addItem(tr("MNIST-1D, generated"));
    for (const QString& path : m_recent) {
        m_source->addItem(QFileInfo(path).fileName(), path);
        m_source->setItemData(m_source->count() - 1, QDir::toNativeSeparators(path),
                              Qt::ToolTipRole);
    }
    m_source->addItem(tr("Open a file …"));
    m_source->setCurrentIndex(m_file.isEmpty() ? 0 : m_source->findData(m_file));
}

void DataInput::choose(int index)
{
    if (index == m_source->count() - 1) {
        listSources(); // shows the present choice until a file is chosen
        askForFile();
    } else if (index == 0) {
        m_file.clear();
        read();
    } else {
        openFile(m_source->itemData(index).toString());
    }
}

void DataInput::askForFile()
{
    auto* const dialog = new QFileDialog(m_source->window(), tr("Open data"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Data (*.pkl *.pickle *.npz *.csv *.txt *.tsv)"), tr("All files (*)")});
    if (!m_recent.isEmpty())
        dialog->setDirectory(QFileInfo(m_recent.first()).absolutePath());
    connect(dialog, &QFileDialog::fileSelected, this, &DataInput::openFile);
    dialog->open();
}

void DataInput::fail(const QString& problem)
{
    m_reading.reset();
    m_problem = problem;
    emit changed();
}

void DataInput::read()
{
    m_problem.clear();
    m_read.reset();
    if (m_reading)
        m_reading->abandon();
    m_reading.reset();
    m_sizes = publishedSizes;
    if (!generated()) {
        m_reading = std::make_unique<BackgroundWork>(
            [this, cache = m_cache, spec = spec()](const BackgroundWork::Caller& caller) {
                // `this` is used in the replies alone.
                try {
                    const auto data = cache->load(spec, caller.stopToken());
                    if (!data)
                        return;
                    caller.post([this, sizes = sizesOf(data->dataset)] {
                        m_reading.reset();
                        m_read = sizes;
                        m_sizes = sizes;
                        emit changed();
                    });
                } catch (const std::bad_alloc&) {
                    caller.post([this] { fail(tr("There is not enough memory for this file.")); });
                } catch (const std::exception& error) {
                    caller.post([this, text = QString::fromUtf8(error.what())] { fail(text); });
                }
            });
    }
    emit changed();
}

} // namespace fullbatch
