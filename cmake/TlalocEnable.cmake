# SPDX-License-Identifier: Apache-2.0
#
#   tlaloc_enable(target [PRINT])
#
# Compiles the C++ sources of `target` with the Tlaloc plugin. With PRINT every source that asks for a derivative also
# writes it as readable C++ to <binary dir>/tlaloc/<source path>.tlaloc.hpp (the path from the CMakeLists.txt's folder).
# The plugin is added by a compiler launcher and so stays out of compile_commands.json (clangd and clang-tidy of any
# version can read that). Launchers need a Ninja or Makefile generator.
#
# Global properties, set by whoever includes this file:
#   TLALOC_PLUGIN_DIR      the folder that holds tlaloc-<major>.so
#   TLALOC_PLUGIN_PRELOAD  a library the compiler must preload (a sanitizer's, when the plugin was built with one)

include(${CMAKE_CURRENT_LIST_DIR}/TlalocLauncher.cmake)

function(tlaloc_enable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PRINT" "" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tlaloc_enable(${target}): unknown argument '${arg_UNPARSED_ARGUMENTS}' (known: PRINT)")
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "tlaloc_enable(${target}): the plugin runs in Clang, and the compiler is "
                        "${CMAKE_CXX_COMPILER_ID}. Configure with -DCMAKE_CXX_COMPILER=clang++-22, or call "
                        "tlaloc_generate(${target}) instead.")
  endif()
  _tlaloc_need_launchers("tlaloc_enable(${target})")
  string(REGEX MATCH "^[0-9]+" major "${CMAKE_CXX_COMPILER_VERSION}")
  get_property(dir GLOBAL PROPERTY TLALOC_PLUGIN_DIR)
  get_property(preload GLOBAL PROPERTY TLALOC_PLUGIN_PRELOAD)
  set(plugin ${dir}/tlaloc-${major}.so)
  if(TARGET tlaloc_plugin)
    add_dependencies(${target} tlaloc_plugin)
  elseif(NOT EXISTS ${plugin})
    file(GLOB have RELATIVE ${dir} ${dir}/tlaloc-*.so)
    message(FATAL_ERROR "tlaloc_enable(${target}): no plugin for Clang ${major} (installed: ${have})")
  endif()

  set(launch ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tlaloc-launch --plugin=${plugin})
  if(preload)
    list(APPEND launch --preload=${preload})
  endif()
  _tlaloc_launch(${target} "${arg_PRINT}" WORDS ${launch} DEPENDS ${plugin})  # a new plugin means new objects
endfunction()
