# SPDX-License-Identifier: Apache-2.0
#
# What cmake --install copies: headers, the plugin, and the CMake package with the launcher beside it.
# The package names no path: an installed tree can be moved.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tlaloc)
set(plugin_dir ${CMAKE_INSTALL_LIBDIR}/tlaloc)
configure_package_config_file(cmake/TlalocConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/TlalocConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR plugin_dir)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/TlalocConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(DIRECTORY include/tlaloc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/TlalocConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/TlalocConfigVersion.cmake
              cmake/TlalocEnable.cmake
        DESTINATION ${package_dir})
install(PROGRAMS cmake/tlaloc-launch DESTINATION ${package_dir})
if(TARGET tlaloc_plugin)
  install(TARGETS tlaloc_plugin LIBRARY DESTINATION ${plugin_dir})
endif()
