// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npz_file.h"

#include "core/files/named_arrays.h"
#include "core/files/npy_header.h"

#include <algorithm>
#include <array>
#include <memory>
#include <unistd.h>
#include <zip.h>

namespace fullbatch {

namespace {

struct DiscardArchive
{
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember
{
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};

/// An archive that lies in memory. `bytes` must outlive it.
class Archive
{
public:
    explicit Archive(std::string_view bytes)
    {
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
        if (source == nullptr)
            throw std::bad_alloc();
        m_archive.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
        if (!m_archive) {
            const std::string reason = zip_error_strerror(&error);
            zip_source_free(source);
            throw DataError("it begins like a zip archive (npz) but its directory at the end is "
                            "missing or damaged ("
                            + reason + "); it is cut short or damaged, get or make it again");
        }
    }

    [[nodiscard]] zip_t* get() const { return m_archive.get(); }
    [[nodiscard]] zip_uint64_t members() const
    {
        return static_cast<zip_uint64_t>(zip_get_num_entries(m_archive.get(), 0));
    }
    [[nodiscard]] std::string name(zip_uint64_t index) const
    {
        const char* name = zip_get_name(m_archive.get(), index, ZIP_FL_ENC_RAW);
        return name != nullptr ? name : "";
    }

private:
    std::unique_ptr<zip_t, DiscardArchive> m_archive;
};

/// One member, unpacked from front to back.
class Member
{
public:
    Member(const Archive& archive, zip_uint64_t index)
        : m_name(archive.name(index)),
          m_file(zip_fopen_index(archive.get(), index, 0))
    {
        if (!m_file)
            throw DataError("its member " + m_name + " cannot be read ("
                            + zip_strerror(archive.get()) + "); make the file again");
    }

    /// Fewer than asked for at the end only, where the checksum is compared.
    std::size_t read(char* bytes, std::size_t count)
    {
        std::size_t used = 0;
        while (used < count) {
            const zip_int64_t got = zip_fread(m_file.get(), bytes + used, count - used);
            if (got < 0)
                throw DataError("its member " + m_name + " is damaged: it fails its checksum ("
                                + zip_file_strerror(m_file.get())
                                + "); get or make the file again");
            if (got == 0)
                break;
            used += static_cast<std::size_t>(got);
        }
        return used;
    }

    void readToEnd()
    {
        std::array<char, 65536> buffer{};
        while (read(buffer.data(), buffer.size()) == buffer.size()) { }
    }

private:
    std::string m_name;
    std::unique_ptr<zip_file_t, CloseMember> m_file;
};

/// Refuses what would not fit before memory is asked for.
void checkMemory(std::size_t bytes, const std::string& arrayName)
{
    const auto present =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (static_cast<double>(bytes) > present)
        throw DataError("the array " + arrayName + " unpacks to " + std::to_string(bytes)
                        + " bytes, more than this machine's memory");
}

NumberArray readArray(const Archive& archive, zip_uint64_t index, const std::string& name)
{
    constexpr std::size_t headerAtMost = 1U << 16U;
    Member member(archive, index);
    std::string bytes(headerAtMost, '\0');
    bytes.resize(member.read(bytes.data(), bytes.size()));
    const NpyHeader header = parseNpyHeader(bytes, name);
    NumberArray array;
    array.name = name;
    array.type = numberType(header.type, name);
    array.shape = header.shape;
    array.columnOrder = header.columnOrder;
    const std::size_t expected = header.size + byteCount(array.shape, array.type, name);
    checkMemory(expected, name);
    // Grows with what is really there, not with what the header promises.
    constexpr std::size_t step = 1U << 20U;
    for (bool more = true; more && bytes.size() < expected;) {
        const std::size_t first = bytes.size();
        const std::size_t wanted = std::min(step, expected - first);
        bytes.resize(first + wanted);
        const std::size_t got = member.read(bytes.data() + first, wanted);
        bytes.resize(first + got);
        more = got == wanted;
    }
    member.readToEnd(); // also compares the checksum
    array.storage = std::make_shared<const std::string>(std::move(bytes));
    array.bytes = std::string_view(*array.storage).substr(header.size);
    checkLength(array);
    return array;
}

std::string memberNames(const Archive& archive)
{
    constexpr zip_uint64_t most = 8;
    std::string names;
    for (zip_uint64_t index = 0; index < std::min(archive.members(), most); ++index)
        names += (index > 0 ? ", " : "") + archive.name(index);
    if (archive.members() > most)
        names += ", ...";
    return names.empty() ? "nothing" : names;
}

void checkIsNpz(const Archive& archive)
{
    bool arrays = false;
    for (zip_uint64_t index = 0; index < archive.members(); ++index) {
        const std::string name = archive.name(index);
        if (name == "data.pkl" || name.ends_with("/data.pkl"))
            throw DataError("it is a PyTorch file; save the arrays x and y as npz instead");
        if (name == "[Content_Types].xml")
            throw DataError("it is an Office document; save the table as csv instead");
        arrays = arrays || name.ends_with(".npy");
    }
    if (!arrays)
        throw DataError("it is a zip archive that holds " + memberNames(archive)
                        + "; an npz with the arrays x and y is wanted");
}

void checkUnusedMembers(const Archive& archive)
{
    constexpr std::array<std::string_view, 4> used = {"x.npy", "y.npy", "x_test.npy", "y_test.npy"};
    for (zip_uint64_t index = 0; index < archive.members(); ++index) {
        if (std::find(used.begin(), used.end(), archive.name(index)) == used.end())
            Member(archive, index).readToEnd();
    }
}

} // namespace

Dataset readNpz(std::string_view bytes)
{
    const Archive archive(bytes);
    checkIsNpz(archive);
    checkUnusedMembers(archive);
    return datasetFromArrays([&](const std::string& name) -> std::optional<NumberArray> {
        const zip_int64_t index =
            zip_name_locate(archive.get(), (name + ".npy").c_str(), ZIP_FL_ENC_RAW);
        if (index < 0)
            return std::nullopt;
        return readArray(archive, static_cast<zip_uint64_t>(index), name);
    });
}

} // namespace fullbatch
