// SPDX-License-Identifier: Apache-2.0
//
// Deterministic inputs, identical to the last bit in reference.py: SplitMix64
// mapped to doubles, in a fixed order, so that no data files are needed.
#pragma once

#include <cstdint>
#include <vector>

#include "ba.hpp"
#include "gmm.hpp"
#include "hand.hpp"
#include "lstm.hpp"

namespace bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// low + (high - low) * u with u uniform on the multiples of 2^-53 in [0, 1).
  double uniform(double low, double high) {
    const double u = static_cast<double>(next() >> 11) * 0x1p-53;
    return low + (high - low) * u;
  }

  std::vector<double> array(int count, double low, double high) {
    std::vector<double> values(count);
    for (double& value : values) value = uniform(low, high);
    return values;
  }

  int below(int bound) { return static_cast<int>(next() % bound); }

 private:
  std::uint64_t state_;
};

struct GmmInput {
  int d, k, n;
  double gamma = 1.0;
  int m = 0;
  std::vector<double> alpha, mu, q, l, x;

  GmmInput(int d_, int k_, int n_) : d(d_), k(k_), n(n_) {
    Random random(1);
    alpha = random.array(k, -1, 1);
    mu = random.array(k * d, -1, 1);
    q = random.array(k * d, -0.5, 0.5);
    l = random.array(k * gmm::triangle_size(d), -0.5, 0.5);
    x = random.array(n * d, -1, 1);
  }
};

struct BaInput {
  int cameras, points, observations;
  std::vector<double> camera, point, weight, feature;
  std::vector<int> pairs;

  BaInput(int cameras_, int points_, int observations_)
      : cameras(cameras_), points(points_), observations(observations_) {
    Random random(2);
    for (int i = 0; i < cameras; ++i) {
      for (int j = 0; j < 3; ++j) camera.push_back(random.uniform(-0.2, 0.2));
      for (int j = 0; j < 3; ++j) camera.push_back(random.uniform(-1, 1));
      camera.push_back(random.uniform(400, 600));
      for (int j = 0; j < 2; ++j) camera.push_back(random.uniform(-5, 5));
      for (int j = 0; j < 2; ++j) camera.push_back(random.uniform(-0.1, 0.1));
    }
    for (int i = 0; i < points; ++i) {
      for (int j = 0; j < 2; ++j) point.push_back(random.uniform(-2, 2));
      point.push_back(random.uniform(4, 8));
    }
    weight = random.array(observations, 0.5, 1.5);
    feature = random.array(2 * observations, -100, 100);
    for (int i = 0; i < observations; ++i) {
      pairs.push_back(random.below(cameras));
      pairs.push_back(random.below(points));
    }
  }
};

struct LstmInput {
  int width, layers, length;
  std::vector<double> weights, readout, start, sequence;

  LstmInput(int width_, int layers_, int length_)
      : width(width_), layers(layers_), length(length_) {
    Random random(3);
    weights = random.array(lstm::weight_count(width, layers), -1, 1);
    readout = random.array(3 * width, -1, 1);
    start = random.array(lstm::state_size(width, layers), -0.5, 0.5);
    for (int i = 0; i < width * length; ++i)
      sequence.push_back(random.below(2));
  }
};

struct OdeInput {
  int n, steps;
  std::vector<double> x;

  OdeInput(int n_, int steps_) : n(n_), steps(steps_) {
    Random random(4);
    x = random.array(n, 0.5, 1.5);
  }
};

struct LoopInput {
  int n;
  double a = 1.3, b = 0.4, start = 0.2;
};

struct HandInput {
  hand::Model model;
  int count;
  std::vector<int> parents, matches;
  std::vector<double> relatives, inverse_at_rest, positions, weights, points,
      theta;

  HandInput(int vertices, int count_) : count(count_) {
    using hand::kBones;
    Random random(5);
    // Rest pose: every bone a pure translation from its parent.
    std::vector<double> world(3 * kBones, 0.0);
    for (int bone = 0; bone < kBones; ++bone) {
      const int parent = bone == 0 ? -1 : bone == 1 ? 0
                         : (bone - 2) % 4 == 0 ? 1 : bone - 1;
      parents.push_back(parent);
      for (int r = 0; r < 3; ++r) {
        const double shift = random.uniform(-0.5, 0.5) + (r == 1 ? 1.0 : 0.0);
        world[3 * bone + r] = shift + (parent < 0 ? 0.0 : world[3 * parent + r]);
        for (int c = 0; c < 3; ++c) {
          relatives.push_back(r == c ? 1.0 : 0.0);
          inverse_at_rest.push_back(r == c ? 1.0 : 0.0);
        }
        relatives.push_back(shift);
        inverse_at_rest.push_back(-world[3 * bone + r]);
      }
    }
    positions = random.array(3 * vertices, -1, 5);
    // Every vertex hangs on two bones.
    weights.assign(kBones * vertices, 0.0);
    for (int v = 0; v < vertices; ++v) {
      const int one = random.below(kBones), two = random.below(kBones);
      const double share = random.uniform(0, 1);
      weights[one * vertices + v] += share;
      weights[two * vertices + v] += 1.0 - share;
    }
    for (int i = 0; i < count; ++i) matches.push_back(random.below(vertices));
    points = random.array(3 * count, -1, 5);
    theta = random.array(hand::kTheta, -0.6, 0.6);
    model = {vertices,         parents.data(),   relatives.data(),
             inverse_at_rest.data(), positions.data(), weights.data(),
             false};
  }
  HandInput(const HandInput&) = delete;
};

}  // namespace bench
