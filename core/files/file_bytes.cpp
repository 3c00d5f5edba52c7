// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/file_bytes.h"

#include "core/data/dataset.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace fullbatch {

namespace {

class OpenFile
{
public:
    explicit OpenFile(const std::filesystem::path& file)
        : m_descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC))
    {
        if (m_descriptor < 0)
            fail();
        struct stat status = {};
        if (fstat(m_descriptor, &status) == 0
            && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)))
            throw DataError("it is a device and not a file");
    }
    ~OpenFile()
    {
        if (m_descriptor >= 0)
            close(m_descriptor);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    /// What the system says; 0 for pipes.
    [[nodiscard]] std::size_t size() const
    {
        struct stat status = {};
        if (fstat(m_descriptor, &status) != 0)
            fail();
        return S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
    }

    [[nodiscard]] std::size_t read(char* bytes, std::size_t most) const
    {
        ssize_t count = 0;
        do
            count = ::read(m_descriptor, bytes, most);
        while (count < 0 && errno == EINTR);
        if (count < 0)
            fail();
        return static_cast<std::size_t>(count);
    }

    [[noreturn]] static void fail() { throw DataError(std::generic_category().message(errno)); }

private:
    int m_descriptor;
};

} // namespace

std::string readBytes(const std::filesystem::path& file)
{
    const OpenFile open(file);
    constexpr std::size_t leastStep = 1U << 16U;
    std::string bytes;
    try {
        std::size_t used = 0;
        // One byte more than the size, so that the end is seen without growing.
        bytes.resize(open.size() + 1);
        while (const std::size_t count = open.read(bytes.data() + used, bytes.size() - used)) {
            used += count;
            if (used == bytes.size())
                bytes.resize(used + std::max(used / 2, leastStep));
        }
        bytes.resize(used);
    } catch (const std::bad_alloc&) {
        throw DataError("there is not enough memory for its " + std::to_string(open.size())
                        + " bytes");
    }
    return bytes;
}

} // namespace fullbatch
