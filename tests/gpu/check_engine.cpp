// SPDX-License-Identifier: GPL-3.0-or-later
// What every engine must hold, for each precision of the GPU engine.
#include "core/engine/precision_names.h"
#include "gpu/arithmetic.h"
#include "tests/core/engine/engine_checks.h"
#include "tests/gpu/check_list.h"

#include <cstdio>

using namespace fullbatch;

int main(int argumentCount, char** arguments)
{
    const EngineChoice choice = gpuChoice();
    std::vector<GpuCheck> checks;
    for (const Precision precision : gpuPrecisions) {
        for (const EngineCheck& check : engineChecks(choice, precision)) {
            // It counts what the process takes from the heap, and the CUDA runtime, emulated or
            // not, takes something for every launch.
            if (check.name == allocationCheck().name)
                continue;
            // A GPU engine has no use for a number of threads; once is enough.
            if (precision != Precision::Fp32 && check.name.ends_with("threads"))
                continue;
            checks.push_back({std::string(precisionName(precision)) + ": " + check.name,
                              [choice, precision, check](Findings& findings) {
                                  const CheckResult result = check.run(choice, precision);
                                  if (result.passed)
                                      return;
                                  char numbers[80];
                                  std::snprintf(numbers, sizeof numbers, "%.3g of at most %.3g (",
                                                result.measured, result.bar);
                                  findings.expect(false, numbers + result.text + ")");
                              }});
        }
    }
    return runGpuChecks(argumentCount, arguments, checks);
}
