// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stands in for the toolkit's header of this name, so that g++ compiles .cu files: the toolkit's C
// interface, and what only nvcc knows. Kernels run as described in kernel_grid.h. Supported: static
// __shared__ arrays in non-template functions, barriers, shuffles, integer atomics, and launches by
// cudaLaunchKernelEx. Everything else of CUDA C++ does not compile.

#include <channel_descriptor.h>
#include <cuda_runtime_api.h>
#include <vector_functions.h>

#include "tests/cuda_emulation/device_builtins.h"
#include "tests/cuda_emulation/kernel_launch.h"

/// The typed forms that the toolkit's header has for C++.
template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes)
{
    return ::cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}

template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes)
{
    return ::cudaMallocHost(reinterpret_cast<void**>(pointer), bytes);
}

template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel)
{
    return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
