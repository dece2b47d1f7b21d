// SPDX-License-Identifier: Apache-2.0
//
// A11: Class with state, const and mutating member functions.
#include "case.hpp"

class Oscillator {
 public:
  Oscillator(double position, double speed) : position_(position), speed_(speed) {}
  void step(double stiffness, double dt) {
    speed_ -= stiffness * position_ * dt;
    position_ += speed_ * dt;
  }
  double energy(double stiffness) const {
    return 0.5 * speed_ * speed_ + 0.5 * stiffness * position_ * position_;
  }
 private:
  double position_, speed_;
};
double f(double stiffness, double start) {
  Oscillator o(start, 0.0);
  for (int i = 0; i < 5; ++i) o.step(stiffness, 0.1);
  return o.energy(stiffness);
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 1.6687175169618279, .gradient = {0.6475051306191749, 2.7811958616030466}}, 2.5, 1.2);
  return run.done();
}
