#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# All that can be checked and measured on a machine with an NVIDIA GPU, in under 5 minutes: builds the
# engines without Qt, runs the engine's tests on the device, counts and names the kernels of an epoch,
# times epochs, compares with PyTorch where python3 has it, repeats runs for equal bits, runs
# compute-sanitizer where it is, and ends with one table. Needs CUDA 13, CMake, a compiler and
# Eigen's headers. Exit status: 0, 1 when something failed, 77 with a sentence when something is
# missing.
#
#   tests/gpu/check_on_device.sh [--configure-only | --build-only] [BUILD_FOLDER]
#
# The first two stop before a device is needed, and need none. Details are left in BUILD_FOLDER
# (build/device) as device_suite.txt, measurements.txt, pytorch.txt and sanitizer.txt.
set -uo pipefail
house=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$house/tests/gpu
budget=290 # seconds, all together
last=device
case ${1-} in
--configure-only) last=configure && shift ;;
--build-only) last=build && shift ;;
-*) sed -n '/^#   tests/p' "$0" | cut -c5- && exit 2 ;;
esac
build=${1:-$house/build/device}

missing() {
    echo "$1"
    exit 77
}
left() { # no more than WANTED seconds, and what is left of the budget
    local rest=$((budget - SECONDS))
    ((rest > 5)) || rest=5
    echo $((rest < $1 ? rest : $1))
}

if [[ $last == device ]] && ! nvidia-smi -L >/dev/null 2>&1 \
    && [[ ! -e /dev/nvidia0 && ! -e /dev/dxg ]]; then
    missing "This machine has no NVIDIA GPU that its driver shows, so nothing was checked on a device."
fi
command -v cmake >/dev/null || missing "CMake is missing: install cmake 3.25 or newer."
command -v c++ >/dev/null || missing "A C++ compiler is missing: install g++ 12 or newer."
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[[ -x $nvcc ]] || missing "The CUDA toolkit is missing: install CUDA 13 and put nvcc into PATH."

mkdir -p "$build"
architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d ' .')
options=(-DFULLBATCH_ENGINES_ONLY=ON -DCMAKE_DISABLE_FIND_PACKAGE_Qt6=ON
    -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DFULLBATCH_NVCC=$nvcc"
    "-DCMAKE_CUDA_ARCHITECTURES=${architecture:-90}")
command -v ninja >/dev/null && options+=(-G Ninja)
if ! cmake -S "$house" -B "$build" "${options[@]}" >"$build/configure.txt" 2>&1; then
    grep -q 'Eigen3' "$build/configure.txt" \
        && missing "Eigen's headers are missing: install libeigen3-dev 3.4 or newer."
    tail -20 "$build/configure.txt"
    exit 1
fi
[[ $last == configure ]] && echo "configured without Qt in $build" && exit 0

mapfile -t targets < <(cmake --build "$build" --target help \
    | grep -oE '\<(test_device_[a-z0-9_]+|measure_device)\>' | sort -u)
if ((${#targets[@]} == 0)); then
    echo "The build in $build has no checks for a device; see $build/configure.txt."
    exit 1
fi
if ! timeout "$(left 600)" cmake --build "$build" --parallel "$(nproc)" \
    --target fullbatch_gpu "${targets[@]}" >"$build/build.txt" 2>&1; then
    tail -30 "$build/build.txt"
    echo "The build failed, or did not end in time; see $build/build.txt."
    exit 1
fi
[[ $last == build ]] && echo "built without Qt in $build: fullbatch_gpu ${targets[*]}" && exit 0
built=$SECONDS

failed=0
note() { printf '%-20s %s\n' "$1" "$2"; }

# The engine's own tests. PyTorch's curves lie beside a checkout and not in it: where they are not,
# their test cannot run, which is no fault of the device.
left_out=()
left_out_text=
if [[ ! -d $house/../shared/oracle ]]; then
    left_out=(-E '^device/curves$')
    left_out_text=", without PyTorch's curves (../shared/oracle is not here)"
fi
suite_start=$SECONDS
timeout "$(left 150)" ctest --test-dir "$build" -L '^device$' "${left_out[@]}" --output-on-failure \
    --no-tests=error --parallel 4 >"$build/device_suite.txt" 2>&1
suite=$?
suite_seconds=$((SECONDS - suite_start))
suite_text=$(grep -E 'tests passed' "$build/device_suite.txt" || echo "did not run")
((suite == 0)) || failed=1
# With a device in the machine a skipped test is one that should have run.
if skipped=$(grep -c '\*\*\*Skipped' "$build/device_suite.txt"); then
    suite_text="$skipped tests did not run, see $build/device_suite.txt"
    failed=1
fi

# Kernels, times, bits.
timeout "$(left 100)" "$build/tests/measure_device" >"$build/measurements.txt" 2>&1
measured=$?
if ((measured == 77)); then
    missing "$(tail -1 "$build/measurements.txt")"
fi
((measured == 0)) || failed=1

# compute-sanitizer slows kernels down a lot: a few epochs.
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
sanitizer_text="compute-sanitizer is not here"
if [[ -x $sanitizer ]]; then
    timeout "$(left 60)" "$sanitizer" --tool memcheck --error-exitcode 9 \
        "$build/tests/measure_device" short >"$build/sanitizer.txt" 2>&1
    case $? in
    0) sanitizer_text="no complaint" ;;
    124) sanitizer_text="did not end in time" ;;
    *) sanitizer_text="complains, see $build/sanitizer.txt" && failed=1 ;;
    esac
fi

# PyTorch last: it may take what is left.
timeout "$(left 120)" python3 "$house/tests/peers/pytorch_epoch_on_gpu.py" >"$build/pytorch.txt" 2>&1
case $? in
0) torch_text="measured" ;;
77) torch_text=$(tail -1 "$build/pytorch.txt") ;;
124) torch_text="did not end in time" ;;
*) torch_text="failed, see $build/pytorch.txt" ;;
esac

echo
"$here/real/device_table.sh" "$build/measurements.txt" "$build/pytorch.txt" || failed=1
echo
note "tests on the device" "$suite_text$left_out_text, $suite_seconds s"
note "compute-sanitizer" "$sanitizer_text"
note "PyTorch" "$torch_text"
note "time" "$built s to build, $SECONDS s in all; details in $build"
exit $failed
