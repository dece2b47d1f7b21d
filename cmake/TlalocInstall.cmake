# SPDX-License-Identifier: Apache-2.0
#
# What cmake --install copies: headers, the plugin, the program, the library of tensors, and the CMake package with the launcher
# beside it. The package names no path: an installed tree can be moved. The build folder is a package too
# (-DTlaloc_DIR=<build>/package).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tlaloc)
set(plugin_dir ${CMAKE_INSTALL_LIBDIR}/tlaloc)
set(module_dir ${package_dir})
set(tool ${CMAKE_INSTALL_BINDIR}/tlaloc)
set(package_paths PATH_VARS plugin_dir module_dir tool)
configure_package_config_file(cmake/TlalocConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/TlalocConfig.cmake
                              INSTALL_DESTINATION ${package_dir} ${package_paths})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/TlalocConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(DIRECTORY include/tlaloc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/TlalocConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/TlalocConfigVersion.cmake
              cmake/TlalocEnable.cmake cmake/TlalocGenerate.cmake cmake/TlalocLauncher.cmake cmake/TlalocTensorNeeds.cmake
        DESTINATION ${package_dir})
install(PROGRAMS cmake/tlaloc-launch DESTINATION ${package_dir})

# Targets in two files: who differentiates only need not have what tensors need.
set_target_properties(tlaloc_headers PROPERTIES EXPORT_NAME tlaloc)
install(TARGETS tlaloc_headers EXPORT TlalocTargets)
set(exported TlalocTargets)
if(TLALOC_TENSOR)
  set_target_properties(tlaloc_tensor PROPERTIES EXPORT_NAME tensor)
  install(TARGETS tlaloc_tensor tlaloc_runtime tlaloc_core EXPORT TlalocTensorTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  list(APPEND exported TlalocTensorTargets)
endif()
foreach(export IN LISTS exported)
  install(EXPORT ${export} NAMESPACE Tlaloc:: DESTINATION ${package_dir})
  export(EXPORT ${export} NAMESPACE Tlaloc:: FILE ${CMAKE_BINARY_DIR}/package/${export}.cmake)
endforeach()

set(plugin_dir ${TLALOC_PLUGIN_DIR})
set(module_dir ${CMAKE_CURRENT_SOURCE_DIR}/cmake)
set(tool ${CMAKE_BINARY_DIR}/bin/tlaloc)
configure_package_config_file(cmake/TlalocConfig.cmake.in ${CMAKE_BINARY_DIR}/package/TlalocConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_BINARY_DIR}/package ${package_paths})
file(COPY ${CMAKE_CURRENT_BINARY_DIR}/TlalocConfigVersion.cmake DESTINATION ${CMAKE_BINARY_DIR}/package)
