// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tlaloc {

/// The release, as printed by tools: "0.1.0".
const char* version();

}  // namespace tlaloc
