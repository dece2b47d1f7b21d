// SPDX-License-Identifier: Apache-2.0
//
// Where the plugin's CPU time goes (-fplugin-arg-tlaloc-time). Steps nest; an inner step's time is not the outer one's.
#pragma once

#include <array>
#include <string>

namespace tlaloc::frontend {

class Times {
 public:
  /// `templates`: instantiation that Clang would have done next anyway; not part of the total.
  enum Step { templates, find, lower, derive, print, format, parse, glue, outside };

  class In {
   public:
    In(Times& times, Step step) : times_(times), before_(times.enter(step)) {}
    ~In() { times_.enter(before_); }
    In(const In&) = delete;
    In& operator=(const In&) = delete;

   private:
    Times& times_;
    Step before_;
  };

  double total() const;
  std::string report() const;

 private:
  Step enter(Step);                               // gives the step that was running
  std::array<double, outside + 1> ms_ = {};
  Step now_ = outside;
  double since_ = 0;
};

}  // namespace tlaloc::frontend
