// SPDX-License-Identifier: Apache-2.0
//
// A rule travels with its declaration: the function and its rule are defined in another file, or in a shared library.
#pragma once
#include <tlaloc/ad.hpp>

double area_vjp(double r, double d_area);
TLALOC_VJP(area_vjp) double area(double r);

inline double shell(double r) { return area(r + 1) - area(r); }
inline double d_shell(double r) { return tlaloc::grad(tlaloc::fn<shell>)(r); }
double d_bowl(double r);
