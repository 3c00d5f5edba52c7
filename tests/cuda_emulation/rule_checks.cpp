// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/rule_checks.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <sys/wait.h>
#include <unistd.h>

namespace fullbatch::emulation {
namespace {

int failures = 0;
std::string current;

void runOne(const RuleCheck& check)
{
    reset();
    current = check.name;
    try {
        check.run();
    } catch (const std::exception& exception) {
        expect(false, std::string("threw: ") + exception.what());
    }
    for (const std::string& sentence : brokenRules())
        expect(false, "broke a rule: " + sentence);
    expect(leaks() == Leaks{}, "left something alive");
}

std::string readAll(int file)
{
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = read(file, part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(got));
    return text;
}

} // namespace

int runRuleChecks(const std::vector<RuleCheck>& checks)
{
    for (const RuleCheck& check : checks)
        runOne(check);
    reset();
    std::printf("%zu checks, %d failures\n", checks.size(), failures);
    return failures == 0 ? 0 : 1;
}

void expect(bool right, const std::string& otherwise)
{
    if (right)
        return;
    ++failures;
    std::printf("FAILED %s: %s\n", current.c_str(), otherwise.c_str());
}

void expectError(cudaError_t found, cudaError_t wanted, const std::string& call)
{
    expect(found == wanted,
           call + " gave " + cudaGetErrorName(found) + ", not " + cudaGetErrorName(wanted));
}

void expectBrokenRule(const std::string& part)
{
    const auto sentences = brokenRules();
    expect(sentences.size() == 1,
           std::to_string(sentences.size()) + " broken rules instead of one about: " + part);
    for (const std::string& sentence : sentences)
        expect(sentence.find(part) != std::string::npos, "another rule than " + part);
}

void expectDeath(const std::string& part, const std::function<void()>& action)
{
    std::fflush(nullptr);
    std::array<int, 2> ends{};
    expect(pipe(ends.data()) == 0, "no pipe");
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        action();
        _exit(0);
    }
    close(ends[1]);
    const std::string said = readAll(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    expect(!WIFEXITED(status) || WEXITSTATUS(status) != 0, "lived on where it must die: " + part);
    expect(said.find(part) != std::string::npos, "died without saying " + part + ": " + said);
}

SmallProgram::SmallProgram()
{
    expectSuccess(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream creation");
}

SmallProgram::~SmallProgram()
{
    (void)cudaStreamSynchronize(stream);
    while (!m_memory.empty())
        free(m_memory.back());
    (void)cudaStreamDestroy(stream);
}

float* SmallProgram::floats(std::size_t count)
{
    float* memory = nullptr;
    expectSuccess(cudaMalloc(&memory, count * sizeof(float)), "cudaMalloc");
    m_memory.push_back(memory);
    return memory;
}

void SmallProgram::free(float* memory)
{
    (void)cudaFree(memory);
    std::erase(m_memory, memory);
}

void SmallProgram::fill(float* memory, const std::vector<float>& values)
{
    expectSuccess(cudaMemcpyAsync(memory, values.data(), values.size() * sizeof(float),
                                  cudaMemcpyHostToDevice, stream),
                  "copy to the device");
}

std::vector<float> SmallProgram::read(const float* memory, std::size_t count)
{
    std::vector<float> values(count);
    expectSuccess(cudaMemcpyAsync(values.data(), memory, count * sizeof(float),
                                  cudaMemcpyDeviceToHost, stream),
                  "copy to the host");
    expectSuccess(wait(), "wait");
    return values;
}

} // namespace fullbatch::emulation
