// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "gpu/gpu_engine.h"

#include <functional>
#include <string>
#include <vector>

namespace fullbatch {

/// The first device, emulated or real, as the engine checks want it.
[[nodiscard]] EngineChoice gpuChoice(const GpuEngineOptions& options = {});

/// Whether the first device is a real one: the emulation does less in the same time.
[[nodiscard]] bool onDevice();

/// Collects what a check found wrong.
class Findings
{
public:
    /// `right` should be true.
    void expect(bool right, const std::string& otherwise);
    /// `value` should be at most `bar`; NaN is not.
    void expectAtMost(double value, double bar, const std::string& what);
    [[nodiscard]] const std::vector<std::string>& texts() const { return m_texts; }

private:
    std::vector<std::string> m_texts;
};

struct GpuCheck
{
    std::string name;
    std::function<void(Findings&)> run;
};

/// One check for each precision of the engine, named "fp32: " and so on.
void addInEveryPrecision(std::vector<GpuCheck>& checks, const std::string& name,
                         void (*check)(Precision, Findings&));

/// Runs the checks whose name contains the program's first argument, if there is one: a line each,
/// with its time. Returns main()'s status: 0, 1 when one failed, 77 when there is no device.
int runGpuChecks(int argumentCount, char** arguments, const std::vector<GpuCheck>& checks);

} // namespace fullbatch
