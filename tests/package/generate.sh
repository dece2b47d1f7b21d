#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   generate.sh CMAKE BUILD_DIR CLANG GXX PROJECT WORK_DIR
#
# The route for other compilers: PROJECT is built by GXX from an installation of BUILD_DIR and from BUILD_DIR itself, and by
# CLANG with the plugin; all print the same bits.
set -euo pipefail
cmake=$1 build=$2 clang=$3 gxx=$4 project=$5 work=$6

fail() { echo "FAIL: $*" >&2; exit 1; }
rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/installed" >/dev/null
cp -r "$project" "$work/project"

build_with() {  # name compiler generator options...
  local name=$1 compiler=$2 generator=$3
  shift 3
  "$cmake" -S "$work/project" -B "$work/$name" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >/dev/null
  "$cmake" --build "$work/$name"
  "$work/$name/consumer" >"$work/$name.txt" || { cat "$work/$name.txt"; fail "$name: wrong numbers"; }
}
build_with gcc "$gxx" Ninja -DCMAKE_PREFIX_PATH="$work/installed"
build_with gcc-from-build "$gxx" "Unix Makefiles" -DTlaloc_DIR="$build/package"
build_with clang "$clang" Ninja -DCMAKE_PREFIX_PATH="$work/installed"
diff "$work/gcc.txt" "$work/clang.txt" || fail "g++ and Clang differ"
diff "$work/gcc.txt" "$work/gcc-from-build.txt" || fail "the build folder and the installation differ"

if grep -n tlaloc.cpp "$work/gcc/compile_commands.json"; then fail "generated files are named in compile_commands.json"; fi
cmp "$work/gcc/tlaloc/main.cpp.tlaloc.hpp" "$work/clang/tlaloc/main.cpp.tlaloc.hpp" || fail "PRINT differs between the routes"
would_build() { says=$("$cmake" --build "$work/gcc" -- -n) && [[ $says == *"$1"* ]]; }
would_build 'no work to do' || fail "a second build does work"
# Dependencies: what the source includes, and the plugin.
touch "$work/project/derivatives.hpp"
would_build main.cpp.o || fail "a changed header does not build the source again"
"$cmake" --build "$work/gcc" >/dev/null
would_build 'no work to do' || fail "a third build does work"
find "$work/installed" -name 'tlaloc-*.so' -exec touch {} +
would_build main.cpp.o || fail "a new plugin does not build the source again"
