// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace fullbatch {

namespace {

using namespace std::string_view_literals;

struct Signature
{
    std::string_view start;
    std::string_view refusal;
};

constexpr auto webPage =
    "it is a web page (HTML), not data; open the link in a browser and save the "
    "file itself"sv;

/// Byte order marks come before everything else; UTF-32's begins like UTF-16's.
constexpr std::array encodings = {
    Signature{"\xff\xfe\0\0"sv, "it is UTF-32 text; save it as UTF-8"sv},
    Signature{"\0\0\xfe\xff"sv, "it is UTF-32 text; save it as UTF-8"sv},
    Signature{"\xff\xfe"sv, "it is UTF-16 text (little-endian); save it as UTF-8"sv},
    Signature{"\xfe\xff"sv, "it is UTF-16 text (big-endian); save it as UTF-8"sv},
};

constexpr std::array signatures = {
    Signature{"version https://git-lfs"sv,
              "it is a Git LFS pointer, not the data; run \"git lfs pull\" or download the file "
              "itself"sv},
    Signature{"version https://hawser"sv,
              "it is a Git LFS pointer, not the data; run \"git lfs pull\""sv},
    Signature{"/annex/objects/"sv, "it is a git-annex pointer; run \"git annex get\""sv},
    Signature{"\x93NUMPY"sv,
              "it is an npy file with a single array; save inputs and labels together with "
              "numpy.savez(file, x=inputs, y=labels)"sv},
    Signature{"(dp"sv,
              "it is a pickle of protocol 0; save it again with protocol 2 or later (at most 5)"sv},
    Signature{"(lp"sv,
              "it is a pickle of protocol 0; save it again with protocol 2 or later (at most 5)"sv},
    Signature{"}q"sv,
              "it is a pickle of protocol 1; save it again with protocol 2 or later (at most 5)"sv},
    Signature{"\x1f\x8b"sv, "it is compressed with gzip; unpack it first (gunzip)"sv},
    Signature{"BZh"sv, "it is compressed with bzip2; unpack it first (bunzip2)"sv},
    Signature{"\xfd"
              "7zXZ\0"sv,
              "it is compressed with xz; unpack it first (unxz)"sv},
    Signature{"\x28\xb5\x2f\xfd"sv, "it is compressed with zstd; unpack it first (unzstd)"sv},
    Signature{"7z\xbc\xaf\x27\x1c"sv, "it is a 7-Zip archive; unpack it first"sv},
    Signature{"Rar!\x1a\x07"sv, "it is a RAR archive; unpack it first"sv},
    Signature{"\x89HDF\r\n\x1a\n"sv,
              "it is an HDF5 file; save the arrays x and y as npz instead"sv},
    Signature{"MATLAB 5.0"sv, "it is a MATLAB file; save the arrays x and y as npz instead"sv},
    Signature{"PAR1"sv, "it is a Parquet file; save the table as csv instead"sv},
    Signature{"ARROW1"sv, "it is an Arrow file; save the table as csv instead"sv},
    Signature{"SQLite format 3\0"sv, "it is an SQLite database; save the table as csv instead"sv},
    Signature{"\xd0\xcf\x11\xe0"sv, "it is an Office document; save the table as csv instead"sv},
    Signature{"\0\0\x08\x01"sv,
              "it is an IDX file of labels; save inputs and labels together as npz"sv},
    Signature{"\0\0\x08\x03"sv,
              "it is an IDX file of images; save inputs and labels together as npz"sv},
    Signature{"%PDF"sv, "it is a PDF document, not data"sv},
    Signature{"\x89PNG"sv, "it is a PNG picture, not data"sv},
    Signature{"\xff\xd8\xff"sv, "it is a JPEG picture, not data"sv},
    Signature{"GIF8"sv, "it is a GIF picture, not data"sv},
    Signature{"\x7f"
              "ELF"sv,
              "it is a program, not data"sv},
    Signature{"\xef\xbf\xbd"sv,
              "it was damaged by a conversion to UTF-8 text; download it again in binary mode"sv},
    Signature{"\xc2\x80"sv,
              "it was damaged by a conversion to UTF-8 text; download it again in binary mode"sv},
};

/// Compared without regard to case, after leading space.
constexpr std::array markup = {
    Signature{"<!doctype html"sv, webPage},
    Signature{"<html"sv, webPage},
    Signature{"<head"sv, webPage},
    Signature{"<body"sv, webPage},
    Signature{"<!--"sv, webPage},
    Signature{"404: not found"sv,
              "it is a server's answer, \"404: Not Found\", not data; check the link and download "
              "the file again"sv},
    Signature{"<?xml"sv, "it is an XML document, not data"sv},
    Signature{"<"sv, "it looks like a web page or another document with tags, not data"sv},
    Signature{"{"sv, "it is JSON or similar text; save it as csv or npz instead"sv},
    Signature{"["sv, "it is JSON or similar text; save it as csv or npz instead"sv},
};

bool startsWithoutCase(std::string_view text, std::string_view start)
{
    const auto same = [](char wanted, char found) {
        return wanted == std::tolower(static_cast<unsigned char>(found));
    };
    return text.size() >= start.size()
        && std::equal(start.begin(), start.end(), text.begin(), same);
}

std::string_view afterSpace(std::string_view text)
{
    if (text.starts_with("\xef\xbb\xbf")) // the byte order mark of UTF-8
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n\f\v");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// Every second byte of the beginning is zero and the others are not: ASCII in UTF-16.
bool looksLikeUtf16(std::string_view bytes, std::size_t zeroAt)
{
    const std::size_t count = std::min<std::size_t>(bytes.size(), 64) & ~std::size_t{1};
    for (std::size_t index = 0; index < count; ++index) {
        if ((bytes[index] == '\0') != (index % 2 == zeroAt))
            return false;
    }
    return count >= 4;
}

bool isText(std::string_view bytes)
{
    constexpr std::size_t beginning = 4096;
    return std::none_of(bytes.begin(),
                        bytes.begin()
                            + static_cast<std::ptrdiff_t>(std::min(bytes.size(), beginning)),
                        [](char byte) {
                            const auto code = static_cast<unsigned char>(byte);
                            return code == 0x7f || (code < 0x20 && !std::isspace(code));
                        });
}

std::string unknownBytes(std::string_view bytes)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string start;
    for (const char byte : bytes.substr(0, 4)) {
        const auto code = static_cast<unsigned char>(byte);
        start += {' ', digits[code / 16], digits[code % 16]};
    }
    return "it is binary data of an unknown kind (it begins with the bytes" + start
        + "); a pickle, npz or csv file is wanted";
}

FileKind unusable(std::string_view refusal)
{
    return {FileFormat::Unusable, std::string(refusal)};
}

FileKind recogniseText(std::string_view bytes)
{
    const std::string_view text = afterSpace(bytes);
    if (text.empty())
        return unusable("it holds nothing but blank lines; get or make the file again");
    for (const Signature& signature : markup) {
        if (startsWithoutCase(text, signature.start))
            return unusable(signature.refusal);
    }
    return {FileFormat::Csv, {}};
}

} // namespace

FileKind recognise(std::string_view bytes)
{
    if (bytes.empty())
        return unusable("it is empty (0 bytes); get or make the file again");
    for (const Signature& signature : encodings) {
        if (bytes.starts_with(signature.start))
            return unusable(signature.refusal);
    }
    if (bytes[0] == '\x80')
        return {FileFormat::Pickle, {}};
    if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06"))
        return {FileFormat::Npz, {}};
    for (const Signature& signature : signatures) {
        if (bytes.starts_with(signature.start))
            return unusable(signature.refusal);
    }
    if (looksLikeUtf16(bytes, 1))
        return unusable("it is UTF-16 text (little-endian, without byte order mark); save it as "
                        "UTF-8");
    if (looksLikeUtf16(bytes, 0))
        return unusable("it is UTF-16 text (big-endian, without byte order mark); save it as "
                        "UTF-8");
    if (isText(bytes))
        return recogniseText(bytes);
    return unusable(unknownBytes(bytes));
}

} // namespace fullbatch
