# SPDX-License-Identifier: Apache-2.0
#
# The Python packages that tests compare with: TLALOC_PYTHON runs them, TLALOC_SITE_PACKAGES is where they are.

execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/python-env --path
                OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${folder}/complete)
  message(FATAL_ERROR "The packages of tests/requirements.txt are missing: run scripts/setup, or configure with -DTLALOC_TESTS=OFF")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/requirements.txt)
set(TLALOC_PYTHON ${folder}/bin/python)
file(GLOB TLALOC_SITE_PACKAGES ${folder}/lib/python3*/site-packages)
