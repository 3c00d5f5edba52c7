#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check_includes.sh FOLDER: prints every #include under FOLDER that goes against the arrows between
# the rooms, and fails when there is one.
set -euo pipefail
cd "$1"
forbidden=0

# room FOLDER ALLOWED: own headers in FOLDER must match the pattern ALLOWED; nothing is included by
# a path that does not begin at the root.
room() {
    local hits
    [ -d "$1" ] || return 0
    hits=$(grep -rnE '^\s*#\s*include\s*"' --include='*.h' --include='*.cpp' --include='*.cu' "$1" \
        | grep -vE "\"(${2// /|})/[^\"]*\"" | grep -vE '"[a-z0-9_]+\.moc"' || true)
    report "$1 may include only: $2" "$hits"
}

# outside FOLDER PATTERN WHY: no system header in FOLDER matches PATTERN.
outside() {
    local hits
    [ -d "$1" ] || return 0
    hits=$(grep -rnE "^\s*#\s*include\s*[<\"]($2)" --include='*.h' --include='*.cpp' \
        --include='*.cu' "$1" || true)
    report "$1: $3" "$hits"
}

report() {
    [ -n "$2" ] || return 0
    forbidden=1
    printf '%s\n%s\n' "$1" "$2"
}

room core/data core/data
room core/network core/network
room core/engine 'core/engine core/data core/network'
room core/files 'core/files core/data'
training='core/training core/engine core/data core/network'
room core/training "$training"
room core/curves "core/curves $training"
room core/comparison "core/comparison $training"
room core/library "core/library core/curves core/comparison $training"
room core/exchange "core/exchange core/curves core/comparison $training"
room gpu 'gpu core'
room ui/parts 'ui/parts core'
room ui/chart 'ui/chart core'
room ui/form 'ui/form ui/parts core'
room ui/runs 'ui/runs ui/parts ui/chart core'
room ui/window 'ui core'
room app/terminal 'app/terminal core'
room app/devices 'app/devices app/terminal gpu core'
room app/commands 'app/commands app/devices app/terminal ui/chart core'
room app 'app ui gpu core'

outside core 'Q[A-Z]|Qt|qt' 'core knows no Qt'
outside core 'cuda|cublas' 'core knows no CUDA'
outside core 'iostream>' 'core prints nothing'
outside gpu 'Q[A-Z]|Qt|qt' 'gpu knows no Qt'
outside ui 'cuda|cublas' 'ui knows no CUDA'
exit "$forbidden"
