// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/file_sink.h"

#include "core/exchange/output_file.h"

#include <cerrno>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace fullbatch {

namespace {

constexpr std::size_t bufferSize = std::size_t{1} << 18U;

}

std::string cannotWrite(const std::filesystem::path& file, int error)
{
    return "Cannot write " + file.string() + ": " + std::generic_category().message(error) + ".";
}

FileSink::FileSink(int descriptor, std::filesystem::path file)
    : m_descriptor(descriptor),
      m_file(std::move(file)),
      m_buffer(bufferSize)
{
    setp(m_buffer.data(), m_buffer.data() + m_buffer.size());
}

FileSink::~FileSink()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

void FileSink::finish()
{
    flushBuffer();
    // Pipes and devices cannot be synchronised; they answer EINVAL or EROFS.
    if (fsync(m_descriptor) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
        fail();
    if (close(std::exchange(m_descriptor, -1)) != 0 && errno != EINTR)
        fail();
}

FileSink::int_type FileSink::overflow(int_type character)
{
    flushBuffer();
    if (!traits_type::eq_int_type(character, traits_type::eof()))
        sputc(traits_type::to_char_type(character));
    return traits_type::not_eof(character);
}

std::streamsize FileSink::xsputn(const char* bytes, std::streamsize count)
{
    if (count < epptr() - pptr())
        return std::streambuf::xsputn(bytes, count);
    flushBuffer();
    writeAll(bytes, static_cast<std::size_t>(count));
    return count;
}

int FileSink::sync()
{
    flushBuffer();
    return 0;
}

void FileSink::flushBuffer()
{
    const auto count = static_cast<std::size_t>(pptr() - pbase());
    setp(m_buffer.data(), m_buffer.data() + m_buffer.size());
    writeAll(m_buffer.data(), count);
}

void FileSink::writeAll(const char* bytes, std::size_t count)
{
    while (count > 0) {
        const ssize_t written = write(m_descriptor, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail();
        bytes += written;
        count -= static_cast<std::size_t>(written);
    }
}

void FileSink::fail() const
{
    throw OutputError(cannotWrite(m_file, errno));
}

} // namespace fullbatch
