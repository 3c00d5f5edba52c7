#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fails when a kernel of the plug-in spills registers, has more shared memory than a launch gets
# without asking (48 KB), or was not compiled for one of the architectures.
# usage: check_spills.sh FOLDER "ARCHITECTURES" SOURCE...
#   FOLDER         the build folder of the objects, with the .ptxas files of keep_ptxas_log.sh
#   ARCHITECTURES  "75 80 ..."
#   SOURCE         the .cu files, by name
set -euo pipefail
(($# >= 3)) || { echo "usage: $0 FOLDER \"ARCHITECTURES\" SOURCE..." >&2; exit 2; }
folder=$1
architectures=$2
shift 2

logs=()
for source in "$@"; do
    name=$(basename "$source")
    mapfile -t found < <(find "$folder" -name "$name.o.ptxas")
    if ((${#found[@]} == 0)); then
        echo "$name: there is no $name.o.ptxas under $folder: build the plug-in first" >&2
        exit 1
    fi
    for architecture in $architectures; do
        if ! grep -qE "Compiling entry function .* for 'sm_$architecture'" "${found[@]}"; then
            echo "$name: was not compiled for sm_$architecture" >&2
            exit 1
        fi
    done
    logs+=("${found[@]}")
done

awk -v limit=49152 '
    /Compiling entry function/ {
        ++kernels
        kernel = $0
        sub(/.*entry function /, "", kernel)
    }
    /bytes spill stores/ {
        match($0, /[0-9]+ bytes spill stores/)
        stores = substr($0, RSTART) + 0
        match($0, /[0-9]+ bytes spill loads/)
        loads = substr($0, RSTART) + 0
        if (stores + loads > 0) {
            print FILENAME ": " kernel ": spills, " stores " bytes stored, " loads " loaded"
            bad = 1
        }
        ++reports
    }
    /Used [0-9]+ registers/ {
        match($0, /Used [0-9]+/)
        if (substr($0, RSTART + 5) + 0 > registers)
            registers = substr($0, RSTART + 5) + 0
    }
    /bytes smem/ {
        match($0, /[0-9]+ bytes smem/)
        bytes = substr($0, RSTART) + 0
        if (bytes > shared)
            shared = bytes
        if (bytes > limit) {
            print FILENAME ": " kernel ": " bytes " bytes of shared memory, more than " limit
            bad = 1
        }
    }
    END {
        if (reports < kernels) {
            print "only " reports + 0 " of " kernels " kernels say what they spill"
            bad = 1
        }
        if (!bad)
            print kernels " kernels: no spills, at most " registers " registers and " shared + 0 " bytes of shared memory"
        exit bad
    }' "${logs[@]}"
