// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What tests do to the emulated machine. All functions may be called from any thread.
///
/// What it cannot show: speed; a device's own rounding; races within one piece of work other than
/// by the order of threads and blocks, and between pieces other than by their order, because one
/// piece runs at a time and one thread of it until it waits. While one host thread waits, the
/// memory of that device is open to all threads, so a forbidden access by another one may pass
/// unseen. Blocks cannot wait for each other. Launch attributes, dynamic shared memory, child
/// graphs, and everything that is not in the runtime_*.cpp files are refused or do not link.
namespace fullbatch::emulation {

/// As a fresh process on a fresh machine: one device, no faults, nothing alive, orders forward.
/// Whatever was alive is gone, its handles and addresses are dead. Broken rules are kept.
void reset();

/// What is alive now; all zero when nothing leaked.
struct Leaks
{
    std::size_t deviceAllocations = 0;
    std::size_t hostAllocations = 0;
    std::size_t streams = 0;
    std::size_t events = 0;
    std::size_t graphs = 0;
    std::size_t graphExecs = 0;
    std::size_t libraryHandles = 0;
    std::size_t libraryDescriptors = 0;
    bool operator==(const Leaks&) const = default;
};
Leaks leaks();

/// Misuse that a real device may forgive, hide or punish without a word: what was wrong, where, and
/// what to do. Each sentence goes to standard error too. Calling this takes them: a process that
/// ends with sentences nobody took ends with status 70, whatever else it found.
std::vector<std::string> brokenRules();

/// The count-th next call (1: the next) of that API function returns `status` and does nothing,
/// except that cudaStreamEndCapture ends its capture. A status that outlives a call on a real
/// device (700, 719 and the like) stays.
void failCall(std::string_view function, int count, int status);
/// The count-th next piece of device work ends in a lasting error: 700, 719.
void failDeviceWork(int count, cudaError_t error);

/// For implementations, at the start of each API function: counts the call, and gives the status
/// that it must return, if a test asked for one.
std::optional<int> faultOf(std::string_view function);
std::size_t callCount(std::string_view function); ///< since reset()

/// cublasLt's births (1) and deaths (-1), for leaks().
void countLibraryObject(bool handle, int change);

/// The order in which the threads of a block, and the blocks of a grid, take their turns. Each
/// hides mistakes that another one shows: run a test in Forward and in Random at least.
enum class ThreadOrder { Forward, Reverse, Random };
void setThreadOrder(ThreadOrder order, std::uint64_t seed = 1);

/// What other streams do while the host waits for one of them.
enum class StreamOrder {
    Lazy, ///< only what the host waits for, and what that waits for, runs
    Eager, ///< everything else runs first, as far as events allow
    Random
};
void setStreamOrder(StreamOrder order, std::uint64_t seed = 1);

struct EmulatedDevice
{
    std::string name = "Emulated";
    int major = 9;
    int minor = 0;
    std::size_t memory = std::size_t(1) << 30; ///< bytes
    int multiprocessors = 132;
};
/// For a machine on which nothing is alive. Every thread is on the first device again. Empty: every
/// call that needs a device gives cudaErrorNoDevice (100).
void setDevices(std::vector<EmulatedDevice> devices);

/// 0: no driver. Every call that needs a driver gives 35 then, and below CUDART_VERSION's major.
void setDriverVersion(int version);

std::size_t deviceMemoryInUse(); ///< bytes, of all devices, as allocated

} // namespace fullbatch::emulation
