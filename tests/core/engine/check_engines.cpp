// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the engine checks where there is no Qt: one line a check, exit status 1 if one fails.
#include "core/engine/cpu_engine.h"
#include "core/engine/reference_engine.h"
#include "tests/core/engine/engine_checks.h"

#include <cstdio>
#include <exception>

namespace {

/// Whether the check passed.
bool report(const fullbatch::EngineChoice& choice, fullbatch::Precision precision,
            const fullbatch::EngineCheck& check)
{
    fullbatch::CheckResult result;
    try {
        result = check.run(choice, precision);
    } catch (const std::exception& error) {
        result.text = error.what();
    }
    std::printf("%s  %-10s %s: %.3g of at most %.3g (%s)\n", result.passed ? "pass" : "FAIL",
                choice.id.c_str(), check.name.c_str(), result.measured, result.bar,
                result.text.c_str());
    return result.passed;
}

} // namespace

int main()
{
    int failures = 0;
    for (const fullbatch::EngineChoice& choice :
         {fullbatch::referenceEngineChoice(), fullbatch::cpuEngineChoice()}) {
        for (const fullbatch::Precision precision : choice.precisions) {
            for (const fullbatch::EngineCheck& check : fullbatch::engineChecks(choice, precision))
                failures += report(choice, precision, check) ? 0 : 1;
        }
    }
    std::printf("%d failed\n", failures);
    return failures == 0 ? 0 : 1;
}
