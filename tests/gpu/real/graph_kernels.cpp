// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/real/graph_kernels.h"

#include <cuda.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include <cxxabi.h>

namespace fullbatch {
namespace {

void demand(bool right, const char* call)
{
    if (!right)
        throw std::runtime_error(std::string(call) + " failed while kernels were named");
}

template <typename Function>
Function driverFunction(const char* name)
{
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    demand(
        cudaGetDriverEntryPointByVersion(name, &found, CUDART_VERSION, cudaEnableDefault, &result)
                == cudaSuccess
            && result == cudaDriverEntryPointSuccess && found != nullptr,
        name);
    return reinterpret_cast<Function>(found);
}

/// "void lossKernel(Work)" for a C++ name, anything else as it is.
std::string readable(const char* symbol)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? text.get() : symbol;
}

std::string kernelName(cudaGraphNode_t node)
{
    using GetParameters = CUresult (*)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS*);
    using NameOfFunction = CUresult (*)(const char**, CUfunction);
    using NameOfKernel = CUresult (*)(const char**, CUkernel);
    static const auto getParameters = driverFunction<GetParameters>("cuGraphKernelNodeGetParams");
    static const auto nameOfFunction = driverFunction<NameOfFunction>("cuFuncGetName");
    static const auto nameOfKernel = driverFunction<NameOfKernel>("cuKernelGetName");

    CUDA_KERNEL_NODE_PARAMS parameters{};
    demand(getParameters(node, &parameters) == CUDA_SUCCESS, "cuGraphKernelNodeGetParams");
    const char* name = nullptr;
    const CUresult result = parameters.func != nullptr ? nameOfFunction(&name, parameters.func)
                                                       : nameOfKernel(&name, parameters.kern);
    demand(result == CUDA_SUCCESS && name != nullptr, "cuFuncGetName");
    return readable(name);
}

std::string nodeName(cudaGraphNode_t node)
{
    cudaGraphNodeType type{};
    demand(cudaGraphNodeGetType(node, &type) == cudaSuccess, "cudaGraphNodeGetType");
    switch (type) {
    case cudaGraphNodeTypeKernel:
        try {
            return kernelName(node);
        } catch (const std::runtime_error& error) { // it counts without a name too
            return "(kernel: " + std::string(error.what()) + ")";
        }
    case cudaGraphNodeTypeMemcpy:
        return "(copy)";
    case cudaGraphNodeTypeMemset:
        return "(fill)";
    case cudaGraphNodeTypeEmpty:
        return "(nothing)";
    default:
        return "(node of type " + std::to_string(static_cast<int>(type)) + ")";
    }
}

} // namespace

std::vector<std::string> nodeNames(cudaGraph_t graph)
{
    std::size_t count = 0;
    demand(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess, "cudaGraphGetNodes");
    std::vector<cudaGraphNode_t> nodes(count);
    demand(cudaGraphGetNodes(graph, nodes.data(), &count) == cudaSuccess, "cudaGraphGetNodes");
    std::vector<std::string> names;
    names.reserve(count);
    for (cudaGraphNode_t node : nodes)
        names.push_back(nodeName(node));
    return names;
}

} // namespace fullbatch
