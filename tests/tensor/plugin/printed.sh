#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   printed.sh PROGRAM GXX SOURCE PRINTED FLAG... -- LIBRARY...
#
# Compiles SOURCE, which includes PRINTED, with g++ and without the plugin; it must print what PROGRAM prints.
set -euo pipefail
program=$1 gxx=$2 source=$3 printed=$4
shift 4
flags=()
while [ "$1" != -- ]; do flags+=("$1"); shift; done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$gxx" -std=c++20 -O1 -ffp-contract=off -Wall -Wextra -Wshadow -Werror "${flags[@]}" "-DTLALOC_PRINTED=\"$printed\"" "$source" -o "$work/elsewhere" "$@"
"$program" >"$work/clang.txt"
"$work/elsewhere" >"$work/gcc.txt"
[ -s "$work/clang.txt" ]
diff "$work/clang.txt" "$work/gcc.txt"
