#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   consumer.sh CMAKE BUILD_DIR COMPILER PROJECT WORK_DIR
#
# Installs BUILD_DIR, moves the installation elsewhere, and builds and runs PROJECT against it.
set -euo pipefail
cmake=$1 build=$2 compiler=$3 project=$4 work=$5

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
cp -r "$project" "$work/project"

"$cmake" -S "$work/project" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
"$cmake" --build "$work/build"
ctest="$(dirname "$cmake")/ctest"
"$ctest" --test-dir "$work/build" --no-tests=error --output-on-failure

if grep -q fplugin "$work/build/compile_commands.json"; then
  echo "FAIL: the plugin is named in compile_commands.json" >&2
  exit 1
fi
printed=$(find "$work/build" -name '*.tlaloc.hpp')
[ -n "$printed" ] || { echo "FAIL: PRINT wrote no file" >&2; exit 1; }
if grep -n "$work" $printed; then
  echo "FAIL: a printed file names a path of this machine" >&2
  exit 1
fi
"$cmake" --build "$work/build" | grep -q 'no work to do' || { echo "FAIL: a second build does work" >&2; exit 1; }
