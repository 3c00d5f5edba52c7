// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QObject>
#include <QString>

#include <cstdint>
#include <vector>

class QComboBox;
class QLineEdit;
class QWidget;

namespace fullbatch {

class WholeField;

/// The inputs for the hidden layers: how many, and their widths, either typed ("63, 31" or "4 x
/// 63") or found from a parameter budget by equalBudgetWidth(). Depth and typed widths follow each
/// other.
class ShapeInput : public QObject
{
    Q_OBJECT

public:
    explicit ShapeInput(QObject* parent = nullptr);

    // The widgets; whoever lays them out owns them.
    [[nodiscard]] QWidget* depth() const { return m_depthBox; }
    [[nodiscard]] QWidget* rule() const;
    [[nodiscard]] QWidget* widths() const;
    [[nodiscard]] QWidget* budget() const;

    [[nodiscard]] bool byBudget() const;
    void setByBudget(bool byBudget);
    [[nodiscard]] std::int64_t budgetValue() const; ///< the book's when it is not a number
    void setBudgetValue(std::int64_t parameters);

    /// Sizes of the data, which the budget rule needs.
    void setEnds(std::int64_t features, std::int64_t classes);
    void setHiddenWidths(const std::vector<std::int64_t>& widths);
    /// The last readable ones while something is wrong.
    [[nodiscard]] std::vector<std::int64_t> hiddenWidths() const { return m_hiddenWidths; }

    // One sentence each about what cannot be read; empty when all is well.
    [[nodiscard]] QString depthProblem() const;
    [[nodiscard]] QString widthsProblem() const;
    [[nodiscard]] QString budgetProblem() const;

signals:
    void changed(); ///< also on a change that cannot be read

private:
    [[nodiscard]] QLocale locale() const;
    void followDepth();
    void followWidths();
    void followRule();

    QWidget* m_depthBox;
    WholeField* m_depth;
    QComboBox* m_rule;
    QLineEdit* m_widths;
    WholeField* m_budget;
    std::int64_t m_features = 40;
    std::int64_t m_classes = 10;
    std::vector<std::int64_t> m_hiddenWidths;
};

} // namespace fullbatch
