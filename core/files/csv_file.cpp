// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/csv_file.h"

#include "core/files/csv_columns.h"
#include "core/files/csv_number.h"
#include "core/files/labels.h"
#include "core/files/named_arrays.h"

#include <cmath>

namespace fullbatch {

namespace {

std::string quoted(std::string_view field)
{
    constexpr std::size_t longest = 40;
    std::string text = "\"";
    text += field.substr(0, longest);
    return text += field.size() > longest ? "...\"" : "\"";
}

/// One split while its rows arrive.
struct Rows
{
    std::vector<float> inputs; // row after row
    std::vector<double> labels;
    std::vector<std::size_t> lines;

    [[nodiscard]] RawLabels rawLabels() const
    {
        return {labels, [this](std::size_t row) {
                    return "line " + std::to_string(lines[row]) + " (row " + std::to_string(row)
                        + ", counted from 0)";
                }};
    }

    [[nodiscard]] Split split(std::size_t features) const
    {
        Split result;
        result.labels = integerLabels(rawLabels());
        result.inputs =
            Eigen::Map<const Eigen::MatrixXf>(inputs.data(), static_cast<Eigen::Index>(features),
                                              static_cast<Eigen::Index>(labels.size()));
        return result;
    }
};

class CsvReader
{
public:
    explicit CsvReader(const std::vector<CsvLine>& lines)
        : m_columns(csvColumns(lines)),
          m_numbers(m_columns.separator != ',')
    {
    }

    void readLine(const CsvLine& line)
    {
        m_line = line.number;
        splitFields(line.text, m_columns.separator, m_fields);
        checkCount(line);
        Rows& rows = rowsOf(m_fields);
        m_row = rows.labels.size();
        rows.lines.push_back(line.number);
        for (std::size_t column = 0; column < m_columns.inputs.size(); ++column)
            rows.inputs.push_back(inputIn(m_columns.inputs[column], column));
        rows.labels.push_back(labelIn(m_columns.label));
    }

    [[nodiscard]] Dataset dataset() const
    {
        // "-0" among whole numbers is the first half of a "-0,25". A header would have told.
        if (m_minusZero && !m_columns.header && m_columns.separator == ','
            && m_numbers.decimalMark() == 0)
            throw DataError("its numbers seem to have decimal commas while commas also separate "
                            "the fields; use semicolon or tab between fields, or decimal points");
        Dataset dataset;
        dataset.classes = countClasses(m_train.rawLabels(), m_test.rawLabels());
        dataset.train = m_train.split(m_columns.inputs.size());
        if (!m_test.labels.empty())
            dataset.test = m_test.split(m_columns.inputs.size());
        return dataset;
    }

    [[nodiscard]] bool hasHeader() const { return m_columns.header; }

private:
    [[noreturn]] void refuse(std::size_t field, const std::string& what) const
    {
        throw DataError("line " + std::to_string(m_line) + ", field " + std::to_string(field + 1)
                        + what);
    }

    void checkCount(const CsvLine& line) const
    {
        if (line.text.empty())
            throw DataError("line " + std::to_string(line.number)
                            + " is empty; blank lines may only stand at the end");
        if (m_fields.size() == m_columns.count)
            return;
        const std::string separator = m_columns.separator == ','
            ? "commas"
            : (m_columns.separator == ';' ? "semicolons" : "tabs");
        throw DataError("line " + std::to_string(line.number) + " has "
                        + std::to_string(m_fields.size()) + " fields separated by " + separator
                        + "; expected are " + std::to_string(m_columns.count)
                        + " as in the first line");
    }

    Rows& rowsOf(const std::vector<std::string_view>& fields)
    {
        if (!m_columns.split)
            return m_train;
        const std::string_view split = fields[*m_columns.split];
        if (split == "train")
            return m_train;
        if (split == "test")
            return m_test;
        refuse(*m_columns.split, " says " + quoted(split) + "; a split must be train or test");
    }

    double numberIn(std::size_t field, const std::string& what, const std::string& wanted)
    {
        const std::string_view text = m_fields[field];
        double value = 0;
        if (text.empty())
            refuse(field, " is empty" + what + "; " + wanted);
        switch (m_numbers.read(text, value)) {
        case NumberProblem::None:
            return value;
        case NumberProblem::TooLarge:
            refuse(field,
                   ": " + quoted(text) + " is too large for a number" + what + "; " + wanted);
        case NumberProblem::MixedDecimals:
            refuse(field,
                   ": " + quoted(text) + " has another decimal mark than the numbers before" + what
                       + "; one file must keep to comma or point");
        case NumberProblem::NotANumber:
            break;
        }
        refuse(field, ": " + quoted(text) + " is not a number" + what + "; " + wanted);
    }

    float inputIn(std::size_t field, std::size_t column)
    {
        static const std::string wanted = "every input must be a finite number";
        const auto where = [&] {
            return " (row " + std::to_string(m_row) + ", column " + std::to_string(column)
                + " of the inputs, counted from 0)";
        };
        const std::string_view text = m_fields[field];
        m_minusZero = m_minusZero || text == "-0";
        double value = 0;
        // The usual case first: a place is put into words only for a message.
        if (text.empty() || m_numbers.read(text, value) != NumberProblem::None)
            value = numberIn(field, where(), wanted);
        const auto input = static_cast<float>(value);
        if (!std::isfinite(input))
            refuse(field, problemOfInput(value) + where() + "; " + wanted);
        return input;
    }

    double labelIn(std::size_t field)
    {
        return numberIn(field, " (the label of row " + std::to_string(m_row) + ", counted from 0)",
                        "a label must be a whole number from 0 up");
    }

    CsvColumns m_columns;
    CsvNumbers m_numbers;
    std::vector<std::string_view> m_fields;
    std::size_t m_line = 0;
    std::size_t m_row = 0;
    bool m_minusZero = false;
    Rows m_train;
    Rows m_test;
};

} // namespace

Dataset readCsv(std::string_view text)
{
    const std::vector<CsvLine> lines = csvLines(text);
    if (lines.empty())
        throw DataError("it holds nothing but blank lines; get or make the file again");
    CsvReader reader(lines);
    for (std::size_t line = reader.hasHeader() ? 1 : 0; line < lines.size(); ++line)
        reader.readLine(lines[line]);
    return reader.dataset();
}

} // namespace fullbatch
