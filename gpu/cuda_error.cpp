// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda_error.h"

namespace fullbatch {

void check(cudaError_t error, const char* call)
{
    if (error == cudaSuccess)
        return;
    (void)cudaGetLastError(); // a failed allocation must not fail the next call
    throw GpuFailure("The GPU failed: " + failureText(error, call) + ".", remedy(error));
}

void check(cublasStatus_t status, const char* call)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    (void)cudaGetLastError();
    throw GpuFailure("The GPU failed: " + failureText(status, call) + ".", remedy(status));
}

std::string failureText(cudaError_t error, const char* call)
{
    return std::string(call) + " returned " + cudaGetErrorName(error) + " ("
        + std::to_string(static_cast<int>(error)) + ", " + cudaGetErrorString(error) + ")";
}

std::string failureText(cublasStatus_t status, const char* call)
{
    return std::string(call) + " returned " + cublasLtGetStatusName(status) + " ("
        + std::to_string(static_cast<int>(status)) + ", " + cublasLtGetStatusString(status) + ")";
}

std::string remedy(cudaError_t error)
{
    switch (error) {
    case cudaErrorMemoryAllocation:
        return "Close other programs that use this GPU, choose a smaller network, or train on the "
               "CPU.";
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
        return "Install a newer NVIDIA driver (580 or newer for CUDA 13), or train on the CPU.";
    case cudaErrorNoDevice:
        return "Put in an NVIDIA GPU or make it visible (CUDA_VISIBLE_DEVICES), or train on the "
               "CPU.";
    case cudaErrorDevicesUnavailable:
        return "Another program has this GPU for itself: end it or set the compute mode to default "
               "(nvidia-smi -c 0), or train on the CPU.";
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorNoKernelImageForDevice:
        return "This build has no code for this GPU: build Fullbatch with its compute capability "
               "in CMAKE_CUDA_ARCHITECTURES, or train on the CPU.";
    case cudaErrorUnsupportedPtxVersion:
        return "The driver is older than this build's code: install a newer NVIDIA driver, or "
               "train on the CPU.";
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorInitializationError:
    case cudaErrorUnknown:
        return "Restart the computer (a driver that was updated needs it), or train on the CPU.";
    default:
        return "Restart Fullbatch to use this GPU again, or train on the CPU.";
    }
}

std::string remedy(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_ALLOC_FAILED:
        return remedy(cudaErrorMemoryAllocation);
    case CUBLAS_STATUS_NOT_INITIALIZED:
        return "Check the NVIDIA driver with nvidia-smi and close other programs that use this "
               "GPU, or train on the CPU.";
    case CUBLAS_STATUS_NOT_SUPPORTED:
    case CUBLAS_STATUS_INVALID_VALUE:
    case CUBLAS_STATUS_ARCH_MISMATCH:
        return "This GPU's library does not have the product: choose another precision, or train "
               "on the CPU.";
    default:
        return remedy(cudaErrorLaunchFailure);
    }
}

} // namespace fullbatch
