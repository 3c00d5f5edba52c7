// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/data_file.h"

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QTemporaryDir>

namespace fullbatch {

/// A file of tests/data.
inline QString fixture(const QString& name)
{
    return QStringLiteral(FULLBATCH_SOURCE_DIR "/tests/data/") + name;
}

inline QByteArray bytesOf(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The data set that the files of tests/data hold (see make_fixtures.py): x[row][column] is
/// (4 * row + column) / 8 - 1.
inline Dataset smallDataset()
{
    Dataset dataset;
    dataset.classes = 3;
    dataset.train.inputs.resize(4, 6);
    for (Eigen::Index index = 0; index < 24; ++index)
        dataset.train.inputs.data()[index] = static_cast<float>(index) / 8 - 1;
    dataset.train.labels = {2, 0, 1, 2, 1, 0};
    dataset.test.inputs = dataset.train.inputs.leftCols(2).array() + 10;
    dataset.test.labels = {1, 0};
    return dataset;
}

inline bool sameSplit(const Split& left, const Split& right)
{
    return left.labels == right.labels && left.inputs.rows() == right.inputs.rows()
        && left.inputs.cols() == right.inputs.cols() && left.inputs == right.inputs;
}

/// Equal in everything but the source. An empty split has no features to compare.
inline bool sameData(const Dataset& left, const Dataset& right)
{
    const bool bothEmpty = left.test.rows() == 0 && right.test.rows() == 0;
    return left.classes == right.classes && sameSplit(left.train, right.train)
        && (bothEmpty || sameSplit(left.test, right.test));
}

/// What readDataFile() makes of some bytes: the data, or the complaint without the file's name.
struct Reading
{
    Dataset data;
    QString complaint;
};

inline Reading readBytesAs(const QByteArray& bytes, const QString& name = "data.bin")
{
    static const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("the temporary file cannot be written");
    file.close();
    try {
        return {readDataFile(path.toStdString()), {}};
    } catch (const DataError& error) {
        const QString text = QString::fromUtf8(error.what());
        const QString start = "Cannot read " + path + ": ";
        // A complaint without the file's name must not pass for a good one.
        return {{}, text.startsWith(start) ? text.mid(start.size()) : "UNNAMED: " + text};
    }
}

} // namespace fullbatch
