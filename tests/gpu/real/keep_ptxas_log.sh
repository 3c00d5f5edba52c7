#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Stands before nvcc in the plug-in's build (a compiler launcher of CMake): what ptxas -v says of
# registers, spills and shared memory goes to OBJECT.ptxas beside each object, for check_spills.sh,
# instead of to the screen. So spills are looked for without compiling anything twice.
set -uo pipefail

object=
compiles=
for ((i = 1; i <= $#; ++i)); do
    case ${!i} in
    -o) next=$((i + 1)) && object=${!next} ;;
    -c) compiles=yes ;;
    esac
done
[[ -n $object && -n $compiles ]] || exec "$@"

remarks='^ptxas info|bytes stack frame'
exec 3>&1
said=$("$@" 2>&1 >&3 3>&-)
status=$?
[[ -z $said ]] || grep -vE "$remarks" <<<"$said" >&2
if ((status == 0)); then
    grep -E "$remarks" <<<"$said" >"$object.ptxas"
else
    rm -f "$object.ptxas"
fi
exit $status
