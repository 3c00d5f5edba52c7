// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_memory.h"

#include "gpu/cuda_error.h"

namespace fullbatch {

// Freeing fails on a device that is lost; there is nothing to be done about it, and the flag that
// it leaves must not fail a later call.

DeviceMemory::DeviceMemory(std::size_t bytes)
{
    if (bytes > 0)
        check(cudaMalloc(&m_data, bytes), "cudaMalloc");
}

DeviceMemory::~DeviceMemory()
{
    if (m_data != nullptr && cudaFree(m_data) != cudaSuccess)
        (void)cudaGetLastError();
}

PinnedMemory::PinnedMemory(std::size_t bytes)
{
    if (bytes > 0)
        check(cudaMallocHost(&m_data, bytes), "cudaMallocHost");
}

PinnedMemory::~PinnedMemory()
{
    if (m_data != nullptr && cudaFreeHost(m_data) != cudaSuccess)
        (void)cudaGetLastError();
}

} // namespace fullbatch
