// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/engine_checks.h"

#include "core/engine/loss_scaling.h"
#include "core/engine/rounding.h"

#include <iterator>
#include <limits>

namespace fullbatch {

std::vector<EngineCheck> engineChecks(const EngineChoice& choice, Precision precision)
{
    std::vector<EngineCheck> checks;
    if (precision == Precision::Fp64)
        checks = finiteDifferenceChecks();
    std::vector<std::vector<EngineCheck> (*)()> parts = {
        gradientChecks, measurementChecks, descentChecks,    optionChecks,
        repeatChecks,   stopChecks,        divergenceChecks, refusalChecks};
    if (roundsInputs(precision))
        parts.push_back(roundingChecks);
    if (scalesLoss(precision))
        parts.push_back(lossScaleChecks);
    for (const auto part : parts) {
        std::vector<EngineCheck> more = part();
        std::move(more.begin(), more.end(), std::back_inserter(checks));
    }
    if (choice.id != "reference")
        checks.push_back(allocationCheck());
    return checks;
}

double passBar(Precision precision)
{
    switch (precision) {
    case Precision::Fp64:
        return 1e-7;
    case Precision::Fp32:
        return 1e-6;
    case Precision::Tf32:
    case Precision::Fp16:
        return 2e-3;
    case Precision::Bf16:
        return 2e-2;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

double stepsBar(Precision precision)
{
    return 5 * passBar(precision);
}

} // namespace fullbatch
