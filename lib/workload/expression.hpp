#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railgauge::workload {

/// The names that an expression may use. The last of a name counts.
class Scope {
 public:
  void set(std::string name, std::int64_t value) { values_.emplace_back(std::move(name), value); }
  /// Takes back the last `count` names.
  void drop(std::size_t count = 1) { values_.resize(values_.size() - count); }
  /// Throws std::invalid_argument, with the names there are.
  [[nodiscard]] std::int64_t value(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::int64_t>> values_{};
};

/// The value of an expression of whole numbers, names and
/// - `+ - * / %` (of which / and % round down and need a positive divisor), `< <= > >= == !=`,
///   `&& || !`, `c ? a : b` and parentheses, with the precedence of C;
/// - `min(a, b)`, `max(a, b)`, `ceil(a, b)`, which is a / b rounded up;
/// - `share(n, i, of)`: how many of n things go to the i-th of so many, as evenly as possible;
/// - `zipf(n, i, of, alpha, seed)`: the same if the k-th most wanted gets 1 / k^(alpha / 1000) of
///   what the first one gets. The seed says which of them is the k-th. The shares of all are n;
/// - `poisson(i, gap, seed)`: when the i-th of events happens, from 0 on, that are `gap` apart on
///   average and know nothing of each other. The seed says when they happen.
///
/// Throws std::invalid_argument, with the place in the expression, for anything else, a name that
/// is not known, and a number that 64 bits do not hold.
[[nodiscard]] std::int64_t evaluate(std::string_view expression, const Scope& scope);

/// Throws std::invalid_argument if it is none, whatever its names stand for.
void check_syntax(std::string_view expression);

}  // namespace railgauge::workload
