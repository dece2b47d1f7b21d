// SPDX-License-Identifier: Apache-2.0
#include "version.hpp"

namespace tlaloc {

const char* version() { return TLALOC_VERSION; }

}  // namespace tlaloc
