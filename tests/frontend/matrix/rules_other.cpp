// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

static double bowl(double r) { return 0.5 * area(2 * r) + shell(r); }
double d_bowl(double r) { return tlaloc::grad(bowl)(r) + d_shell(r); }
