# SPDX-License-Identifier: Apache-2.0
#
# What tlaloc_enable and tlaloc_generate share: the compiler launcher of a target, which stays out of compile_commands.json.

# Other generators ignore launchers without a word.
function(_tlaloc_need_launchers caller)
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "${caller}: needs a Ninja or Makefile generator, not ${CMAKE_GENERATOR}")
  endif()
endfunction()

# _tlaloc_launch(target PRINT|"" WORDS word... DEPENDS file...): compiles the sources of `target` by way of `word...`, before
# a launcher that the target has already (ccache, say: it must see the flags that ours adds), and anew when a file changes.
function(_tlaloc_launch target print)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "WORDS;DEPENDS")
  set(launch ${arg_WORDS} --root=${CMAKE_CURRENT_SOURCE_DIR})
  if(print)
    list(APPEND launch --print=${CMAKE_CURRENT_BINARY_DIR}/tlaloc)
  endif()
  list(APPEND launch --)
  get_target_property(next ${target} CXX_COMPILER_LAUNCHER)
  if(next)
    list(APPEND launch ${next})
  endif()
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launch}")
  target_link_libraries(${target} PRIVATE Tlaloc::tlaloc)

  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${arg_DEPENDS}")
endfunction()
