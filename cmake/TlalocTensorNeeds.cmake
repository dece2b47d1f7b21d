# SPDX-License-Identifier: Apache-2.0
#
# What Tlaloc::tensor links besides itself, for this build and for those that use an installation. Sets tlaloc_tensor_missing to
# the names of what is not there.

set(tlaloc_tensor_missing)
if(NOT TARGET Tlaloc::onednn)
  find_library(TLALOC_ONEDNN dnnl)  # its CMake package asks for OpenCL, which the CPU does not need
  find_path(TLALOC_ONEDNN_INCLUDE dnnl.hpp)
  if(TLALOC_ONEDNN AND TLALOC_ONEDNN_INCLUDE)
    add_library(Tlaloc::onednn INTERFACE IMPORTED)
    target_include_directories(Tlaloc::onednn INTERFACE ${TLALOC_ONEDNN_INCLUDE})
    target_link_libraries(Tlaloc::onednn INTERFACE ${TLALOC_ONEDNN} gomp)
  else()
    list(APPEND tlaloc_tensor_missing "oneDNN (Debian: libdnnl-dev)")
  endif()
endif()
find_package(OpenSSL COMPONENTS Crypto QUIET)
if(NOT TARGET OpenSSL::Crypto)
  list(APPEND tlaloc_tensor_missing "OpenSSL (Debian: libssl-dev)")
endif()
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT TARGET PkgConfig::LIBZIP)
  pkg_check_modules(LIBZIP QUIET IMPORTED_TARGET libzip)  # its CMake package asks for programs of other Debian packages
endif()
if(NOT TARGET PkgConfig::LIBZIP)
  list(APPEND tlaloc_tensor_missing "libzip and pkg-config (Debian: libzip-dev, pkg-config)")
endif()
list(JOIN tlaloc_tensor_missing ", " tlaloc_tensor_missing)
