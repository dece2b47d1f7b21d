// SPDX-License-Identifier: Apache-2.0
//
// What is differentiated, and who computes its gradient.
#pragma once

double swish(double x);              // x / (1 + e^-x) / sqrt(1 + log(1 + e^x))
double compiled_gradient(double x);  // main.cpp: tlaloc::grad(swish)
double printed_gradient(double x);   // printed.cpp: the printed text, compiled without the plugin
