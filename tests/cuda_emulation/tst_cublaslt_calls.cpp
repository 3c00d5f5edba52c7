// SPDX-License-Identifier: GPL-3.0-or-later
// What only the call of a product can see: pointers, memory, workspace, algorithms, captures. Each
// rule has a wrong program here that the emulation must catch.
#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/cublaslt_checks.h"
#include "tests/cuda_emulation/cublaslt_control.h"

#include <cstring>

namespace fullbatch::emulation {
namespace {

/// What only the call of the product can see.
std::vector<WrongProgram> wrongCalls()
{
    using Program = MatmulProgram;
    const Moment late = Moment::BeforeProduct;
    ProductCase deep;
    deep.depth = 1024;
    const ProductCase plain;
    ProductCase outOfPlace;
    outOfPlace.inPlace = false;
    outOfPlace.beta = 1;
    return {
        {"A less aligned than promised", plain, late, [](Program& p) { p.a += 16; }, unsupported,
         "aligned to 16 bytes, but the preference promised 256"},
        {"D less aligned than promised", plain, late, [](Program& p) { p.d += 4, p.c += 4; },
         unsupported, "Matrix C is aligned to 4"},
        {"no A", plain, late, [](Program& p) { p.a = nullptr; }, invalid, "is null"},
        {"no C", plain, late, [](Program& p) { p.c = nullptr; }, invalid, "is null"},
        {"no alpha", plain, late, [](Program& p) { p.alpha = nullptr; }, invalid, "in host memory"},
        {"beta in device memory", plain, late, [](Program& p) { p.beta = p.workspace; }, invalid,
         "in host memory"},
        {"in place with two layouts", plain, late,
         [](Program& p) { set(p.layoutC, CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t{24}); }, invalid,
         "their layouts differ"},
        {"A in host memory", plain, late,
         [](Program& p) {
             alignas(256) static std::uint8_t host[2048];
             p.a = host;
         },
         invalid, "A is not inside"},
        {"A freed", plain, late,
         [](Program& p) {
             void* freed = nullptr;
             demand(cudaMalloc(&freed, p.bytesA), "cudaMalloc");
             demand(cudaFree(freed), "cudaFree");
             p.a = static_cast<std::uint8_t*>(freed);
         },
         invalid, "A is not inside"},
        {"B longer than its allocation", plain, late,
         [](Program& p) { p.b = p.allocate(p.bytesB - 4); }, invalid, "B is not inside"},
        {"D on top of B", plain, late, [](Program& p) { p.d = p.c = p.b; }, invalid,
         "D and of B overlaps"},
        {"D on top of C, moved by one column", outOfPlace, late,
         [](Program& p) { p.c = p.workspace, p.d = p.workspace + 1024; }, invalid,
         "D and of C overlaps"},
        {"A in the workspace", plain, late, [](Program& p) { p.a = p.workspace + 4096; }, invalid,
         "the workspace and of A overlaps"},
        {"workspace aligned to 128 bytes", plain, late,
         [](Program& p) { p.workspace += 128, p.workspaceBytes -= 128; }, invalid,
         "aligned to 256"},
        {"workspace without memory", plain, late, [](Program& p) { p.workspace = nullptr; },
         invalid, "has a size, but no memory"},
        {"workspace longer than its allocation", plain, late,
         [](Program& p) { p.workspaceBytes += 256; }, invalid, "the workspace is not inside"},
        {"workspace too small", deep, late, [](Program& p) { p.workspaceBytes = 256; }, invalid,
         "but the algorithm needs"},
        {"algorithm never given", plain, late, [](Program& p) { p.found = {}; }, invalid,
         "never given by a heuristic"},
        {"algorithm changed", plain, late, [](Program& p) { p.found.algo.data[3] = 0xffff; },
         invalid, "changed since"},
        {"algorithm of another epilogue", plain, late,
         operation(CUBLASLT_MATMUL_DESC_EPILOGUE, std::uint32_t{CUBLASLT_EPILOGUE_RELU}), invalid,
         "another problem"},
        {"handle destroyed", plain, late, [](Program& p) { cublasLtDestroy(p.handle); },
         CUBLAS_STATUS_NOT_INITIALIZED, "destroyed before"},
        {"descriptor destroyed", plain, late,
         [](Program& p) { cublasLtMatmulDescDestroy(p.description); }, invalid, "descriptor was"},
        {"layout destroyed", plain, late,
         [](Program& p) { cublasLtMatrixLayoutDestroy(p.layoutB); }, invalid,
         "layout was destroyed"},
    };
}

void checkAll(const std::vector<WrongProgram>& all)
{
    for (const WrongProgram& wrong : all)
        checkWrong(wrong);
}

/// A heuristic may not be asked in a capture, neither openly nor by a product without algorithm.
void checkCapture()
{
    MatmulProgram program({});
    demand(program.ask(), "heuristic");
    demand(cudaStreamBeginCapture(program.stream, cudaStreamCaptureModeThreadLocal), "capture");
    check(program.ask() == CUBLAS_STATUS_INTERNAL_ERROR, "a heuristic in a capture");
    demand(program.multiply(), "a product in a capture");
    check(cublasLtMatmul(program.handle, program.description, program.alpha, program.a,
                         program.layoutA, program.b, program.layoutB, program.beta, program.c,
                         program.layoutC, program.d, program.layoutD, nullptr, program.workspace,
                         program.workspaceBytes, program.stream)
              == CUBLAS_STATUS_INTERNAL_ERROR,
          "a product without an algorithm in a capture");
    cudaGraph_t graph = nullptr;
    demand(cudaStreamEndCapture(program.stream, &graph), "end of capture");
    std::size_t nodes = 0;
    demand(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    check(nodes == 1, "one product is one node");
    demand(cudaGraphDestroy(graph), "destroy");
    (void)brokenRules();
}

/// Whatever stands in the workspace is gone after a product.
void checkWorkspaceIsSpoilt()
{
    MatmulProgram program({});
    program.write(program.workspace, std::vector<std::uint8_t>(program.workspaceBytes, 0));
    demand(program.run(), "product");
    const std::vector<std::uint8_t> after = program.read(program.workspace, program.workspaceBytes);
    check(after.front() != 0 && after[4096] != 0 && after.back() != 0,
          "something kept in the workspace survived");
}

/// The product runs when its stream is waited for, not when it is queued: another stream that does
/// not wait for it finds the old D.
void checkLate()
{
    MatmulProgram program({});
    const std::vector<std::uint8_t> old(program.bytesD, 0x11);
    program.write(program.d, old);
    demand(program.ask(), "heuristic");
    demand(program.multiply(), "product");
    cudaStream_t const own = program.stream;
    demand(cudaStreamCreateWithFlags(&program.stream, cudaStreamNonBlocking), "stream");
    check(program.read(program.d, program.bytesD) == old, "D was written too early");
    demand(cudaStreamDestroy(program.stream), "stream");
    program.stream = own;
    check(program.read(program.d, program.bytesD) != old, "D was not written");
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    namespace emulation = fullbatch::emulation;
    return emulation::runParts({
        [] { emulation::checkAll(emulation::wrongCalls()); },
        emulation::checkCapture,
        emulation::checkWorkspaceIsSpoilt,
        emulation::checkLate,
    });
}
