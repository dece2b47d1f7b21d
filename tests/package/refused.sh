#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   refused.sh CMAKE BUILD_DIR CLANG OTHER_CLANG GXX WORK_DIR
#
# The wrong compiler, a version without a plugin, a wrong argument: each is refused by name where a project is configured or
# a compiler is launched.
set -euo pipefail
cmake=$1 build=$2 clang=$3 other=$4 gxx=$5 work=$6

rm -rf "$work"
mkdir -p "$work/project"
"$cmake" --install "$build" --prefix "$work/installed" >/dev/null
plugins=$(dirname "$(find "$work/installed" -name 'tlaloc-*.so' | head -n 1)")
launch=$(find "$work/installed" -name tlaloc-launch)
other_major=$("$other" -dumpversion | cut -d. -f1)
rm -f "$plugins/tlaloc-$other_major.so"
echo 'int main() {}' >"$work/project/main.cpp"
status=0

expect() {  # what, text that the output contains, exit code or "any", command...
  local what=$1 text=$2 code=$3 said rc=0
  shift 3
  said=$("$@" 2>&1) || rc=$?
  said=$(tr -s '[:space:]' ' ' <<<"$said")  # CMake wraps its lines
  if [ $rc -eq 0 ] || { [ "$code" != any ] && [ $rc -ne "$code" ]; } || [[ $said != *"$text"* ]]; then
    echo "FAIL $what: exit code $rc; expected '$text' in: $said"
    status=1
  fi
}
configure() {  # compiler, line of CMakeLists.txt, options...
  local compiler=$1 line=$2
  shift 2
  rm -rf "$work/build"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(refused LANGUAGES CXX)' 'find_package(Tlaloc REQUIRED)' \
    'add_executable(app main.cpp)' "$line" >"$work/project/CMakeLists.txt"
  "$cmake" -S "$work/project" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/installed" "$@"
}
expect "g++ with the plugin" "tlaloc_generate(app)" any configure "$gxx" 'tlaloc_enable(app)'
expect "a Clang without a plugin" "no plugin for Clang $other_major (installed: tlaloc-" any configure "$other" 'tlaloc_enable(app)'
expect "an unknown argument" "unknown argument 'PRNT'" any configure "$clang" 'tlaloc_enable(app PRNT)'
expect "an unknown argument of the other route" "unknown argument 'PRNT'" any configure "$gxx" 'tlaloc_generate(app PRNT)'
expect "the other route without the program" "is missing" any configure "$gxx" \
  'set_property(GLOBAL PROPERTY TLALOC_TOOL /nowhere/tlaloc)
tlaloc_generate(app)'

cp "$launch" "$plugins"  # where it finds the plugins itself
expect "g++ launched" "is not Clang" 2 "$plugins/tlaloc-launch" "$gxx" -c main.cpp
expect "a Clang without a plugin, launched" "no plugin for this compiler" 2 "$plugins/tlaloc-launch" "$other" -c main.cpp
expect "nothing launched" "no compiler given" 2 "$plugins/tlaloc-launch" --
expect "a plugin that is not there" "/nowhere.so" 2 "$plugins/tlaloc-launch" --plugin=/nowhere.so "$clang" -c main.cpp
plugin=$(find "$plugins" -name 'tlaloc-*.so' | head -n 1)
expect "another version's plugin" "$(basename "$plugin")" 1 "$other" "-fplugin=$plugin" -std=c++20 -fsyntax-only "$work/project/main.cpp"
exit $status
