// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/output_file.h"

#include "core/exchange/file_sink.h"

#include <cerrno>
#include <fcntl.h>
#include <locale>
#include <random>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace fullbatch {

namespace {

using Path = std::filesystem::path;

[[noreturn]] void fail(const Path& file, int error)
{
    throw OutputError(cannotWrite(file, error));
}

/// The file that is replaced: what a symbolic link points to, not the link.
Path targetOf(const Path& file)
{
    std::error_code error;
    if (!std::filesystem::is_symlink(file, error))
        return file;
    // /dev/stdout is a link to something without a path when it is a pipe.
    if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
        return file;
    Path target = std::filesystem::weakly_canonical(file, error);
    if (error)
        fail(file, error.value());
    return target;
}

Path folderOf(const Path& file)
{
    return file.has_parent_path() ? file.parent_path() : Path(".");
}

constexpr mode_t anyoneMayWrite = S_IWUSR | S_IWGRP | S_IWOTH;

/// A folder without any permission to write is left alone even when root asks: somebody meant it.
void checkFolder(const Path& file, const Path& folder)
{
    struct stat status = {};
    if (stat(folder.c_str(), &status) != 0) {
        if (errno == ENOENT)
            throw OutputError("Cannot write " + file.string() + ": the folder " + folder.string()
                              + " does not exist.");
        fail(file, errno);
    }
    if (!S_ISDIR(status.st_mode))
        throw OutputError("Cannot write " + file.string() + ": " + folder.string()
                          + " is not a folder.");
    if ((status.st_mode & anyoneMayWrite) == 0)
        throw OutputError("Cannot write " + file.string() + ": the folder " + folder.string()
                          + " is read-only.");
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        fail(file, errno);
}

enum class Target { New, RegularFile, Device };

/// What `target` is. `permissions` become those of an existing file.
Target inspect(const Path& file, const Path& target, mode_t& permissions)
{
    if (file.empty())
        throw OutputError("Cannot write a file without a name.");
    if (!target.has_filename())
        fail(file, EISDIR);
    struct stat status = {};
    if (stat(target.c_str(), &status) != 0) {
        if (errno != ENOENT)
            fail(file, errno);
        return Target::New;
    }
    if (S_ISDIR(status.st_mode))
        fail(file, EISDIR);
    if (S_ISREG(status.st_mode) && (status.st_mode & anyoneMayWrite) == 0)
        throw OutputError("Cannot write " + file.string() + ": the file is read-only.");
    if (access(target.c_str(), W_OK) != 0)
        fail(file, errno);
    permissions = status.st_mode & 07777U;
    return S_ISREG(status.st_mode) ? Target::RegularFile : Target::Device;
}

/// A file in the target's folder that disappears unless it took the target's place.
class PartFile
{
public:
    PartFile(const Path& file, const Path& target) : m_file(file), m_target(target)
    {
        std::random_device random;
        do {
            // Short, so that a long name of the target does not make it too long.
            m_path = folderOf(target) / (".fullbatch-" + std::to_string(random()) + ".part");
            // The system takes the user's mask off these permissions, as for every new file.
            m_descriptor = open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        } while (m_descriptor < 0 && errno == EEXIST);
        if (m_descriptor < 0)
            fail(file, errno);
    }
    ~PartFile()
    {
        if (!m_path.empty())
            unlink(m_path.c_str());
    }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    [[nodiscard]] int descriptor() const { return m_descriptor; }

    void takePlace()
    {
        if (rename(m_path.c_str(), m_target.c_str()) != 0)
            fail(m_file, errno);
        m_path.clear();
        // Makes the new name survive a power cut. The data are safe, so failing is no failure.
        const int folder = open(folderOf(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) {
            fsync(folder);
            close(folder);
        }
    }

private:
    Path m_file;
    Path m_target;
    Path m_path;
    int m_descriptor = -1;
};

void fill(FileSink& sink, const Path& file, const std::function<void(std::ostream&)>& write)
{
    std::ostream out(&sink);
    out.imbue(std::locale::classic());
    out.exceptions(std::ios::badbit); // lets the sink's own OutputError through
    write(out);
    if (!out)
        fail(file, EIO);
    sink.finish();
}

void writeToDevice(const Path& file, const std::function<void(std::ostream&)>& write)
{
    // A pipe that nobody reads would keep open() waiting for ever; so it fails instead.
    const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 && errno == ENXIO)
        throw OutputError("Cannot write " + file.string() + ": it is a pipe that nobody reads.");
    if (descriptor < 0)
        fail(file, errno);
    fcntl(descriptor, F_SETFL, O_WRONLY); // from here on, wait for the reader
    FileSink sink(descriptor, file);
    fill(sink, file, write);
}

} // namespace

void writeWhole(const Path& file, const std::function<void(std::ostream&)>& write)
{
    const Path target = targetOf(file);
    mode_t permissions = 0;
    const Target kind = inspect(file, target, permissions);
    if (kind == Target::Device)
        return writeToDevice(target, write);
    checkFolder(file, folderOf(target));
    PartFile part(file, target);
    FileSink sink(part.descriptor(), file);
    if (kind == Target::RegularFile && fchmod(part.descriptor(), permissions) != 0)
        fail(file, errno);
    fill(sink, file, write);
    part.takePlace();
}

void checkWritable(const Path& file)
{
    const Path target = targetOf(file);
    mode_t permissions = 0;
    if (inspect(file, target, permissions) == Target::Device)
        return;
    checkFolder(file, folderOf(target));
    const PartFile part(file, target);
    FileSink sink(part.descriptor(), file);
    const std::string page(4096, '\0'); // an empty file fits on a full disk
    sink.sputn(page.data(), static_cast<std::streamsize>(page.size()));
    sink.finish();
}

} // namespace fullbatch
