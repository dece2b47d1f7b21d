// SPDX-License-Identifier: Apache-2.0
//
// What the structures of the operands say is settled here, as lists of positions; values are taken and added at those.
#include "tlaloc/sparse.hpp"

#include "ir/sparse.hpp"
#include "tensor/node.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tlaloc::sparse {

namespace ops = ir::ops;
using namespace dynamic;
using ir::Ints, ir::X;
using Xs = std::span<const X>;

namespace {

[[noreturn]] void misfit(const char* op, const std::string& why) { refuse("TENSOR_SHAPE_MISMATCH", std::string(op) + ": " + why); }
std::string extents(const Pattern& p) { return std::to_string(p.rows()) + " x " + std::to_string(p.columns()); }
void need_same_dtype(const char* op, const AnyTensor& a, const AnyTensor& b) {
  if (a.type() != b.type()) refuse("DTYPE_MISMATCH", std::string(op) + ": " + ir::text(element_of(a)) + " and " + ir::text(element_of(b)));
}
void need_same_extents(const char* op, const Stored& a, const Stored& b) {
  need_same_dtype(op, a.values, b.values);
  if (a.pattern.rows() != b.pattern.rows() || a.pattern.columns() != b.pattern.columns()) misfit(op, extents(a.pattern) + " and " + extents(b.pattern));
}
Ints rows_of(const Pattern& p) { return ir::rows_of(p.row_start()); }
Ints places_in_dense(const Pattern& p) {
  Ints at = rows_of(p);
  for (std::size_t e = 0; e < at.size(); ++e) at[e] = at[e] * p.columns() + p.column()[e];
  return at;
}
/// f in double, the result in the dtype of the first operand: sums of floats are rounded once.
AnyTensor in_f64(std::initializer_list<AnyTensor> in, const std::function<X(Xs)>& f) {
  return composed(in, [&](Xs xs) {
    std::vector<X> wide;
    for (X x : xs) wide.push_back(convert(x, ir::DType::f64));
    return convert(f(wide), xs[0].type().dtype);
  });
}

/// Collects places row by row and says where each went.
class Builder {
 public:
  Builder(extent_t rows, extent_t columns) : rows_(rows), columns_(columns) {}
  void add(std::int64_t i, std::int64_t j) { places_.emplace_back(i, j); }
  Pattern pattern() {
    auto sorted = places_;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::vector<std::int64_t> start(std::size_t(rows_) + 1), column;
    for (auto& [i, j] : sorted) ++start[std::size_t(i) + 1], column.push_back(j);
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (auto& p : places_) at_.push_back(std::lower_bound(sorted.begin(), sorted.end(), p) - sorted.begin());
    return Pattern(rows_, columns_, std::move(start), std::move(column));
  }
  /// After pattern(): the position of each place, in the order in which they were added.
  const Ints& at() const { return at_; }

 private:
  extent_t rows_, columns_;
  std::vector<std::pair<std::int64_t, std::int64_t>> places_;
  Ints at_;
};

Stored combined(const char* op, const Stored& a, const Stored& b, bool subtract) {
  need_same_extents(op, a, b);
  Builder all(a.pattern.rows(), a.pattern.columns());
  for (auto* p : {&a.pattern, &b.pattern}) {
    const Ints rows = rows_of(*p);
    for (std::size_t e = 0; e < rows.size(); ++e) all.add(rows[e], p->column()[e]);
  }
  Pattern pattern = all.pattern();
  const auto from_b = all.at().begin() + a.pattern.nonzeros();
  const Ints at_a(all.at().begin(), from_b), at_b(from_b, all.at().end());
  const extent_t n = pattern.nonzeros();
  return {std::move(pattern), composed({a.values, b.values}, [&](Xs x) {
            const X l = gathered_sums(x[0], at_a, 0, n), r = gathered_sums(x[1], at_b, 0, n);
            return subtract ? l - r : l + r;
          })};
}

}  // namespace

Pattern::Pattern(extent_t rows, extent_t columns, std::vector<std::int64_t> row_start, std::vector<std::int64_t> column)
    : data_(std::make_shared<const Data>(Data{rows, columns, std::move(row_start), std::move(column)})) {
  const auto& start = data_->row_start;
  const auto& at = data_->column;
  if (rows < 0 || columns < 0) misfit("sparse", "an extent of " + std::to_string(std::min(rows, columns)));
  if (extent_t(start.size()) != rows + 1) misfit("sparse", std::to_string(start.size()) + " row starts for " + std::to_string(rows) + " rows");
  if (start.front() != 0 || start.back() != std::int64_t(at.size()) || !std::is_sorted(start.begin(), start.end()))
    misfit("sparse", "the row starts do not ascend from 0 to the number of values");
  for (std::size_t i = 0; i + 1 < start.size(); ++i)
    for (std::int64_t e = start[i]; e < start[i + 1]; ++e) {
      const std::int64_t j = at[std::size_t(e)];
      if (j < 0 || j >= columns) refuse("INDEX_OUT_OF_RANGE", "sparse: the column " + std::to_string(j) + " of " + std::to_string(columns));
      if (e > start[i] && j <= at[std::size_t(e) - 1]) misfit("sparse", "the columns of row " + std::to_string(i) + " do not ascend");
    }
}
bool Pattern::operator==(const Pattern& o) const {
  return data_ == o.data_ || (rows() == o.rows() && columns() == o.columns() && row_start() == o.row_start() && column() == o.column());
}
void need_fit(const Stored& s) {
  if (s.values.rank() != 1 || s.values.extent(0) != s.pattern.nonzeros())
    misfit("sparse", ir::text(type_of(s.values)) + " for " + std::to_string(s.pattern.nonzeros()) + " stored values");
}

Stored from_coo(extent_t rows, extent_t columns, std::span<const std::int64_t> i, std::span<const std::int64_t> j, const AnyTensor& values) {
  if (i.size() != j.size() || values.rank() != 1 || values.extent(0) != extent_t(i.size()))
    misfit("from_coo", std::to_string(i.size()) + " rows, " + std::to_string(j.size()) + " columns, values " + ir::text(type_of(values)));
  Builder all(rows, columns);
  for (std::size_t e = 0; e < i.size(); ++e) {
    if (i[e] < 0 || i[e] >= rows) refuse("INDEX_OUT_OF_RANGE", "from_coo: the row " + std::to_string(i[e]) + " of " + std::to_string(rows));
    if (j[e] < 0 || j[e] >= columns) refuse("INDEX_OUT_OF_RANGE", "from_coo: the column " + std::to_string(j[e]) + " of " + std::to_string(columns));
    all.add(i[e], j[e]);
  }
  Pattern pattern = all.pattern();
  const extent_t n = pattern.nonzeros();
  return {std::move(pattern), in_f64({values}, [&](Xs x) { return gathered_sums(x[0], all.at(), 0, n); })};
}
AnyTensor to_dense(const Stored& a) {
  const extent_t m = a.pattern.rows(), n = a.pattern.columns();
  return composed({a.values}, [&](Xs x) { return reshape(gathered_sums(x[0], places_in_dense(a.pattern), 0, m * n), {m, n}); });
}
AnyTensor product(const Stored& a, const AnyTensor& dense) {
  need_same_dtype("matmul", a.values, dense);
  if (dense.rank() < 1 || dense.rank() > 2 || dense.extent(0) != a.pattern.columns()) misfit("matmul", extents(a.pattern) + " and " + ir::text(type_of(dense)));
  return in_f64({a.values, dense}, [&](Xs x) {
    const X rows = taken(x[1], a.pattern.column(), 0);
    return gathered_sums(broadcast(x[0], rows.type().dims, {0}) * rows, rows_of(a.pattern), 0, a.pattern.rows());
  });
}
Stored product(const Stored& a, const Stored& b) {
  need_same_dtype("matmul", a.values, b.values);
  if (a.pattern.columns() != b.pattern.rows()) misfit("matmul", extents(a.pattern) + " and " + extents(b.pattern));
  Builder all(a.pattern.rows(), b.pattern.columns());
  Ints from_a, from_b;
  const Ints rows = rows_of(a.pattern);
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const auto k = std::size_t(a.pattern.column()[e]);
    for (std::int64_t f = b.pattern.row_start()[k]; f < b.pattern.row_start()[k + 1]; ++f) {
      from_a.push_back(std::int64_t(e)), from_b.push_back(f);
      all.add(rows[e], b.pattern.column()[std::size_t(f)]);
    }
  }
  Pattern pattern = all.pattern();
  const extent_t n = pattern.nonzeros();
  return {std::move(pattern), in_f64({a.values, b.values}, [&](Xs x) { return gathered_sums(taken(x[0], from_a, 0) * taken(x[1], from_b, 0), all.at(), 0, n); })};
}
Stored sum(const Stored& a, const Stored& b) { return combined("add", a, b, false); }
Stored difference(const Stored& a, const Stored& b) { return combined("sub", a, b, true); }
Stored elementwise_product(const Stored& a, const Stored& b) {
  need_same_extents("mul", a, b);
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> in_b;
  const Ints rows_b = rows_of(b.pattern), rows_a = rows_of(a.pattern);
  for (std::size_t e = 0; e < rows_b.size(); ++e) in_b[{rows_b[e], b.pattern.column()[e]}] = std::int64_t(e);
  Builder both(a.pattern.rows(), a.pattern.columns());
  Ints from_a, from_b;
  for (std::size_t e = 0; e < rows_a.size(); ++e) {
    const auto it = in_b.find({rows_a[e], a.pattern.column()[e]});
    if (it == in_b.end()) continue;
    from_a.push_back(std::int64_t(e)), from_b.push_back(it->second);
    both.add(rows_a[e], a.pattern.column()[e]);
  }
  return {both.pattern(), composed({a.values, b.values}, [&](Xs x) { return taken(x[0], from_a, 0) * taken(x[1], from_b, 0); })};
}
Stored elementwise_product(const Stored& a, const AnyTensor& dense) {
  need_same_dtype("mul", a.values, dense);
  if (dense.shape() != Shape{a.pattern.rows(), a.pattern.columns()}) misfit("mul", extents(a.pattern) + " and " + ir::text(type_of(dense)));
  return {a.pattern, composed({a.values, dense}, [&](Xs x) {
            return x[0] * taken(reshape(x[1], {a.pattern.rows() * a.pattern.columns()}), places_in_dense(a.pattern), 0);
          })};
}
Stored transposed(const Stored& a) {
  const Ints rows = rows_of(a.pattern);
  Builder turned(a.pattern.columns(), a.pattern.rows());
  for (std::size_t e = 0; e < rows.size(); ++e) turned.add(a.pattern.column()[e], rows[e]);
  Pattern pattern = turned.pattern();
  return {std::move(pattern), composed({a.values}, [&](Xs x) { return taken(x[0], ir::inverse(turned.at()), 0); })};
}
AnyTensor solve(const Stored& a, const AnyTensor& b) {
  const extent_t n = a.pattern.rows();
  need_same_dtype("solve", a.values, b);
  if (a.pattern.columns() != n || b.rank() < 1 || b.rank() > 2 || b.extent(0) != n) misfit("solve", extents(a.pattern) + " and " + ir::text(type_of(b)));
  return composed({a.values, b}, [&](Xs x) {
    const X columns = reshape(x[1], {n, b.rank() == 1 ? 1 : b.extent(1)});
    return reshape(ops::sparse_solve(x[0], columns, a.pattern.row_start(), a.pattern.column(), 0), x[1].type().dims);
  });
}

}  // namespace tlaloc::sparse
