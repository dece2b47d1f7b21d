# SPDX-License-Identifier: Apache-2.0
#
#   tlaloc_generate(target [PRINT] [CLANG <clang++>])
#
# For g++ and other compilers that the plugin does not run in: before each C++ source of `target` is compiled, `tlaloc gen`
# has Clang read it and writes <object>.tlaloc.cpp, which includes the source and adds its derivatives; that file is compiled
# in the source's place. It is written whenever the source is compiled, so the compiler's own dependencies are all there are.
# PRINT is that of tlaloc_enable. CLANG is the Clang that reads (default: clang++-<major> of the newest plugin).
#
# Global property, set by whoever includes this file: TLALOC_TOOL, the program `tlaloc`.

include(${CMAKE_CURRENT_LIST_DIR}/TlalocLauncher.cmake)

function(tlaloc_generate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PRINT" "CLANG" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tlaloc_generate(${target}): unknown argument '${arg_UNPARSED_ARGUMENTS}' (known: PRINT, CLANG)")
  endif()
  _tlaloc_need_launchers("tlaloc_generate(${target})")
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    message(FATAL_ERROR "tlaloc_generate(${target}): knows the commands of GCC and Clang, not those of ${CMAKE_CXX_COMPILER_ID}")
  endif()
  get_property(tool GLOBAL PROPERTY TLALOC_TOOL)
  get_property(plugins GLOBAL PROPERTY TLALOC_PLUGIN_DIR)
  if(NOT EXISTS ${tool})
    message(FATAL_ERROR "tlaloc_generate(${target}): '${tool}' is missing; build or install Tlaloc first")
  endif()

  set(launch ${tool} gen --launch)
  if(arg_CLANG)
    list(APPEND launch --clang=${arg_CLANG})
  endif()
  file(GLOB made_by ${plugins}/tlaloc-*.so)
  _tlaloc_launch(${target} "${arg_PRINT}" WORDS ${launch} DEPENDS ${tool} ${made_by})  # a new plugin means new objects
endfunction()
