# SPDX-License-Identifier: Apache-2.0
#
# The plugin: tlaloc-<major>.so, loaded by the clang of that major version.
# It links no LLVM library. Clang resolves the symbols when it loads the plugin, clang-format's included.
# That of the compiler in use is the target tlaloc_plugin; TLALOC_MORE_CLANGS adds others from the same sources.

string(REGEX MATCH "^[0-9]+" TLALOC_CLANG_MAJOR "${CMAKE_CXX_COMPILER_VERSION}")
set(TLALOC_PLUGIN_DIR ${CMAKE_BINARY_DIR}/lib/tlaloc)
set_property(GLOBAL PROPERTY TLALOC_PLUGIN_DIR ${TLALOC_PLUGIN_DIR})
set(TLALOC_PLUGIN_FILE ${TLALOC_PLUGIN_DIR}/tlaloc-${TLALOC_CLANG_MAJOR}.so)

file(GLOB TLALOC_PLUGIN_SOURCES CONFIGURE_DEPENDS src/frontend/clang/*.cpp)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT TLALOC_PLUGIN_SOURCES)
  message(STATUS "Tlaloc: no plugin in this build (it needs Clang and src/frontend/clang)")
  return()
endif()

if(TLALOC_TSAN)
  message(STATUS "Tlaloc: no plugin in this build (Clang itself is not built with ThreadSanitizer)")
  return()
endif()

set(TLALOC_MORE_CLANGS "" CACHE STRING "Other versions of Clang to build the plugin for: 19")

# tlaloc_add_plugin(<major> <frontend> <plugin>): the targets that see Clang <major>. The compiler need not be that Clang.
function(tlaloc_add_plugin major frontend plugin)
  find_program(TLALOC_LLVM_CONFIG_${major} llvm-config-${major} REQUIRED)
  execute_process(COMMAND ${TLALOC_LLVM_CONFIG_${major}} --includedir OUTPUT_VARIABLE include
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

  # The files that see Clang, compiled once for the plugin and for the tests that link Clang's library.
  add_library(${frontend} OBJECT ${TLALOC_PLUGIN_SOURCES})
  target_sources(${frontend} INTERFACE $<TARGET_OBJECTS:tlaloc_operations>)
  target_include_directories(${frontend} SYSTEM PUBLIC ${include})
  target_link_libraries(${frontend} PUBLIC tlaloc_core tlaloc_headers)
  # Debian's LLVM has no RTTI and is a release build: both must hold here too, or classes differ in layout.
  target_compile_options(${frontend} PUBLIC -fno-rtti -fexceptions -UNDEBUG -DNDEBUG)
  tlaloc_own_code(${frontend})

  # What sees Clang's headers costs tens of seconds, however short: all files share one precompiled header and are
  # compiled a few at a time. Whoever works on one of them configures with -DTLALOC_UNITY=OFF.
  target_precompile_headers(${frontend} PRIVATE src/frontend/clang/pch.hpp)
  target_compile_options(${frontend} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # or ccache never hits
  set_source_files_properties(src/frontend/clang/lower_tensor.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # the only one that sees tensors
  set_target_properties(${frontend} PROPERTIES UNITY_BUILD ${TLALOC_UNITY} UNITY_BUILD_BATCH_SIZE 5)

  add_library(${plugin} MODULE)
  set_target_properties(${plugin} PROPERTIES PREFIX "" OUTPUT_NAME tlaloc-${major} SUFFIX .so
                                             LIBRARY_OUTPUT_DIRECTORY ${TLALOC_PLUGIN_DIR})
  target_link_libraries(${plugin} PRIVATE ${frontend})
  target_link_options(${plugin} PRIVATE -Wl,--exclude-libs,ALL)
  install(TARGETS ${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tlaloc)
endfunction()

include(GNUInstallDirs)
tlaloc_add_plugin(${TLALOC_CLANG_MAJOR} tlaloc_frontend tlaloc_plugin)
set(TLALOC_LLVM_CONFIG ${TLALOC_LLVM_CONFIG_${TLALOC_CLANG_MAJOR}})
foreach(major IN LISTS TLALOC_MORE_CLANGS)
  tlaloc_add_plugin(${major} tlaloc_frontend_${major} tlaloc_plugin_${major})
endforeach()

# Clang is not built with the sanitizer, so it must load the sanitizer's library before the plugin.
if(TLALOC_ASAN)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
                  OUTPUT_VARIABLE TLALOC_PLUGIN_PRELOAD OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT EXISTS ${TLALOC_PLUGIN_PRELOAD})
    message(FATAL_ERROR "the address sanitizer's shared library is missing (package libclang-rt-22-dev)")
  endif()
  set_property(GLOBAL PROPERTY TLALOC_PLUGIN_PRELOAD ${TLALOC_PLUGIN_PRELOAD})
endif()
