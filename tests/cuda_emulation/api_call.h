// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/machine.h"

namespace fullbatch::emulation {

/// What an API function needs before it can do anything.
enum class Needs {
    Nothing,
    Driver,
    Device,
    WorkingDevice ///< fails with the device's lasting error
};

/// What every API function does before its own work.
struct ApiCall
{
    const char* name;
    Needs needs = Needs::WorkingDevice;
    bool unsafeInCapture = false; ///< refused in a thread that captures, unless relaxed
    bool frees = false; ///< works on a failed device too, and returns its error afterwards
};

/// Counts the call and checks what it needs; returns what it must fail with.
cudaError_t beginCall(const ApiCall& call);
/// Keeps an error for cudaGetLastError.
cudaError_t endCall(cudaError_t error);

/// An API function: `body` runs under the machine's lock when nothing speaks against it.
template <class Body>
cudaError_t apiCall(const ApiCall& call, Body&& body)
{
    const std::lock_guard lock(machine().mutex);
    const cudaError_t refused = beginCall(call);
    if (refused == cudaSuccess)
        return endCall(body());
    if (call.frees && isLasting(refused))
        body();
    return endCall(refused);
}

/// The live stream of a handle. Null for a dead one, and for the null stream, which is also noted
/// as a broken rule: it waits for other streams unasked, and no capture bears it.
std::shared_ptr<Stream> usableStream(const char* function, cudaStream_t stream);

} // namespace fullbatch::emulation
