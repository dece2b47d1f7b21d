// SPDX-License-Identifier: Apache-2.0
//
// The text that was printed when main.cpp was compiled. No plugin, nothing else of Tlaloc.
#include "swish.hpp"

#include TLALOC_PRINTED

double printed_gradient(double x) { return tlaloc::generated::swish_grad(x); }
