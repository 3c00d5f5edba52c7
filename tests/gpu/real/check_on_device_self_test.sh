#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What can be known of check_on_device.sh without a device: that it says so and ends with 77, that the
# engines configure without Qt, and that its table tells good measurements from bad ones.
# usage: check_on_device_self_test.sh
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
fail() {
    echo "FAIL: $1"
    failures=$((failures + 1))
}

if ! nvidia-smi -L >/dev/null 2>&1 && [[ ! -e /dev/nvidia0 && ! -e /dev/dxg ]]; then
    said=$("$here/../check_on_device.sh" "$folder/build" 2>&1)
    status=$?
    [[ $status == 77 && $said == *"no NVIDIA GPU"* && $said != *$'\n'* ]] \
        || fail "without a device it ended with $status: $said"
fi
said=$("$here/../check_on_device.sh" --configure-only "$folder/build" 2>&1) \
    || fail "it does not configure without Qt: $said"
if grep -qE '^Qt6(Core)?_DIR:[A-Z]*=/' "$folder/build/CMakeCache.txt" 2>/dev/null; then
    fail "Qt was looked for"
fi

# The table.
measurements=$folder/measurements.txt
write() { # the bits of one run
    printf 'device\tTest card\t9.0\t13000\t13000\t130100\n' >"$measurements"
    for network in '1 x 298' '2 x 100' '3 x 75' '4 x 63'; do
        for precision in fp32 tf32 bf16 fp16; do
            printf 'epoch\t%s\t%s\t49.50\t48.00\t13\t%s\tCUDA graph\n' "$network" "$precision" "$1"
        done
    done >>"$measurements"
    printf 'kernel\t4 x 63\tfp32\t5\tgemm<float>\nkernel\t4 x 63\tbf16\t6\tother\n' >>"$measurements"
}
printf 'torch\t4 x 63\teager\t396.1\ntorch\t4 x 63\tgraph\t40.0\n' >"$folder/pytorch.txt"
expect() { # STATUS TEXT
    local said status
    said=$("$here/device_table.sh" "$measurements" "$folder/pytorch.txt" 2>&1)
    status=$?
    [[ $status == "$1" && $said == *"$2"* ]] || fail "the table ended with $status: $said"
}
write same
expect 0 "equal in all that were measured"
expect 0 "at most 50 us (H200): reached"
expect 0 "8 times PyTorch eager: reached (8.0 times)"
expect 0 "faster than PyTorch in a graph: MISSED"
expect 0 "   5  gemm<float>"
expect 0 "4 x 63         13    49.50    49.50    49.50    49.50      396.1          -       40.0"
sed -i 's/\t49.50\(.*\)CUDA graph/\t50.50\1Kernels are launched one by one./' "$measurements"
expect 0 "at most 50 us (H200): MISSED"
expect 0 "2 x 100 bf16: Kernels are launched one by one."
write different
expect 1 "DIFFERENT in 1 x 298 fp32;"
write same
sed -i '/4 x 63\tfp16/d' "$measurements"
expect 1 "Only 15 of 16"
printf 'failure\t4 x 63\tfp16\tThe GPU failed.\n' >>"$measurements"
expect 1 "4 x 63 fp16 was not measured: The GPU failed."
: >"$measurements"
expect 1 "Only 0 of 16"

((failures == 0)) && echo "check_on_device.sh does what it can without a device"
exit $((failures > 0))
