// SPDX-License-Identifier: Apache-2.0
//
// A stacked recurrent network whose weight matrices are diagonal, and its mean
// log-softmax loss over a sequence. With `width` units and `layers` layers:
//   weights  [layers][2][4][width]  per layer: 4 gate weights, 4 gate biases,
//                                   gates in the order forget, in, out, change
//   readout  [3][width]             input weight, output weight, output bias
//   state    [layers][2][width]     per layer: hidden, cell (passive start)
//   sequence [length][width]        (passive)
#pragma once

#include <math.h>

namespace bench::lstm {

constexpr int weight_count(int width, int layers) { return 8 * width * layers; }
constexpr int state_size(int width, int layers) { return 2 * width * layers; }

/// Length of the scratch array that loss needs.
constexpr int scratch_size(int width, int layers) {
  return state_size(width, layers) + width;
}

template <typename Real>
Real sigmoid(Real x) {
  return 1.0 / (1.0 + exp(-x));
}

/// Advances one layer by one step: reads input[width], updates hidden and cell.
template <typename Real>
void step(int width, const Real* weight, const Real* bias, const Real* input,
          Real* hidden, Real* cell) {
  for (int i = 0; i < width; ++i) {
    Real forget = sigmoid<Real>(input[i] * weight[i] + bias[i]);
    Real in = sigmoid<Real>(hidden[i] * weight[width + i] + bias[width + i]);
    Real out =
        sigmoid<Real>(input[i] * weight[2 * width + i] + bias[2 * width + i]);
    Real change = tanh(hidden[i] * weight[3 * width + i] + bias[3 * width + i]);
    cell[i] = cell[i] * forget + in * change;
    hidden[i] = out * tanh(cell[i]);
  }
}

/// Feeds input[width] through every layer; writes output[width].
template <typename Real>
void predict(int width, int layers, const Real* weights, const Real* readout,
             const double* input, Real* state, Real* output) {
  for (int i = 0; i < width; ++i) output[i] = input[i] * readout[i];
  for (int layer = 0; layer < layers; ++layer) {
    const Real* weight = weights + 8 * width * layer;
    Real* hidden = state + 2 * width * layer;
    step(width, weight, weight + 4 * width, output, hidden, hidden + width);
    for (int i = 0; i < width; ++i) output[i] = hidden[i];
  }
  for (int i = 0; i < width; ++i)
    output[i] = output[i] * readout[width + i] + readout[2 * width + i];
}

/// The loss; `scratch` holds scratch_size(width, layers) numbers, contents
/// ignored. The two extra units in the normaliser are part of the definition.
template <typename Real>
Real loss(int width, int layers, int length, const Real* weights,
          const Real* readout, const double* start, const double* sequence,
          Real* scratch) {
  Real* state = scratch;
  Real* output = state + state_size(width, layers);
  for (int i = 0; i < state_size(width, layers); ++i) state[i] = start[i];
  Real total = 0.0;
  for (int t = 0; t + 1 < length; ++t) {
    predict(width, layers, weights, readout, sequence + t * width, state,
            output);
    Real normaliser = 2.0;
    for (int i = 0; i < width; ++i) normaliser += exp(output[i]);
    Real log_normaliser = log(normaliser);
    const double* target = sequence + (t + 1) * width;
    for (int i = 0; i < width; ++i)
      total += target[i] * (output[i] - log_normaliser);
  }
  return -total / (width * (length - 1));
}

/// Numbers kept per step by loss_gradient.
constexpr int tape_size(int width, int layers) {
  return width * (8 * layers + 1);
}

/// Reverse mode by hand. `tape` holds tape_size * (length - 1) numbers,
/// `scratch` scratch_size(width, layers) + 2 * state_size(width, layers).
/// The activations of one unit in one layer at one step:
///   { input, hidden before, cell before, forget, in, out, change, tanh(cell) }.
inline double loss_gradient(int width, int layers, int length,
                            const double* weights, const double* readout,
                            const double* start, const double* sequence,
                            double* scratch, double* tape, double* d_weights,
                            double* d_readout) {
  const int states = state_size(width, layers);
  double* state = scratch;
  double* output = state + states;
  double* d_state = output + width;
  const double scale = -1.0 / (width * (length - 1));
  for (int i = 0; i < states; ++i) state[i] = start[i], d_state[i] = 0.0;
  for (int i = 0; i < weight_count(width, layers); ++i) d_weights[i] = 0.0;
  for (int i = 0; i < 3 * width; ++i) d_readout[i] = 0.0;

  double total = 0.0;
  for (int t = 0; t + 1 < length; ++t) {
    const double* input = sequence + t * width;
    const double* target = input + width;
    double* kept = tape + t * tape_size(width, layers);
    for (int i = 0; i < width; ++i) output[i] = input[i] * readout[i];
    for (int layer = 0; layer < layers; ++layer) {
      const double* w = weights + 8 * width * layer;
      const double* b = w + 4 * width;
      double* hidden = state + 2 * width * layer;
      double* cell = hidden + width;
      for (int i = 0; i < width; ++i) {
        double* a = kept + 8 * (layer * width + i);
        a[0] = output[i];
        a[1] = hidden[i];
        a[2] = cell[i];
        a[3] = sigmoid(a[0] * w[i] + b[i]);
        a[4] = sigmoid(a[1] * w[width + i] + b[width + i]);
        a[5] = sigmoid(a[0] * w[2 * width + i] + b[2 * width + i]);
        a[6] = tanh(a[1] * w[3 * width + i] + b[3 * width + i]);
        cell[i] = a[2] * a[3] + a[4] * a[6];
        a[7] = tanh(cell[i]);
        hidden[i] = a[5] * a[7];
        output[i] = hidden[i];
      }
    }
    double normaliser = 2.0, targets = 0.0;
    double* d_output = kept + 8 * width * layers;
    for (int i = 0; i < width; ++i) {
      output[i] = output[i] * readout[width + i] + readout[2 * width + i];
      d_output[i] = exp(output[i]);
      normaliser += d_output[i];
      targets += target[i];
    }
    const double log_normaliser = log(normaliser);
    for (int i = 0; i < width; ++i) {
      total += target[i] * (output[i] - log_normaliser);
      d_output[i] = scale * (target[i] - targets * d_output[i] / normaliser);
    }
  }

  for (int t = length - 2; t >= 0; --t) {
    const double* input = sequence + t * width;
    const double* kept = tape + t * tape_size(width, layers);
    const double* d_output = kept + 8 * width * layers;
    for (int i = 0; i < width; ++i) {
      const double* top = kept + 8 * ((layers - 1) * width + i);
      d_readout[2 * width + i] += d_output[i];
      d_readout[width + i] += d_output[i] * top[5] * top[7];
      double d_hidden = d_output[i] * readout[width + i];
      for (int layer = layers - 1; layer >= 0; --layer) {
        const double* a = kept + 8 * (layer * width + i);
        const double* w = weights + 8 * width * layer;
        double* d_w = d_weights + 8 * width * layer;
        double* d_b = d_w + 4 * width;
        double* d_carry = d_state + 2 * width * layer;  // hidden, then cell
        d_hidden += d_carry[i];
        const double d_cell =
            d_carry[width + i] + d_hidden * a[5] * (1 - a[7] * a[7]);
        const double d_forget = d_cell * a[2] * a[3] * (1 - a[3]);
        const double d_in = d_cell * a[6] * a[4] * (1 - a[4]);
        const double d_out = d_hidden * a[7] * a[5] * (1 - a[5]);
        const double d_change = d_cell * a[4] * (1 - a[6] * a[6]);
        d_w[i] += d_forget * a[0];
        d_w[width + i] += d_in * a[1];
        d_w[2 * width + i] += d_out * a[0];
        d_w[3 * width + i] += d_change * a[1];
        d_b[i] += d_forget;
        d_b[width + i] += d_in;
        d_b[2 * width + i] += d_out;
        d_b[3 * width + i] += d_change;
        d_carry[i] = d_in * w[width + i] + d_change * w[3 * width + i];
        d_carry[width + i] = d_cell * a[3];
        d_hidden = d_forget * w[i] + d_out * w[2 * width + i];
      }
      d_readout[i] += d_hidden * input[i];
    }
  }
  return scale * total;
}

}  // namespace bench::lstm
