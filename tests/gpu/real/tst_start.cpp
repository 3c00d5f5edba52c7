// SPDX-License-Identifier: GPL-3.0-or-later
// The real plug-in on a machine without a driver: it opens, belongs to this build, and says within
// a second what is missing and what to do. Where there is a driver there is nothing to check:
// Skipped.
#include "gpu/build_id.h"
#include "gpu/plugin.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int passed = 0;
constexpr int failed = 1;
constexpr int slow = 2;
constexpr int skipped = 77;

int fail(const std::string& why)
{
    std::printf("FAIL %s\n", why.c_str());
    return failed;
}

/// Whether a shared library of this name is loaded.
bool isLoaded(const char* name)
{
    struct Search
    {
        const char* name;
        bool found;
    } search{name, false};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto* wanted = static_cast<Search*>(data);
            wanted->found |= std::strstr(info->dlpi_name, wanted->name) != nullptr;
            return 0;
        },
        &search);
    return search.found;
}

int checkReport(const fullbatch::GpuReport& report)
{
    if (report.driverVersion != 0) {
        std::printf("There is a driver here, for CUDA %d: no start without one to check.\n",
                    report.driverVersion);
        return report.devices.empty() && report.unusable.empty()
            ? fail("there are neither devices nor a reason why not")
            : skipped;
    }
    if (!report.devices.empty())
        return fail("there are devices without a driver");
    if (report.unusable.find("no NVIDIA driver") == std::string::npos)
        return fail("the reason does not name the driver: " + report.unusable);
    if (report.remedy.find("driver") == std::string::npos)
        return fail("the remedy does not name the driver: " + report.remedy);
    if (report.runtimeVersion < 13000 || report.cublasLtVersion < 130000)
        return fail("the versions of the libraries are missing");
    return passed;
}

/// Opens the plug-in as the program does and asks for its report, once.
int start()
{
    const auto begin = std::chrono::steady_clock::now();
    void* library = dlopen(FULLBATCH_GPU_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const std::string text = dlerror();
        if (text.find("libcublasLt") == std::string::npos)
            return fail(text);
        std::printf("NVIDIA's library is not here: %s\n", text.c_str());
        return skipped;
    }
    const auto entry =
        reinterpret_cast<fullbatch::GpuPluginEntry>(dlsym(library, fullbatch::gpuPluginEntryName));
    if (entry == nullptr)
        return fail("the plug-in has no entry");
    const fullbatch::GpuPlugin* plugin = entry();
    if (plugin == nullptr || std::string_view(plugin->buildId) != fullbatch::gpuBuildId())
        return fail("the plug-in belongs to another build");
    if (isLoaded("libcudart") || isLoaded("libcublas.so"))
        return fail("more of CUDA is loaded than libcublasLt");
    const int result = checkReport(plugin->report());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("opened and asked in %.2f s\n", took.count());
    std::fflush(stdout);
    return result == passed && took.count() > 1 ? slow : result;
}

/// start() in a process of its own.
int startAnew()
{
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "test_gpu_start", "once", static_cast<char*>(nullptr));
        _exit(failed);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return fail("the start ended by a signal");
    return WEXITSTATUS(status);
}

} // namespace

int main(int argc, char**)
{
    if (argc > 1)
        return start();
    // The library is half a gigabyte: the first start may read it from a slow disk, and others may
    // use the machine. One of three must be quick.
    for (int attempt = 0; attempt < 3; ++attempt) {
        const int result = startAnew();
        if (result != slow)
            return result;
    }
    return fail("no start of three took less than a second");
}
