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

function(tlaloc_generate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PRINT" "CLANG" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tlaloc_generate(${target}): unknown argument '${arg_UNPARSED_ARGUMENTS}' (known: PRINT, CLANG)")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "tlaloc_generate(${target}): needs a Ninja or Makefile generator, not ${CMAKE_GENERATOR}")
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    message(FATAL_ERROR "tlaloc_generate(${target}): knows the commands of GCC and Clang, not those of ${CMAKE_CXX_COMPILER_ID}")
  endif()
  get_property(tool GLOBAL PROPERTY TLALOC_TOOL)
  get_property(plugins GLOBAL PROPERTY TLALOC_PLUGIN_DIR)
  if(NOT EXISTS ${tool})
    message(FATAL_ERROR "tlaloc_generate(${target}): '${tool}' is missing; build or install Tlaloc first")
  endif()

  set(launch ${tool} gen --launch --root=${CMAKE_CURRENT_SOURCE_DIR})
  if(arg_PRINT)
    list(APPEND launch --print=${CMAKE_CURRENT_BINARY_DIR}/tlaloc)
  endif()
  if(arg_CLANG)
    list(APPEND launch --clang=${arg_CLANG})
  endif()
  list(APPEND launch --)
  get_target_property(next ${target} CXX_COMPILER_LAUNCHER)  # ccache, say
  if(next)
    list(APPEND launch ${next})
  endif()
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launch}")
  target_link_libraries(${target} PRIVATE Tlaloc::tlaloc)

  get_target_property(sources ${target} SOURCES)
  file(GLOB made_by ${plugins}/tlaloc-*.so)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${tool};${made_by}")  # a new plugin means new objects
endfunction()
