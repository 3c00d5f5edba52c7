#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The table at the end of check_on_device.sh, from what measure_device and pytorch_epoch_on_gpu.py
# printed. Fails when measurements are missing or two runs were not equal; goals that are missed are
# said and do not fail.   usage: device_table.sh MEASUREMENTS PYTORCH
set -euo pipefail
awk -F '\t' '
    $1 == "device" {
        printf "%s, compute capability %s, driver for CUDA %s, runtime %s, cublasLt %s\n\n", $2, $3, $4, $5, $6
    }
    $1 == "epoch" {
        time[$2, $3] = $4
        nodes[$2, $3] = $6
        ++measured
        if ($7 != "same") {
            differing = differing " " $2 " " $3 ";"
            bad = 1
        }
        if ($8 != "CUDA graph")
            plain = plain "  " $2 " " $3 ": " $8 "\n"
    }
    $1 == "kernel" && $2 == "4 x 63" && $3 == "fp32" {
        kernels = kernels sprintf("%4d  %s\n", $4, length($5) > 110 ? substr($5, 1, 107) "..." : $5)
    }
    $1 == "failure" { print $2 " " $3 " was not measured: " $4 "\n" }
    $1 == "torch" { torch[$2, $3] = $4 }
    function cell(value) { return value == "" ? "-" : value }
    function verdict(right) { return right ? "reached" : "MISSED" }
    END {
        split("1 x 298|2 x 100|3 x 75|4 x 63", networks, "|")
        split("fp32|tf32|bf16|fp16", precisions, "|")
        split("eager|compiled|graph", ways, "|")
        print "microseconds an epoch; kernels of an fp32 epoch"
        printf "%-8s %8s %8s %8s %8s %8s %10s %10s %10s\n", "network", "kernels", "fp32", "tf32", "bf16", "fp16", "torch", "compiled", "graph"
        for (n = 1; n <= 4; ++n) {
            printf "%-8s %8s", networks[n], cell(nodes[networks[n], "fp32"])
            for (p = 1; p <= 4; ++p)
                printf " %8s", cell(time[networks[n], precisions[p]])
            for (w = 1; w <= 3; ++w)
                printf " %10s", cell(torch[networks[n], ways[w]])
            print ""
        }
        print ""
        if (kernels != "")
            printf "the kernels of 4 x 63 in fp32\n%s\n", kernels
        if (measured < 16) {
            print "Only " measured + 0 " of 16 epochs were measured."
            bad = 1
        }
        print "two runs, bit for bit: " (differing == "" && measured > 0 ? "equal in all that were measured" : "DIFFERENT in" differing)
        if (plain != "")
            printf "not launched as graphs:\n%s", plain
        ours = time["4 x 63", "fp32"]
        if (ours != "") {
            print "goal, 4 x 63 fp32 in at most 50 us (H200): " verdict(ours <= 50)
            if (torch["4 x 63", "eager"] != "")
                printf "goal, at least 8 times PyTorch eager: %s (%.1f times)\n", verdict(torch["4 x 63", "eager"] >= 8 * ours), torch["4 x 63", "eager"] / ours
            if (torch["4 x 63", "graph"] != "")
                printf "goal, faster than PyTorch in a graph: %s (%.1f times)\n", verdict(torch["4 x 63", "graph"] > ours), torch["4 x 63", "graph"] / ours
        }
        exit bad
    }' "$1" "$2"
