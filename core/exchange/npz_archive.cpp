// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/npz_archive.h"

#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <zip.h>

namespace fullbatch {

namespace {

struct DiscardArchive
{
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct FreeSource
{
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, DiscardArchive>;
using Source = std::unique_ptr<zip_source_t, FreeSource>;

[[noreturn]] void fail(const char* reason)
{
    throw std::runtime_error(std::string("The npz archive could not be made: ") + reason + ".");
}

/// Magic, version 1.0, length and text, together a multiple of 64 bytes.
std::string npyHeader(const NpyArray& array)
{
    std::string shape; // a tuple as Python writes it: (4000, 40), (4000,)
    for (const std::int64_t size : array.shape)
        shape += (shape.empty() ? "" : ", ") + std::to_string(size);
    if (array.shape.size() == 1)
        shape += ',';
    std::string text =
        "{'descr': '" + array.type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr std::size_t prefix = 10;
    constexpr std::size_t alignment = 64;
    text.append(alignment - 1 - (prefix + text.size()) % alignment, ' ');
    text += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(text.size() % 256);
    header += static_cast<char>(text.size() / 256);
    return header + text;
}

std::vector<char> npyFile(const NpyArray& array)
{
    const std::string header = npyHeader(array);
    std::vector<char> file(header.size() + array.values.size());
    std::memcpy(file.data(), header.data(), header.size());
    if (!array.values.empty())
        std::memcpy(file.data() + header.size(), array.values.data(), array.values.size());
    return file;
}

void addMember(zip_t* archive, const std::string& name, const std::vector<char>& file)
{
    // A failed zip_file_add leaves the source to its caller; otherwise the archive owns it.
    Source source(zip_source_buffer(archive, file.data(), file.size(), 0));
    if (!source)
        throw std::bad_alloc();
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
    if (index < 0)
        fail(zip_strerror(archive));
    (void)source.release();
    constexpr zip_uint16_t midnight = 0;
    constexpr zip_uint16_t firstOfJanuary1980 = 1U << 5U | 1U; // month and day in MS-DOS's format
    const auto member = static_cast<zip_uint64_t>(index);
    if (zip_set_file_compression(archive, member, ZIP_CM_STORE, 0) != 0
        || zip_file_set_dostime(archive, member, midnight, firstOfJanuary1980, 0) != 0
        || zip_file_set_external_attributes(archive, member, 0, ZIP_OPSYS_UNIX, 0100644U << 16U)
            != 0)
        fail(zip_strerror(archive));
}

std::vector<std::byte> contents(zip_source_t* source)
{
    zip_stat_t status;
    if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0)
        fail(zip_error_strerror(zip_source_error(source)));
    std::vector<std::byte> bytes(status.size);
    const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (count != static_cast<zip_int64_t>(bytes.size()))
        fail("its bytes could not be read back");
    return bytes;
}

} // namespace

std::vector<std::byte> npzArchive(std::span<const NpyArray> arrays)
{
    zip_error_t error;
    zip_error_init(&error);
    const Source target(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (!target)
        throw std::bad_alloc();
    std::vector<std::vector<char>> files; // read when the archive closes
    files.reserve(arrays.size());
    Archive archive(zip_open_from_source(target.get(), ZIP_CREATE | ZIP_TRUNCATE, &error));
    if (!archive)
        fail(zip_error_strerror(&error));
    zip_source_keep(target.get()); // once for the archive, once for us
    for (const NpyArray& array : arrays)
        addMember(archive.get(), array.name + ".npy", files.emplace_back(npyFile(array)));
    if (zip_close(archive.get()) != 0)
        fail(zip_strerror(archive.get()));
    (void)archive.release();
    return contents(target.get());
}

} // namespace fullbatch
