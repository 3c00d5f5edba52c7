// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_export.h"

#include "core/exchange/output_file.h"
#include "ui/parts/background_work.h"

#include <QFile>

#include <algorithm>
#include <exception>
#include <utility>

namespace fullbatch {

RunExport::RunExport(QObject* parent) : QObject(parent) { }

RunExport::~RunExport() = default;

void RunExport::write(const QString& path, std::function<void(std::ostream&)> write,
                      std::function<void()> whenWritten)
{
    const bool already = std::any_of(m_writing.begin(), m_writing.end(),
                                     [&](const Writing& each) { return each.path == path; });
    if (already)
        return;
    m_writing.push_back({path, std::move(whenWritten), nullptr});
    m_writing.back().work = std::make_unique<BackgroundWork>(
        [this, path, write = std::move(write)](const BackgroundWork::Caller& caller) {
            // `this` is used in the reply alone.
            QString reason;
            try {
                writeWhole(QFile::encodeName(path).toStdString(), write);
            } catch (const std::exception& error) {
                reason = QString::fromUtf8(error.what());
            }
            caller.post([this, path, reason] { finish(path, reason); });
        });
}

void RunExport::finish(const QString& path, const QString& reason)
{
    const auto done = std::find_if(m_writing.begin(), m_writing.end(),
                                   [&](const Writing& each) { return each.path == path; });
    const std::function<void()> whenWritten = std::move(done->whenWritten);
    m_writing.erase(done);
    if (reason.isEmpty() && whenWritten)
        whenWritten();
    if (reason.isEmpty())
        emit written(path);
    else
        emit failed(path, reason);
}

} // namespace fullbatch
