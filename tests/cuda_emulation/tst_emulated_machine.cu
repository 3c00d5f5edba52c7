// SPDX-License-Identifier: GPL-3.0-or-later
// Devices, drivers, faults on demand, lasting errors, threads.

#include "tests/cuda_emulation/device_work.h"
#include "tests/cuda_emulation/rule_checks.h"

#include <dlfcn.h>

#include <cstring>
#include <thread>

namespace fullbatch::emulation {
namespace {

__global__ void addOne(float* to)
{
    *to += 1;
}

void devicesAreDescribed()
{
    setDevices({{}, {"Second", 12, 0, std::size_t(8) << 30, 24}});
    int count = 0;
    expectSuccess(cudaGetDeviceCount(&count), "count");
    expect(count == 2, "wrong number of devices");
    cudaDeviceProp first{};
    cudaDeviceProp second{};
    expectSuccess(cudaGetDeviceProperties(&first, 0), "properties");
    expectSuccess(cudaGetDeviceProperties(&second, 1), "properties");
    expect(std::string(first.name) == "Emulated" && std::string(second.name) == "Second", "names");
    expect(second.major == 12 && second.minor == 0 && second.multiProcessorCount == 24
               && second.totalGlobalMem == std::size_t(8) << 30,
           "wrong facts");
    expect(std::memcmp(&first.uuid, &second.uuid, sizeof first.uuid) != 0, "equal uuids");
    int value = 0;
    expectSuccess(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 1),
                  "attribute");
    expect(value == 12, "wrong attribute");
    expectError(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 1), cudaErrorInvalidValue,
                "unknown");
    std::string address(13, ' ');
    expectSuccess(cudaDeviceGetPCIBusId(address.data(), 13, 1), "address");
    expect(address.c_str() == std::string("0000:02:00.0"), "wrong address");
    expectError(cudaSetDevice(2), cudaErrorInvalidDevice, "no such device");
    expectSuccess(cudaSetDevice(1), "the second device");
    expectSuccess(cudaGetDevice(&value), "cudaGetDevice");
    expect(value == 1, "wrong device");
    int version = 0;
    expectSuccess(cudaDriverGetVersion(&version), "version");
    expect(version >= 13000, "wrong driver version");
}

void noDriver()
{
    for (const int version : {0, 12080}) {
        setDriverVersion(version);
        int count = 77;
        int found = -1;
        void* memory = nullptr;
        expectSuccess(cudaDriverGetVersion(&found), "version");
        expect(found == version, "wrong version");
        expectSuccess(cudaRuntimeGetVersion(&found), "version");
        expectError(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver, "count");
        expect(count == 77, "the count was touched");
        expectError(cudaMalloc(&memory, 1), cudaErrorInsufficientDriver, "cudaMalloc");
    }
    setDriverVersion(13000);
    setDevices({});
    int count = 77;
    expectError(cudaGetDeviceCount(&count), cudaErrorNoDevice, "count");
    expectError(cudaSetDevice(0), cudaErrorNoDevice, "cudaSetDevice");
}

void callsFail()
{
    SmallProgram program;
    void* memory = nullptr;
    expect(callCount("cudaMalloc") == 0, "counted before the first call");
    failCall("cudaMalloc", 2, cudaErrorMemoryAllocation);
    expectSuccess(cudaMalloc(&memory, 4), "the first");
    expectSuccess(cudaFree(memory), "cudaFree");
    memory = nullptr;
    expectError(cudaMalloc(&memory, 4), cudaErrorMemoryAllocation, "the second");
    expect(memory == nullptr, "a failing call did something");
    expectError(cudaGetLastError(), cudaErrorMemoryAllocation, "cudaGetLastError");
    expectSuccess(cudaMalloc(&memory, 4), "the third");
    expectSuccess(cudaFree(memory), "cudaFree");
    expect(callCount("cudaMalloc") == 3, "wrong count");
}

void errorsLast()
{
    SmallProgram program;
    float* const memory = program.floats(1);
    cudaEvent_t event = nullptr;
    expectSuccess(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
    failDeviceWork(2, cudaErrorLaunchFailure);
    program.fill(memory, {1});
    expectSuccess(program.wait(), "the first piece");
    expectSuccess(program.launch(1, 1, addOne, memory), "launch");
    expectError(program.wait(), cudaErrorLaunchFailure, "wait");
    for (int i = 0; i < 2; ++i)
        expectError(cudaGetLastError(), cudaErrorLaunchFailure, "cudaGetLastError");
    void* more = nullptr;
    expectError(cudaMalloc(&more, 4), cudaErrorLaunchFailure, "cudaMalloc");
    expectError(program.launch(1, 1, addOne, memory), cudaErrorLaunchFailure, "launch");
    expectError(cudaStreamQuery(program.stream), cudaErrorLaunchFailure, "query");
    expectError(cudaSetDevice(0), cudaErrorLaunchFailure, "cudaSetDevice");
    expectError(cudaEventDestroy(event), cudaErrorLaunchFailure, "destroy");
    int count = 0;
    expectSuccess(cudaGetDeviceCount(&count), "what needs no context");
    expect(leaks().events == 0, "a failing destructor left its event alive");
}

void faultsThatLast()
{
    setDevices({{}, {}});
    expectSuccess(cudaSetDevice(1), "cudaSetDevice");
    failCall("cudaStreamSynchronize", 1, cudaErrorIllegalAddress);
    {
        SmallProgram program;
        expectError(program.wait(), cudaErrorIllegalAddress, "wait");
        expectError(program.wait(), cudaErrorIllegalAddress, "wait again");
    }
    expectSuccess(cudaSetDevice(0), "the other device");
    SmallProgram program;
    float* const memory = program.floats(1);
    program.fill(memory, {1});
    expect(program.read(memory, 1)[0] == 1, "the other device failed too");
}

void devicesAreApart()
{
    setDevices({{}, {}});
    SmallProgram program;
    float* const memory = program.floats(1);
    expectSuccess(cudaSetDevice(1), "cudaSetDevice");
    {
        SmallProgram other;
        expectSuccess(other.launch(1, 1, addOne, memory), "launch");
        expectError(other.wait(), cudaErrorIllegalAddress, "another device's memory");
        expectBrokenRule(
            "was to run on device 1 with an address inside an allocation of 4 bytes of "
            "device 0");
    }
    expectSuccess(cudaSetDevice(0), "cudaSetDevice");
    expectSuccess(program.wait(), "the first device");
}

void streamsHaveDevices()
{
    setDevices({{}, {}});
    SmallProgram program;
    float* const memory = program.floats(1);
    expectSuccess(cudaSetDevice(1), "cudaSetDevice");
    expectError(program.launch(1, 1, addOne, memory), cudaErrorInvalidResourceHandle,
                "a kernel on another device's stream");
    cudaEvent_t event = nullptr;
    expectSuccess(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
    expectError(cudaEventRecord(event, program.stream), cudaErrorInvalidResourceHandle,
                "another device's event on a stream");
    expectSuccess(cudaEventDestroy(event), "destroy");
    expectSuccess(program.wait(), "another device's stream can be waited for");
    expectSuccess(cudaSetDevice(0), "cudaSetDevice");
    expectSuccess(program.launch(1, 1, addOne, memory), "launch");
}

void ownWork()
{
    SmallProgram program;
    float* const memory = program.floats(4);
    bool ran = false;
    const auto work = [&](std::size_t bytes, cudaError_t error) {
        return DeviceWork{
            "own work", {{memory, bytes}}, [&ran, error] { return ran = true, error; }};
    };
    expect(isDeviceMemory(memory, 16) && !isDeviceMemory(memory, 17) && !isDeviceMemory(&ran, 1),
           "isDeviceMemory()");
    expectSuccess(enqueue(program.stream, work(16, cudaSuccess)), "enqueue");
    expect(!ran, "work ran early");
    expectSuccess(program.wait(), "wait");
    expect(ran, "work did not run");
    expectSuccess(enqueue(program.stream, work(16, cudaErrorLaunchFailure)), "enqueue");
    expectError(program.wait(), cudaErrorLaunchFailure, "failing work");
    expectError(enqueue(program.stream, work(16, cudaSuccess)), cudaErrorLaunchFailure, "enqueue");
}

void ownWorkThatIsWrong()
{
    SmallProgram program;
    float* const memory = program.floats(4);
    expectSuccess(enqueue(program.stream, {"too long", {{memory, 17}}, [] { return cudaSuccess; }}),
                  "enqueue");
    expectError(program.wait(), cudaErrorIllegalAddress, "a range that is too long");
    expectBrokenRule("too long was to run on device 0 with 17 bytes");
}

void twoThreads()
{
    const auto train = [](float& result) {
        SmallProgram program;
        float* const memory = program.floats(1);
        program.fill(memory, {0});
        for (int i = 0; i < 200; ++i) {
            expectSuccess(program.launch(2, 32, addOne, memory), "launch");
            expectSuccess(program.wait(), "wait");
        }
        result = program.read(memory, 1)[0];
    };
    float first = 0;
    float second = 0;
    std::thread thread([&] { train(first); });
    train(second);
    thread.join();
    expect(first == 12800 && second == 12800, "two threads disturb each other");
    expectError(cudaMalloc(static_cast<void**>(nullptr), 4), cudaErrorInvalidValue, "cudaMalloc");
    std::thread([] { expectSuccess(cudaGetLastError(), "another thread's error"); }).join();
    expectError(cudaGetLastError(), cudaErrorInvalidValue, "this thread's error");
}

/// The texts are those of the real runtime library, where there is one.
void textsAreReal()
{
    expect(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress",
           "name");
    expect(std::string(cudaGetErrorString(static_cast<cudaError_t>(12345)))
               == "unrecognized error code",
           "an unknown code");
    void* const library = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return;
    using Text = const char* (*)(cudaError_t);
    const auto name = reinterpret_cast<Text>(dlsym(library, "cudaGetErrorName"));
    const auto text = reinterpret_cast<Text>(dlsym(library, "cudaGetErrorString"));
    int known = 0;
    for (int code = 0; code < 1000; ++code) {
        const auto error = static_cast<cudaError_t>(code);
        if (std::string(cudaGetErrorName(error)) == "unrecognized error code")
            continue;
        ++known;
        expect(std::string(cudaGetErrorName(error)) == name(error),
               "name of " + std::to_string(code));
        expect(std::string(cudaGetErrorString(error)) == text(error),
               "text of " + std::to_string(code));
    }
    expect(known > 50, "too few codes");
    dlclose(library);
}

void functionsHaveAttributes()
{
    cudaFuncAttributes attributes{};
    expectSuccess(cudaFuncGetAttributes(&attributes, addOne), "attributes");
    expect(attributes.maxThreadsPerBlock == 1024 && attributes.binaryVersion == 90, "attributes");
    setDevices({{.major = 7, .minor = 0}});
    expectError(cudaFuncGetAttributes(&attributes, addOne), cudaErrorNoKernelImageForDevice, "old");
}

/// A process in which nobody takes the broken rules must not end well.
void untakenRules()
{
    expectDeath("no test took them", [] {
        noteBrokenRule("for the test");
        std::exit(0);
    });
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    using namespace fullbatch::emulation;
    return runRuleChecks({
        {"devices are described", devicesAreDescribed},
        {"no driver, an old driver, no device", noDriver},
        {"calls fail on demand", callsFail},
        {"errors of device work last", errorsLast},
        {"faults that last", faultsThatLast},
        {"devices are apart", devicesAreApart},
        {"streams have devices", streamsHaveDevices},
        {"work of a library", ownWork},
        {"work of a library with wrong ranges", ownWorkThatIsWrong},
        {"two threads", twoThreads},
        {"texts are those of the real library", textsAreReal},
        {"functions have attributes", functionsHaveAttributes},
        {"broken rules that nobody takes", untakenRules},
    });
}
