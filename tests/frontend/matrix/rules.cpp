// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

double area(double r) { return 3 * r * r; }
double area_vjp(double r, double d_area) { return 600 * r * d_area; }  // not the truth, so that it shows whether it is used
