// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <ostream>

namespace fullbatch {

class BackgroundWork;

/// Writes files in the background, whole or not at all, and tells how it went. GUI thread.
class RunExport : public QObject
{
    Q_OBJECT

public:
    explicit RunExport(QObject* parent = nullptr);
    ~RunExport() override;

    /// `write` runs in another thread and must own or share what it uses. A second request for a
    /// file that is being written is ignored: it is the other half of a double click.
    /// `whenWritten` runs in the GUI thread after a success; it may be empty.
    void write(const QString& path, std::function<void(std::ostream&)> write,
               std::function<void()> whenWritten = {});
    [[nodiscard]] int inProgress() const { return static_cast<int>(m_writing.size()); }

signals:
    void written(const QString& path);
    void failed(const QString& path, const QString& reason);

private:
    struct Writing
    {
        QString path;
        std::function<void()> whenWritten;
        std::unique_ptr<BackgroundWork> work;
    };
    void finish(const QString& path, const QString& reason);

    std::list<Writing> m_writing;
};

} // namespace fullbatch
