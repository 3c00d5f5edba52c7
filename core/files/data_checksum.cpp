// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/data_checksum.h"

#include "core/files/file_bytes.h"

#include <array>
#include <bit>
#include <memory>
#include <new>
#include <openssl/evp.h>
#include <span>

namespace fullbatch {

static_assert(std::endian::native == std::endian::little, "numbers are hashed as they lie");

namespace {

class Sha256
{
public:
    Sha256() : m_context(EVP_MD_CTX_new())
    {
        if (!m_context || EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) != 1)
            throw std::bad_alloc();
    }

    void add(std::span<const std::byte> bytes)
    {
        if (EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) != 1)
            throw std::bad_alloc();
    }

    void addNumber(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }

    std::string text()
    {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned size = 0;
        if (EVP_DigestFinal_ex(m_context.get(), digest.data(), &size) != 1)
            throw std::bad_alloc();
        constexpr std::string_view digits = "0123456789abcdef";
        std::string result;
        for (const unsigned char byte : std::span(digest).first(size))
            result += {digits[byte / 16U], digits[byte % 16U]};
        return result;
    }

private:
    struct Free
    {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> m_context;
};

} // namespace

std::string dataChecksum(const Dataset& dataset)
{
    Sha256 sum;
    for (const Split* split : {&dataset.train, &dataset.test}) {
        sum.addNumber(static_cast<std::uint64_t>(split->inputs.cols()));
        sum.addNumber(static_cast<std::uint64_t>(split->inputs.rows()));
        // A column of the matrix is a row of the data.
        sum.add(std::as_bytes(
            std::span(split->inputs.data(), static_cast<std::size_t>(split->inputs.size()))));
        sum.add(std::as_bytes(std::span(split->labels)));
    }
    return sum.text();
}

std::string fileChecksum(const std::filesystem::path& file)
{
    const std::string bytes = readBytes(file);
    Sha256 sum;
    sum.add(std::as_bytes(std::span(bytes)));
    return sum.text();
}

} // namespace fullbatch
