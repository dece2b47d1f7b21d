// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tlaloc::tools {

/// A mistake of the caller's or of the machine's set-up; main() prints it and exits with 2.
struct UsageError {
  std::string text;
};

}  // namespace tlaloc::tools
