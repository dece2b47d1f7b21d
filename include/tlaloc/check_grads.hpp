// SPDX-License-Identifier: Apache-2.0
//
// Compares a derivative with finite differences of the function itself. Plain C++; for tests of rules and of functions whose
// derivative one does not trust.
#pragma once

#include "tlaloc/ad.hpp"
#include "tlaloc/detail/fields.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace tlaloc {

/// What check_grads() found, number by number.
struct gradient_report {
  enum verdict : unsigned char {
    right,
    wrong,
    unsure                                        // the differences do not settle: a kink, noise, or a value that is not finite
  };
  struct entry {
    std::string place;                            // "argument 1[3]", "result[0] by argument 1[3]"
    double derivative, difference, error;         // error: how far off the difference may be
    verdict found;
  };
  std::vector<entry> entries;

  std::size_t count(verdict v) const {
    return std::size_t(std::count_if(entries.begin(), entries.end(), [&](auto& e) { return e.found == v; }));
  }
  /// Nothing is wrong, and something was found right.
  bool passed() const { return count(wrong) == 0 && count(right) > 0; }
  explicit operator bool() const { return passed(); }
  /// A line with the counts, then at most `most` lines: what is wrong, the worst first, then what is unsure.
  std::string text(std::size_t most = 20) const {
    std::string out = std::to_string(entries.size()) + " numbers against differences: " + std::to_string(count(right)) + " right, " +
                      std::to_string(count(wrong)) + " wrong, " + std::to_string(count(unsure)) + " unsure\n";
    std::vector<entry> bad;
    for (auto& e : entries) if (e.found != right) bad.push_back(e);
    auto off = [](const entry& e) { return std::isnan(e.derivative) ? std::numeric_limits<double>::infinity() : std::fabs(e.derivative - e.difference); };
    std::sort(bad.begin(), bad.end(), [&](auto& a, auto& b) {
      if (a.found != b.found) return a.found == wrong;
      return off(a) != off(b) ? off(a) > off(b) : a.place < b.place;
    });
    for (std::size_t i = 0; i < bad.size() && i < most; ++i) {
      char line[160];
      std::snprintf(line, sizeof line, "derivative %.10g, difference %.10g +- %.1g", bad[i].derivative, bad[i].difference, bad[i].error);
      out += (bad[i].found == wrong ? "  wrong:  " : "  unsure: ") + bad[i].place + ": " + line + "\n";
    }
    if (bad.size() > most) out += "  ... and " + std::to_string(bad.size() - most) + " more\n";
    return out;
  }
};

namespace detail {

/// An argument of which check_grads may move each number: a copy; of a span a vector.
template <class T_> struct Held {
  T_ x;
  T_& get() { return x; }
};
template <class E_, std::size_t N_> struct Held<std::span<E_, N_>> {
  explicit Held(std::span<E_, N_> s) : x(s.begin(), s.end()) {}
  std::vector<std::remove_cv_t<E_>> x;
  std::span<E_, N_> get() { return std::span<E_, N_>(x); }
};

/// Calls visit with each floating-point number.
template <class T_, class Visit> void each_number(T_& x, const std::string& place, const Visit& visit) {
  using U_ = std::remove_cv_t<T_>;
  if constexpr (std::is_floating_point_v<U_>) {
    visit(x, place);
  } else if constexpr (std::is_integral_v<U_> || std::is_enum_v<U_>) {
  } else if constexpr (requires { std::tuple_size<U_>::value; } && !requires { x.begin(); }) {
    std::apply([&](auto&... part) { int k = 0; (each_number(part, place + "." + std::to_string(k++), visit), ...); }, x);
  } else if constexpr (requires { x.begin(); }) {
    std::size_t i = 0;
    for (auto& e : x) each_number(e, place + "[" + std::to_string(i++) + "]", visit);
  } else if constexpr (requires { x.rows(); x.row(0); }) {
    for (std::size_t i = 0; i < x.rows(); ++i) { auto row = x.row(i); each_number(row, place + "[" + std::to_string(i) + "]", visit); }
  } else {
    static_assert(std::is_aggregate_v<U_>, "check_grads looks into numbers, ranges, tuples, matrices and structs without constructors; else check a lambda over the numbers");
    with_fields(x, [&](auto&... part) { int k = 0; (each_number(part, place + "." + std::to_string(k++), visit), ...); });
  }
}
template <class T_> std::vector<double> all_numbers(const T_& x) {
  std::vector<double> r;
  each_number(x, "", [&](double v, const std::string&) { r.push_back(v); });
  return r;
}

struct Slope { double value, error; };
/// The derivatives of f (which gives numbers that are exact to `epsilon`) at 0, from central differences at ever smaller
/// steps, extrapolated to step zero. The error is how much the best neighbours of each table differ, and rounding.
template <class F_> std::vector<Slope> slopes(const F_& f, double step, double epsilon) {
  constexpr int levels = 10;
  std::vector<std::vector<double>> rows, rounding;
  for (int i = 0; i < levels; ++i, step /= 2) {
    std::vector<double> up = f(step);
    const std::vector<double> down = f(-step);
    auto& off = rounding.emplace_back();
    for (std::size_t k = 0; k < up.size(); ++k) {
      off.push_back(epsilon * std::max(std::fabs(up[k]), std::fabs(down[k])) / step);
      up[k] = (up[k] - down[k]) / (2 * step);
    }
    rows.push_back(std::move(up));
  }
  std::vector<Slope> out;
  for (std::size_t k = 0; k < rows[0].size(); ++k) {
    Slope best{rows[0][k], std::numeric_limits<double>::infinity()};
    std::vector<double> before;
    for (int i = 0; i < levels; ++i) {
      std::vector<double> now{rows[std::size_t(i)][k]};
      double factor = 4;
      for (std::size_t j = 0; j < before.size(); ++j, factor *= 4) {
        now.push_back(now[j] + (now[j] - before[j]) / (factor - 1));
        const double error = std::max(std::fabs(now[j + 1] - now[j]), std::fabs(now[j + 1] - before[j])) + rounding[std::size_t(i)][k];
        if (error < best.error) best = {now[j + 1], error};
      }
      before = std::move(now);
    }
    out.push_back(best);
  }
  return out;
}

template <class D_> struct derivative_parts;
template <mode M_, class F_, class Site, arg... W_> struct derivative_parts<Derivative<M_, F_, Site, W_...>> {
  static constexpr mode kind = M_;
  using Sig = signature_t<F_>;
  static constexpr auto plan = make_plan<M_, Sig, W_...>::plain();
  static constexpr bool named = by_name<W_...>;
};

/// One check at work.
template <class D_, class... A_> class GradientCheck {
  using P_ = derivative_parts<D_>;
  static constexpr mode M_ = P_::kind;
  static_assert(!P_::named, "check_grads needs the arguments selected by position");
  static constexpr std::size_t count = sizeof(P_::plan.roles) / sizeof(role) - 1;

 public:
  GradientCheck(const D_& df, const A_&... a) : df_(df), held_{Held<A_>{a}...} {
    auto look = [&](auto& x) {
      each_number(x, "", [&](auto& v, const std::string&) {
        epsilon_ = std::max(epsilon_, double(std::numeric_limits<std::remove_cvref_t<decltype(v)>>::epsilon()));
      });
    };
    std::apply([&](auto&... held) { (look(held.x), ...); }, held_);
    const auto y = call(Inside::callable(df_), std::make_index_sequence<count>());
    look(y);
  }

  gradient_report run() {
    auto got = call(df_, std::make_index_sequence<sizeof...(A_)>());
    const double exact = is_second(M_) ? 1e6 * epsilon_ : epsilon_;      // of what is differenced: the gradient is so itself
    if constexpr (takes_tangents(M_)) {
      std::vector<std::vector<double>> along;
      extras([&](auto& x) { along.push_back(all_numbers(x)); });
      const auto want = slopes([&](double t) {
        std::vector<double> moved;
        std::size_t k = 0;
        selected([&](auto& held, std::size_t) {
          std::size_t i = 0;
          each_number(held.x, "", [&](auto& x, const std::string&) { moved.push_back(double(x)), x += std::remove_reference_t<decltype(x)>(t * along[k][i++]); });
          ++k;
        });
        auto y = differenced();
        std::size_t i = 0;
        selected([&](auto& held, std::size_t) { each_number(held.x, "", [&](auto& x, const std::string&) { x = std::remove_reference_t<decltype(x)>(moved[i++]); }); });
        return y;
      }, 0.1, exact);
      std::size_t i = 0;
      each_number(derivative(got), "result", [&](double x, const std::string& place) { add(place, x, want.at(i++)); });
    } else {
      std::size_t k = 0, column = 0;
      selected([&](auto& held, std::size_t argument) {
        const auto computed = part(got, k++);
        std::size_t total = 0, at = 0;
        each_number(held.x, "", [&](auto&, const std::string&) { ++total; });
        each_number(held.x, "argument " + std::to_string(argument), [&](auto& x, const std::string& place) {
          using T_ = std::remove_reference_t<decltype(x)>;
          const T_ before = x;
          const auto want = slopes([&](double t) { x = T_(double(before) + t); auto y = differenced(); x = before; return y; }, 0.1 * std::max(1.0, std::fabs(double(before))), exact);
          if constexpr (M_ == mode::hessian) {
            for (std::size_t j = 0; j < want.size(); ++j) add("result[" + std::to_string(j) + "] by " + place, computed.at(j * want.size() + column), want[j]);
            ++column;
          } else if constexpr (is_jacobian(M_)) {
            for (std::size_t j = 0; j < want.size(); ++j) add("result[" + std::to_string(j) + "] by " + place, computed.at(j * total + at), want[j]);
          } else {
            Slope sum{0, 0};
            std::vector<double> weights{1};
            if constexpr (is_vjp(M_)) extras([&](auto& c) { weights = all_numbers(c); });
            for (std::size_t j = 0; j < want.size(); ++j) sum.value += weights.at(j) * want[j].value, sum.error += std::fabs(weights[j]) * want[j].error;
            add(place, computed.at(at), sum);
          }
          ++at;
        });
      });
    }
    return std::move(report_);
  }

 private:
  template <class F_, std::size_t... I_> auto call(const F_& f, std::index_sequence<I_...>) { return f(std::get<I_>(held_).get()...); }
  std::vector<double> value() { return all_numbers(call(Inside::callable(df_), std::make_index_sequence<count>())); }
  /// What the derivative is compared with the differences of: f, or f's gradient, itself from differences.
  std::vector<double> differenced() {
    if constexpr (!is_second(M_)) return value();
    std::vector<double> gradient;
    selected([&](auto& held, std::size_t) {
      each_number(held.x, "", [&](auto& x, const std::string&) {
        using T_ = std::remove_reference_t<decltype(x)>;
        const T_ before = x;
        gradient.push_back(slopes([&](double t) { x = T_(double(before) + t); auto y = value(); x = before; return y; }, 0.1 * std::max(1.0, std::fabs(double(before))), epsilon_).at(0).value);
      });
    });
    return gradient;
  }
  template <class Visit> void selected(const Visit& visit) {
    [&]<std::size_t... K_>(std::index_sequence<K_...>) {
      (visit(std::get<std::size_t(P_::plan.order[K_])>(held_), std::size_t(P_::plan.order[K_])), ...);
    }(std::make_index_sequence<std::size_t(P_::plan.returned)>());
  }
  template <class Visit> void extras(const Visit& visit) {
    [&]<std::size_t... K_>(std::index_sequence<K_...>) { (visit(std::get<count + K_>(held_).x), ...); }(std::make_index_sequence<sizeof...(A_) - count>());
  }
  template <class G_> static auto& derivative(G_& got) {
    if constexpr (with_value(M_)) return got.second;
    else return got;
  }
  template <class G_> static std::vector<double> part(G_& got, std::size_t k) {
    if constexpr (P_::plan.returned == 1 || M_ == mode::hessian) {
      return all_numbers(derivative(got));
    } else {
      std::vector<double> r;
      std::size_t i = 0;
      std::apply([&](auto&... p) { ((i++ == k ? void(r = all_numbers(p)) : void()), ...); }, derivative(got));
      return r;
    }
  }
  void add(const std::string& place, double got, Slope want) {
    const double scale = std::max(1.0, std::fabs(want.value)), sure = 1e-3 * scale;
    auto found = gradient_report::right;
    if (!(std::fabs(got - want.value) <= 1e-7 * scale + 10 * want.error)) found = gradient_report::wrong;
    if (!(want.error <= sure)) found = gradient_report::unsure;
    report_.entries.push_back({place, got, want.value, want.error, found});
  }

  const D_& df_;
  std::tuple<Held<A_>...> held_;
  gradient_report report_;
  double epsilon_ = 0;                            // of the least exact number type
};

}  // namespace detail

/// Compares a derivative (arguments selected by position and given as they are) with finite differences of its function at the
/// arguments of one call. Arguments are numbers, ranges and structs of them (without C arrays) and passive values. The function
/// runs 20 times for each number, at points up to a tenth (of it or of 1) away; for second derivatives 400 times for each pair.
template <class D_, class... A_> gradient_report check_grads(const D_& df, A_&&... a) {
  return detail::GradientCheck<D_, std::remove_cvref_t<A_>...>(df, a...).run();
}

}  // namespace tlaloc
