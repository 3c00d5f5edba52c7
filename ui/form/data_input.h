// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"
#include "ui/parts/data_cache.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

class QComboBox;
class QWidget;

namespace fullbatch {

class BackgroundWork;
class WholeField;

/// Sizes of a data set.
struct DataSizes
{
    std::int64_t trainRows = 0;
    std::int64_t testRows = 0;
    std::int64_t features = 0;
    std::int64_t classes = 0;
};

/// The inputs for the data: MNIST-1D with its seed, or a file. A chosen file is read in the
/// background at once, so that a wrong one is refused here and not at Start.
class DataInput : public QObject
{
    Q_OBJECT

public:
    DataInput(std::shared_ptr<DataCache> cache, QObject* parent = nullptr);
    ~DataInput() override;

    // The widgets; whoever lays them out owns them.
    [[nodiscard]] QWidget* source() const;
    [[nodiscard]] QWidget* seed() const;

    [[nodiscard]] DataSpec spec() const;
    void setSpec(const DataSpec& spec);
    void openFile(const QString& path);
    [[nodiscard]] bool generated() const { return m_file.isEmpty(); }

    [[nodiscard]] QStringList recentFiles() const;
    void setRecentFiles(const QStringList& paths);

    /// Of the chosen data; of the published set while they are not known.
    [[nodiscard]] const DataSizes& sizes() const { return m_sizes; }
    [[nodiscard]] QString note() const; ///< what the data are, or that they are being read
    [[nodiscard]] QString problem() const { return m_problem; } ///< about the source
    [[nodiscard]] QString seedProblem() const;
    [[nodiscard]] bool ready() const; ///< a run can start with them

signals:
    void changed();

private:
    void choose(int index);
    void askForFile();
    void listSources();
    void read();
    void fail(const QString& problem);

    std::shared_ptr<DataCache> m_cache;
    QComboBox* m_source;
    WholeField* m_seed;
    Mnist1dRecipe m_recipe;
    QString m_file; // empty: generated
    QStringList m_recent;
    QString m_problem;
    std::optional<DataSizes> m_read; // nothing while reading and after a failure
    DataSizes m_sizes;
    std::unique_ptr<BackgroundWork> m_reading;
};

} // namespace fullbatch
