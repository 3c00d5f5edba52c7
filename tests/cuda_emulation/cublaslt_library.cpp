// SPDX-License-Identifier: GPL-3.0-or-later
// The library as a whole: handles, versions, the words for its statuses, refusals.
#include "tests/cuda_emulation/cublaslt_library.h"

#include "tests/cuda_emulation/cublaslt_control.h"
#include "tests/cuda_emulation/cublaslt_descriptors.h"
#include "tests/cuda_emulation/machine.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

struct cublasLtContext
{
    bool alive = true;
    int device = 0;
};

namespace fullbatch::emulation {
namespace {

std::string& refusal()
{
    thread_local std::string sentence;
    return sentence;
}

/// Handles stay for ever, so that the use of a destroyed one is found out.
cublasLtContext* newHandle(int device)
{
    static std::mutex mutex;
    static std::vector<std::unique_ptr<cublasLtContext>> all;
    const std::lock_guard lock(mutex);
    all.push_back(std::make_unique<cublasLtContext>());
    all.back()->device = device;
    return all.back().get();
}

struct StatusText
{
    cublasStatus_t status;
    const char* name;
    const char* sentence;
};

constexpr StatusText statusTexts[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the device"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
     "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the requested functionality is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the license check failed"},
};

const StatusText* textOf(cublasStatus_t status)
{
    for (const StatusText& text : statusTexts) {
        if (text.status == status)
            return &text;
    }
    return nullptr;
}

} // namespace

std::string lastCublasLtRefusal()
{
    return refusal();
}

namespace cublaslt {

cublasStatus_t refuse(cublasStatus_t status, const std::string& sentence)
{
    refusal() = sentence;
    const char* mask = std::getenv("CUBLASLT_LOG_MASK");
    if (mask != nullptr && (std::strtol(mask, nullptr, 10) & 1) != 0)
        std::fprintf(stderr, "cublasLt emulation: %s (%s)\n", sentence.c_str(),
                     cublasLtGetStatusName(status));
    return status;
}

cublasStatus_t misuse(cublasStatus_t status, const std::string& sentence)
{
    noteBrokenRule("cublasLt: " + sentence);
    return refuse(status, sentence);
}

std::optional<UsedDevice> usedDevice()
{
    const std::lock_guard lock(machine().mutex);
    const bool driver = machine().driverVersion >= CUDART_VERSION / 1000 * 1000;
    if (!driver || machine().devices.empty() || currentDevice().lasting != cudaSuccess)
        return std::nullopt;
    return UsedDevice{threadState().device, currentDevice().facts};
}

cublasStatus_t checkHandle(cublasLtHandle_t handle)
{
    if (handle == nullptr || !handle->alive)
        return misuse(CUBLAS_STATUS_NOT_INITIALIZED,
                      "The handle was destroyed before or never made.");
    const std::optional<UsedDevice> used = usedDevice();
    if (!used)
        return refuse(CUBLAS_STATUS_EXECUTION_FAILED, "The device has failed.");
    if (used->ordinal != handle->device)
        return misuse(CUBLAS_STATUS_INVALID_VALUE,
                      "The handle belongs to device " + std::to_string(handle->device)
                          + ", but device " + std::to_string(used->ordinal) + " is current.");
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace cublaslt
} // namespace fullbatch::emulation

namespace emulation = fullbatch::emulation;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle)
{
    if (const auto fault = emulation::faultOf(__func__))
        return static_cast<cublasStatus_t>(*fault);
    if (handle == nullptr)
        return emulation::cublaslt::refuse(CUBLAS_STATUS_INVALID_VALUE,
                                           "There is nowhere to put the handle.");
    const auto used = emulation::cublaslt::usedDevice();
    if (!used)
        return emulation::cublaslt::refuse(
            CUBLAS_STATUS_NOT_INITIALIZED,
            "There is no driver or no device, or the device has failed.");
    *handle = emulation::newHandle(used->ordinal);
    emulation::countLibraryObject(true, 1);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    if (const auto fault = emulation::faultOf(__func__))
        return static_cast<cublasStatus_t>(*fault);
    if (handle == nullptr || !handle->alive)
        return emulation::cublaslt::refuse(CUBLAS_STATUS_INVALID_VALUE,
                                           "The handle was destroyed before or never made.");
    handle->alive = false;
    emulation::countLibraryObject(true, -1);
    return CUBLAS_STATUS_SUCCESS;
}

std::size_t cublasLtGetVersion()
{
    return CUBLAS_VERSION;
}

std::size_t cublasLtGetCudartVersion()
{
    return CUDART_VERSION;
}

const char* cublasLtGetStatusName(cublasStatus_t status)
{
    const emulation::StatusText* text = emulation::textOf(status);
    return text != nullptr ? text->name : "unrecognized status";
}

const char* cublasLtGetStatusString(cublasStatus_t status)
{
    const emulation::StatusText* text = emulation::textOf(status);
    return text != nullptr ? text->sentence : "unrecognized status";
}
