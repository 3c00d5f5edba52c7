// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npy_header.h"

#include "core/data/dataset.h"
#include "core/files/byte_cursor.h"

#include <charconv>
#include <optional>

namespace fullbatch {

namespace {

/// The little of Python's syntax that a header is written in:
/// {'descr': '<f8', 'fortran_order': False, 'shape': (4000, 40), }
class HeaderText
{
public:
    HeaderText(std::string_view text, const std::string& arrayName)
        : m_text(text),
          m_name(arrayName)
    {
    }

    NpyHeader parse()
    {
        NpyHeader header;
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr" && accept('[')) {
                header.type = "structured"; // a table of named columns, to be refused by this name
                return header;
            }
            if (key == "descr")
                header.type = quoted();
            else if (key == "fortran_order")
                header.columnOrder = truth();
            else if (key == "shape")
                header.shape = sizes();
            else
                fail();
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (header.type.empty())
            fail();
        return header;
    }

private:
    [[noreturn]] void fail() const
    {
        throw DataError("the header of the array " + m_name
                        + " is not one that NumPy writes; the file is damaged");
    }

    void skipSpace()
    {
        const std::size_t first = m_text.find_first_not_of(" \t\r\n");
        m_text.remove_prefix(first == std::string_view::npos ? m_text.size() : first);
    }

    bool accept(char wanted)
    {
        skipSpace();
        if (m_text.empty() || m_text[0] != wanted)
            return false;
        m_text.remove_prefix(1);
        return true;
    }

    void expect(char wanted)
    {
        if (!accept(wanted))
            fail();
    }

    std::string quoted()
    {
        const char quote = accept('\'') ? '\'' : '"';
        if (quote == '"')
            expect('"');
        const std::size_t length = m_text.find(quote);
        if (length == std::string_view::npos)
            fail();
        std::string result(m_text.substr(0, length));
        m_text.remove_prefix(length + 1);
        return result;
    }

    bool truth()
    {
        skipSpace();
        for (const std::string_view word : {"True", "False"}) {
            if (m_text.starts_with(word)) {
                m_text.remove_prefix(word.size());
                return word == "True";
            }
        }
        fail();
    }

    std::vector<std::int64_t> sizes()
    {
        constexpr std::size_t mostDimensions = 64; // NumPy's own limit
        std::vector<std::int64_t> shape;
        expect('(');
        while (!accept(')')) {
            skipSpace();
            std::int64_t size = 0;
            const auto [end, error] =
                std::from_chars(m_text.data(), m_text.data() + m_text.size(), size);
            if (error != std::errc() || shape.size() == mostDimensions)
                fail();
            m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
            shape.push_back(size);
            accept('L'); // Python 2's long integers
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return shape;
    }

    std::string_view m_text;
    const std::string& m_name;
};

} // namespace

NpyHeader parseNpyHeader(std::string_view bytes, const std::string& arrayName)
{
    if (!bytes.starts_with("\x93NUMPY"))
        throw DataError("the array " + arrayName + " is no npy file; the file is damaged");
    ByteCursor cursor(bytes);
    (void)cursor.take(6);
    const std::uint64_t version = cursor.takeNumber(1);
    (void)cursor.take(1);
    if (version < 1 || version > 3)
        throw DataError("the array " + arrayName + " is an npy file of version "
                        + std::to_string(version) + "; versions 1 to 3 can be read");
    const std::string_view text = cursor.take(cursor.takeNumber(version == 1 ? 2 : 4));
    NpyHeader header = HeaderText(text, arrayName).parse();
    header.size = cursor.position();
    return header;
}

} // namespace fullbatch
