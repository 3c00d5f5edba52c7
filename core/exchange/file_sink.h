// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <streambuf>
#include <string>
#include <vector>

namespace fullbatch {

/// "Cannot write PATH: REASON." with the system's words for an errno value.
[[nodiscard]] std::string cannotWrite(const std::filesystem::path& file, int error);

/// The writing end of a file descriptor, which it owns, as a stream buffer. Throws OutputError, in
/// the name of `file`, at the first byte that the system does not take, so that a full disk ends a
/// long export at once.
class FileSink : public std::streambuf
{
public:
    /// `file`: what a person knows the output as, whatever the descriptor's own path is.
    FileSink(int descriptor, std::filesystem::path file);
    ~FileSink() override;
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;

    /// Writes what is buffered, makes sure that it is on the disk (where the file is one), closes.
    void finish();

protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;
    int sync() override;

private:
    void writeAll(const char* bytes, std::size_t count);
    void flushBuffer();
    [[noreturn]] void fail() const;

    int m_descriptor;
    std::filesystem::path m_file;
    std::vector<char> m_buffer;
};

} // namespace fullbatch
