// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/cublaslt_checks.h"

#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/cublaslt_control.h"

#include <cstdio>
#include <exception>

namespace fullbatch::emulation {
namespace {

int failures = 0;

bool refused(cublasStatus_t status, const WrongProgram& wrong)
{
    return status == wrong.status
        && lastCublasLtRefusal().find(wrong.sentence) != std::string::npos;
}

} // namespace

void check(bool passed, const std::string& what)
{
    if (!passed) {
        std::printf("FAIL %s\n", what.c_str());
        ++failures;
    }
}

int runParts(const std::vector<std::function<void()>>& parts)
{
    for (const std::function<void()>& part : parts) {
        reset();
        try {
            part();
        } catch (const std::exception& error) {
            check(false, error.what());
        }
        check(leaks() == Leaks{}, "something is left over");
        check(brokenRules().empty(), "a rule was broken where none was to be");
    }
    std::printf("%d failed\n", failures);
    return failures == 0 ? 0 : 1;
}

std::string found(cublasStatus_t status)
{
    return std::string(" gave ") + cublasLtGetStatusName(status) + ": " + lastCublasLtRefusal();
}

void checkWrong(const WrongProgram& wrong)
{
    {
        MatmulProgram right(wrong.product);
        check(right.run() == CUBLAS_STATUS_SUCCESS,
              wrong.name + ": the right program was refused: " + lastCublasLtRefusal());
    }
    MatmulProgram program(wrong.product);
    check(program.ask() == CUBLAS_STATUS_SUCCESS, wrong.name + ": no algorithm to begin with");
    const cublasLtMatmulHeuristicResult_t before = program.found;
    wrong.spoil(program);
    if (wrong.moment != Moment::BeforeProduct) {
        const cublasStatus_t status = program.ask();
        check(refused(status, wrong), wrong.name + ": the heuristic" + found(status));
        program.found = before;
    }
    if (wrong.moment != Moment::Preference) {
        const cublasStatus_t status = program.multiply();
        check(refused(status, wrong), wrong.name + ": the product" + found(status));
    }
    cudaStreamSynchronize(program.stream);
    (void)brokenRules();
}

ProductCase with(std::uint32_t epilogue, bool transposeB, std::int32_t batch)
{
    ProductCase product;
    product.epilogue = epilogue;
    product.transposeB = transposeB;
    product.batch = batch;
    return product;
}

} // namespace fullbatch::emulation
