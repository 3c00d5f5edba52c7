// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/api_call.h"

namespace fullbatch::emulation {
namespace {

cudaError_t missing(Needs needs)
{
    const Machine& it = machine();
    if (needs >= Needs::Driver && it.driverVersion < CUDART_VERSION / 1000 * 1000)
        return cudaErrorInsufficientDriver;
    if (needs >= Needs::Device && it.devices.empty())
        return cudaErrorNoDevice;
    if (needs >= Needs::WorkingDevice)
        return currentDevice().lasting;
    return cudaSuccess;
}

} // namespace

cudaError_t beginCall(const ApiCall& call)
{
    if (const auto fault = faultOf(call.name)) {
        const auto error = static_cast<cudaError_t>(*fault);
        if (isLasting(error) && !machine().devices.empty())
            currentDevice().lasting = error;
        return error;
    }
    if (const cudaError_t error = missing(call.frees ? Needs::Device : call.needs);
        error != cudaSuccess)
        return error;
    if (call.unsafeInCapture)
        if (const cudaError_t error = refuseBesideCaptures(-1); error != cudaSuccess)
            return error;
    return call.frees ? currentDevice().lasting : cudaSuccess;
}

cudaError_t endCall(cudaError_t error)
{
    if (error != cudaSuccess)
        threadState().lastError = error;
    return error;
}

std::shared_ptr<Stream> usableStream(const char* function, cudaStream_t stream)
{
    auto found = machine().streams.find(stream);
    if (found != nullptr)
        return found;
    const bool special =
        stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
    noteBrokenRule(std::string(function)
                   + (special ? " used the null stream; give it a stream of your own."
                              : " used a stream that is not alive."));
    return nullptr;
}

} // namespace fullbatch::emulation
