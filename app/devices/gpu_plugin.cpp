// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/devices/gpu_plugin.h"

#include "gpu/build_id.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include <dlfcn.h>

namespace fullbatch {

namespace {

constexpr const char* fileName = "libfullbatch_gpu.so";

// Remedies for a file that is not this build's plug-in: one that the user named, one found.
constexpr const char* removeTheVariable =
    "Leave FULLBATCH_GPU_PLUGIN out, or let it name the plug-in that was built together with this "
    "program.";
constexpr const char* buildTogether =
    "Build Fullbatch and its plug-in together, or install both from the same package.";

OpenedGpuPlugin refused(std::string unusable, std::string remedy)
{
    return {nullptr, std::move(unusable), std::move(remedy)};
}

std::filesystem::path programFolder()
{
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

/// Where a plug-in may lie: the build tree has it beside the program.
std::vector<std::filesystem::path> places()
{
    const std::filesystem::path beside = programFolder();
    return {beside / fileName, beside / FULLBATCH_PLUGIN_FOLDER / fileName};
}

OpenedGpuPlugin notThere(const std::filesystem::path& named)
{
    if (!named.empty())
        return refused(fmt::format("The GPU plug-in {} that {} names is not there.", named.string(),
                                   gpuPluginVariable),
                       "Correct the name, or leave the variable out.");
    return refused(fmt::format("The GPU plug-in {} is not beside the program, in {}.", fileName,
                               programFolder().string()),
                   "Put it there if the program was moved; otherwise install the CUDA 13 toolkit "
                   "and build Fullbatch again.");
}

/// What the dynamic linker said about a plug-in that it could not load, in a person's words:
/// "libcublasLt.so.13: cannot open shared object file: No such file or directory".
OpenedGpuPlugin notLoaded(const std::filesystem::path& file, std::string_view linkerText,
                          const std::string& remedy)
{
    const std::string_view library = linkerText.substr(0, linkerText.find(':'));
    const bool missing = linkerText.find("cannot open shared object file") != std::string_view::npos
        && library.find('/') == std::string_view::npos;
    if (missing && library.starts_with("libcublasLt"))
        return refused(fmt::format("NVIDIA's library {}, which the GPU engine computes with, is "
                                   "not installed.",
                                   library),
                       "Install cuBLAS of CUDA 13: the package libcublas-13-0 of NVIDIA's "
                       "repository, or pip's nvidia-cublas with its folder in LD_LIBRARY_PATH.");
    if (missing)
        return refused(
            fmt::format("The library {}, which the GPU plug-in needs, is not installed.", library),
            "Install the library, or build Fullbatch on this machine.");
    const std::string named = file.string() + ": ";
    if (linkerText.starts_with(named))
        linkerText.remove_prefix(named.size());
    return refused(
        fmt::format("The GPU plug-in {} cannot be loaded: {}.", file.string(), linkerText), remedy);
}

OpenedGpuPlugin open(const std::filesystem::path& file, const std::string& remedy)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) // a pipe would be waited for
        return refused(fmt::format("The GPU plug-in {} is not a file.", file.string()), remedy);
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const text = dlerror();
        return notLoaded(file, text == nullptr ? "no reason given" : text, remedy);
    }
    void* const symbol = dlsym(library, gpuPluginEntryName);
    if (symbol == nullptr)
        return refused(fmt::format("The file {} is no GPU plug-in of Fullbatch.", file.string()),
                       remedy);
    const GpuPlugin* const plugin = reinterpret_cast<GpuPluginEntry>(symbol)();
    if (plugin == nullptr || plugin->buildId == nullptr
        || std::string_view(plugin->buildId) != gpuBuildId())
        return refused(
            fmt::format("The GPU plug-in {} belongs to another build of Fullbatch.", file.string()),
            remedy);
    return {plugin, {}, {}};
}

} // namespace

OpenedGpuPlugin openGpuPlugin()
{
    const char* const variable = std::getenv(gpuPluginVariable);
    const std::filesystem::path named = variable == nullptr ? "" : variable;
    std::error_code error;
    if (!named.empty())
        return std::filesystem::exists(named, error)
            ? open(std::filesystem::absolute(named, error), removeTheVariable)
            : notThere(named);
    for (const std::filesystem::path& place : places()) {
        if (std::filesystem::exists(place, error))
            return open(place, buildTogether);
    }
    return notThere({});
}

void numberGpusByBus()
{
    constexpr int unlessThere = 0;
    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", unlessThere);
}

} // namespace fullbatch
