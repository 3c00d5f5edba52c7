// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu_engine.h"
#include "core/engine/precision_names.h"
#include "core/engine/reference_engine.h"
#include "tests/core/engine/engine_checks.h"

#include <QtTest>

using namespace fullbatch;

namespace {

struct Row
{
    EngineChoice choice;
    Precision precision;
    EngineCheck check;
};

std::vector<Row> allRows()
{
    std::vector<Row> rows;
    for (const EngineChoice& choice : {referenceEngineChoice(), cpuEngineChoice()}) {
        for (const Precision precision : choice.precisions) {
            for (const EngineCheck& check : engineChecks(choice, precision))
                rows.push_back({choice, precision, check});
        }
    }
    return rows;
}

} // namespace

/// Every engine check as a data row of each engine.
class TestEngines : public QObject
{
    Q_OBJECT

    std::vector<Row> m_rows = allRows();

private slots:
    void check_data()
    {
        QTest::addColumn<std::size_t>("row");
        for (std::size_t row = 0; row < m_rows.size(); ++row) {
            QTest::addRow("%s %s: %s", m_rows[row].choice.id.c_str(),
                          precisionName(m_rows[row].precision).data(),
                          m_rows[row].check.name.c_str())
                << row;
        }
    }

    void check()
    {
        QFETCH(std::size_t, row);
        const CheckResult result = m_rows[row].check.run(m_rows[row].choice, m_rows[row].precision);
        const QString text = QStringLiteral("%1 of at most %2 (%3)")
                                 .arg(result.measured)
                                 .arg(result.bar)
                                 .arg(QString::fromStdString(result.text));
        QVERIFY2(result.passed, qPrintable(text));
    }
};

QTEST_APPLESS_MAIN(TestEngines)
#include "tst_engines.moc"
