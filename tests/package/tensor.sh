#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   tensor.sh CMAKE BUILD_DIR GXX PROJECT ONEDNN_DIR WORK_DIR
#
# The component `tensor` of an installation that was moved, and of the build folder; refused by name where its dependencies
# (oneDNN lies in ONEDNN_DIR) are missing, while the rest of the package is found without them.
set -euo pipefail
cmake=$1 build=$2 gxx=$3 project=$4 work=$6
onednn="$5;${5#/usr}"  # /lib is /usr/lib by another name

fail() { echo "FAIL: $*" >&2; exit 1; }
rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
if grep -rnE "$work|$build" "$work/moved" --include='*.cmake'; then fail "the installed package names a path of this machine"; fi

configure() {  # project, name, options...
  local source=$1 name=$2
  shift 2
  "$cmake" -S "$source" -B "$work/$name" -G Ninja -DCMAKE_CXX_COMPILER="$gxx" "$@"
}
for from in installed:-DCMAKE_PREFIX_PATH="$work/moved" folder:-DTlaloc_DIR="$build/package"; do
  configure "$project" "${from%%:*}" "${from#*:}" >/dev/null
  "$cmake" --build "$work/${from%%:*}"
  "$work/${from%%:*}/consumer" || fail "${from%%:*}: wrong numbers"
done

refused() {  # what it must say, project, options...
  local text=$1 source=$2 said
  shift 2
  rm -rf "$work/refused"
  if said=$(configure "$source" refused "$@" 2>&1); then fail "configured without $text"; fi
  said=$(tr -s '[:space:]' ' ' <<<"$said")
  [[ $said == *"$text"* ]] || fail "expected '$text' in: $said"
}
refused "oneDNN (Debian: libdnnl-dev)" "$project" -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_IGNORE_PATH="$onednn"

mkdir "$work/plain"
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(plain LANGUAGES CXX)' 'find_package(Tlaloc REQUIRED)' \
  'add_library(plain INTERFACE)' 'target_link_libraries(plain INTERFACE Tlaloc::tlaloc)' >"$work/plain/CMakeLists.txt"
configure "$work/plain" plain-build -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_IGNORE_PATH="$onednn" >/dev/null || fail "headers and plugin need oneDNN"

find "$work/moved" -name 'TlalocTensorTargets*.cmake' -delete
refused "TLALOC_TENSOR=OFF" "$project" -DCMAKE_PREFIX_PATH="$work/moved"
