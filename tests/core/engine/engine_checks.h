// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"

namespace fullbatch {

/// What an engine check found.
struct CheckResult
{
    bool passed = false;
    double measured = 0; ///< the worst value found
    double bar = 0; ///< the largest value that passes
    std::string text; ///< where the worst value was found
};

/// What every engine must hold, whatever its device: checked through the border alone, on data made
/// inside from fixed seeds. Needs no Qt; a test program or a plain main wraps it.
struct EngineCheck
{
    std::string name;
    std::function<CheckResult(const EngineChoice&, Precision)> run;
};

/// All that apply to this engine, in the order in which they narrow a fault down.
[[nodiscard]] std::vector<EngineCheck> engineChecks(const EngineChoice& choice,
                                                    Precision precision);

// The parts of engineChecks(), by subject.
[[nodiscard]] std::vector<EngineCheck> gradientChecks();
[[nodiscard]] std::vector<EngineCheck> measurementChecks();
[[nodiscard]] std::vector<EngineCheck> descentChecks();
[[nodiscard]] std::vector<EngineCheck> optionChecks();
[[nodiscard]] std::vector<EngineCheck> repeatChecks();
[[nodiscard]] std::vector<EngineCheck> stopChecks();
[[nodiscard]] std::vector<EngineCheck> divergenceChecks();
[[nodiscard]] std::vector<EngineCheck> refusalChecks();
/// Only for float64: a float32 loss has too few digits for differences.
[[nodiscard]] std::vector<EngineCheck> finiteDifferenceChecks();
/// Only for precisions that round what products read.
[[nodiscard]] std::vector<EngineCheck> roundingChecks();
/// Only for fp16, which alone has a loss scale.
[[nodiscard]] std::vector<EngineCheck> lossScaleChecks();
/// Not for the reference engine, which is written to be read and allocates as it likes.
[[nodiscard]] EngineCheck allocationCheck();

/// The normalised difference from the float64 reference that one pass in this precision may have.
/// Measured with room for another order of sums: float32 keeps 24 bits, tf32 and fp16 11, bf16 8.
/// The reference itself returns gradients rounded to float32.
[[nodiscard]] double passBar(Precision precision);
/// The same after some tens of small steps, whose rounding adds up.
[[nodiscard]] double stepsBar(Precision precision);

} // namespace fullbatch
