#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The include check must pass a right tree and name each wrong line of a wrong one.
set -euo pipefail
check=$(cd "$(dirname "$0")" && pwd)/check_includes.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

write() { # write FILE LINE...
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$tree/$1"
}
fail() { echo "$1" >&2; exit 1; }

write core/data/right.h '#include "core/data/dataset.h"' '#include <vector>'
write core/training/right.cpp '#include "core/engine/training_engine.h"'
write ui/window/right.cpp '#include "ui/window/window.h"' '#include "core/curves/x.h"' '#include "right.moc"'
write app/right.cpp '#include "ui/window.h"' '#include "gpu/probe.h"' '#include <QApplication>'
"$check" "$tree" || fail "A tree without a wrong arrow was refused."

wrong() { # wrong FILE LINE: alone in the tree, it must be named
    local said
    write "$1" "$2"
    if said=$("$check" "$tree"); then fail "Not seen: $1: $2"; fi
    grep -qF "$1:1:$2" <<<"$said" || fail "Refused without naming $1: $said"
    rm "$tree/$1"
}
wrong core/data/wrong.h '#include "core/engine/training_engine.h"'
wrong core/engine/wrong.h '#include "core/training/run_spec.h"'
wrong core/files/wrong.h '#include "core/network/network_shape.h"'
wrong core/training/wrong.cpp '#include "core/exchange/curve_csv.h"'
wrong core/curves/wrong.cpp '#include <QString>'
wrong core/engine/wrong.cpp '#include <cuda_runtime_api.h>'
wrong core/exchange/wrong.cpp '#include <iostream>'
wrong gpu/wrong.cpp '#include "ui/window.h"'
wrong gpu/wrong.cpp '#include <QtGlobal>'
wrong ui/window/wrong.cpp '#include "app/devices/engine_list.h"'
wrong ui/window/wrong.cpp '#include "gpu/probe.h"'
wrong ui/parts/wrong.cpp '#include "ui/form/experiment_panel.h"'
wrong ui/chart/wrong.cpp '#include "ui/parts/theme.h"'
wrong ui/form/wrong.cpp '#include "ui/runs/run_list.h"'
wrong ui/runs/wrong.cpp '#include "ui/window/main_window.h"'
wrong app/terminal/wrong.cpp '#include "app/devices/engine_list.h"'
wrong app/devices/wrong.cpp '#include "app/commands/run_command.h"'
wrong app/commands/wrong.cpp '#include "ui/window/main_window.h"'
wrong ui/window/wrong.cpp '  #  include "neighbour.h"'
wrong core/data/wrong.cpp '#include "../network/parameters.h"'
"$check" "$tree" || fail "The tree did not become right again."
