#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check_spills.sh must find a kernel that spills, one with too much shared memory, a missing
# architecture and a missing file, and pass a clean one.   usage: check_spills_self_test.sh NVCC
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

compile() { # NAME REGISTERS
    local status=0
    "$here/keep_ptxas_log.sh" "$nvcc" -c -arch=sm_90 -maxrregcount="$2" -Xptxas=-v \
        -o "$folder/$1.o" "$folder/$1" 2>"$folder/$1.said" || status=$?
    if grep -q "ptxas info" "$folder/$1.said"; then
        echo "FAIL: ptxas's remarks on $1 reached the screen"
        failures=$((failures + 1))
    fi
    return $status
}
expect() { # STATUS TEXT ARCHITECTURES SOURCE
    local said status=0
    said=$("$here/check_spills.sh" "$folder" "$3" "$4" 2>&1) || status=$?
    if [[ $status != "$1" || $said != *"$2"* ]]; then
        echo "FAIL: $4 for $3 ended with $status: $said"
        failures=$((failures + 1))
    fi
}

cat >"$folder/clean.cu" <<'CUDA'
__global__ void clean(float* values) { values[threadIdx.x] *= 2; }
CUDA
# Sixty-four sums alive at once in twenty-four registers.
cat >"$folder/spilling.cu" <<'CUDA'
__global__ void spilling(float* values, int count)
{
    float sums[64] = {};
    for (int i = 0; i < count; ++i)
#pragma unroll
        for (int k = 0; k < 64; ++k)
            sums[k] = sums[k] * values[i] + values[i + k];
#pragma unroll
    for (int k = 0; k < 64; ++k)
        values[k] = sums[k];
}
CUDA
compile clean.cu 24
compile spilling.cu 24
sed 's/\(Used [0-9]* registers\)/\1, 49153 bytes smem/' "$folder/clean.cu.o.ptxas" >"$folder/shared.cu.o.ptxas"
sed '/spill stores/d' "$folder/clean.cu.o.ptxas" >"$folder/silent.cu.o.ptxas"

expect 0 "1 kernels: no spills" "90" clean.cu
expect 1 "spills" "90" spilling.cu
expect 1 "49153 bytes of shared memory" "90" shared.cu
expect 1 "say what they spill" "90" silent.cu
expect 1 "not compiled for sm_80" "90 80" clean.cu
expect 1 "build the plug-in first" "90" missing.cu

# A compiler's failure and its words come through the launcher.
echo "nonsense" >"$folder/broken.cu"
if compile broken.cu 24; then
    echo "FAIL: a broken source compiled"
    failures=$((failures + 1))
fi
grep -q "error" "$folder/broken.cu.said" || { echo "FAIL: the compiler's error was lost"; failures=1; }

((failures == 0)) && echo "check_spills.sh finds what it must"
exit $((failures > 0))
