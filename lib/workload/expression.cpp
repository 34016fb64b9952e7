#include "workload/expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

#include "finding/words.hpp"
#include "manual/manual.hpp"

namespace railgauge::workload {
namespace {

using Value = std::int64_t;
using Values = std::vector<Value>;

constexpr std::array kLevels{std::array<std::string_view, 4>{"||"},
                             std::array<std::string_view, 4>{"&&"},
                             std::array<std::string_view, 4>{"==", "!="},
                             std::array<std::string_view, 4>{"<=", ">=", "<", ">"},
                             std::array<std::string_view, 4>{"+", "-"},
                             std::array<std::string_view, 4>{"*", "/", "%"}};

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

Value share(Value n, Value i, Value of) {
  return n / of + (i < n % of ? 1 : 0);
}

/// Who is the k-th most wanted of all, for each of them. std::shuffle is not the same everywhere.
std::vector<std::size_t> places(std::size_t of, Value seed) {
  std::vector<std::size_t> order(of);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  for (std::size_t i = of; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

Value zipf(Value n, Value i, Value of, Value alpha, Value seed) {
  constexpr double kThousandth = 1e-3;
  const double exponent = -kThousandth * static_cast<double>(alpha);
  const std::size_t place = places(static_cast<std::size_t>(of), seed)[static_cast<std::size_t>(i)];
  double before = 0;
  double own = 0;
  double all = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(of); ++k) {
    const double weight = std::pow(static_cast<double>(k + 1), exponent);
    if (k < place) before += weight;
    if (k == place) own = weight;
    all += weight;
  }
  const auto until = [&](double weights) {
    return std::llround(static_cast<double>(n) * (weights / all));
  };
  return until(before + own) - until(before);
}

/// Of events that are 1 apart on average, that of number i, kept for the next one of the seed.
/// std::exponential_distribution is not the same everywhere.
double arrival(std::size_t i, Value seed) {
  struct Known {
    Value seed = 0;
    std::mt19937_64 random{};
    std::vector<double> times{};
  };
  thread_local Known known;
  if (known.seed != seed || known.times.empty())
    known = {.seed = seed, .random = std::mt19937_64(static_cast<std::uint64_t>(seed))};
  constexpr unsigned kBitsOfNone = 11;  // of a number, beyond those of a double
  while (known.times.size() <= i) {
    const double uniform = std::ldexp(static_cast<double>(known.random() >> kBitsOfNone), -53);
    const double before = known.times.empty() ? 0 : known.times.back();
    known.times.push_back(before - std::log1p(-uniform));
  }
  return known.times[i];
}

/// Reads and evaluates in one go. Of what is not to be evaluated (the other branch of a choice, an
/// expression without a scope) only the syntax counts.
class Reader {
 public:
  Reader(std::string_view text, const Scope* scope) : text_(text), scope_(scope) {}

  Value all() {
    const Value value = choice(scope_ != nullptr);
    if (!rest().empty()) refuse("an operator or the end");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument("'" + std::string(text_) + "', at character " +
                                std::to_string(at_ + 1) + ": " + what);
  }
  [[noreturn]] void refuse(const std::string& expected) {
    const std::string_view left = rest();
    fail((left.empty() ? "it ends" : "'" + std::string(left.substr(0, 1)) + "'") +
         " where there should be " + expected);
  }
  std::string_view rest() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return text_.substr(at_);
  }
  bool take(std::string_view token) {
    if (!rest().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) refuse("'" + std::string(token) + "'");
  }

  Value choice(bool live) {
    if (++depth_ > kDeepest) fail("it is nested too deeply");
    const Value condition = binary(0, live);
    Value value = condition;
    if (take("?")) {
      const Value yes = choice(live && condition != 0);
      expect(":");
      const Value no = choice(live && condition == 0);
      value = condition != 0 ? yes : no;
    }
    --depth_;
    return value;
  }

  Value binary(std::size_t level, bool live) {
    if (level == kLevels.size()) return unary(live);
    Value left = binary(level + 1, live);
    while (const auto operation = operator_of(level)) {
      const bool decided = (*operation == "&&" && left == 0) || (*operation == "||" && left != 0);
      const Value right = binary(level + 1, live && !decided);
      if (live) left = result(*operation, left, right);
    }
    return left;
  }

  std::optional<std::string_view> operator_of(std::size_t level) {
    for (const std::string_view one : kLevels[level]) {
      if (!one.empty() && take(one)) return one;
    }
    return std::nullopt;
  }

  Value result(std::string_view operation, Value left, Value right) {
    if (operation == "||") return left != 0 || right != 0 ? 1 : 0;
    if (operation == "&&") return left != 0 && right != 0 ? 1 : 0;
    if (operation == "==") return left == right ? 1 : 0;
    if (operation == "!=") return left != right ? 1 : 0;
    if (operation == "<=") return left <= right ? 1 : 0;
    if (operation == ">=") return left >= right ? 1 : 0;
    if (operation == "<") return left < right ? 1 : 0;
    if (operation == ">") return left > right ? 1 : 0;
    if (operation == "/" || operation == "%") return divided(operation, left, right);
    Value value = 0;
    const bool overflows = operation == "+"   ? __builtin_add_overflow(left, right, &value)
                           : operation == "-" ? __builtin_sub_overflow(left, right, &value)
                                              : __builtin_mul_overflow(left, right, &value);
    if (overflows) fail("the result does not fit into 64 bits");
    return value;
  }

  Value divided(std::string_view operation, Value left, Value right) {
    if (right <= 0) fail("the divisor is " + std::to_string(right) + "; it has to be above 0");
    const Value remainder = left % right;  // of the sign of left
    if (operation == "%") return remainder < 0 ? remainder + right : remainder;
    return left / right - (remainder < 0 ? 1 : 0);
  }

  Value unary(bool live) {
    if (++depth_ > kDeepest) fail("it is nested too deeply");
    Value value = 0;
    if (take("!")) {
      value = unary(live) == 0 ? 1 : 0;
    } else if (take("-")) {
      value = result("-", 0, unary(live));
    } else {
      value = primary(live);
    }
    --depth_;
    return value;
  }

  Value primary(bool live) {
    if (take("(")) {
      const Value value = choice(live);
      expect(")");
      return value;
    }
    const std::string_view left = rest();
    if (!left.empty() && is_digit(left.front())) return number();
    if (!left.empty() && is_letter(left.front())) return name(live);
    refuse("a number, a name or '('");
  }

  Value number() {
    const std::string_view left = rest();
    Value value = 0;
    const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), value);
    if (error != std::errc{}) fail("the number does not fit into 64 bits");
    const auto digits = static_cast<std::size_t>(end - left.data());
    if (digits < left.size() && (is_letter(left[digits]) || left[digits] == '.'))
      fail("numbers are whole, without units");
    at_ += digits;
    return value;
  }

  Value name(bool live) {
    const std::string_view left = rest();
    const auto* const end =
        std::ranges::find_if(left, [](char c) { return !is_letter(c) && !is_digit(c); });
    const std::string_view word = left.substr(0, static_cast<std::size_t>(end - left.begin()));
    if (word.size() < left.size() && left[word.size()] == '(') return call(word, live);
    try {
      const Value value = live ? scope_->value(word) : 0;
      at_ += word.size();
      return value;
    } catch (const std::invalid_argument& unknown) {
      fail(unknown.what());
    }
  }

  Value call(std::string_view function, bool live) {
    const std::size_t begin = at_;
    at_ += function.size() + 1;
    Values values;
    do values.push_back(choice(live));
    while (take(","));
    expect(")");
    const std::size_t end = std::exchange(at_, begin);  // which is where it would be wrong
    const Value value = called(function, values, live);
    at_ = end;
    return value;
  }

  Value called(std::string_view function, const Values& values, bool live) {
    struct Function {
      std::string_view name;
      std::size_t arguments;
    };
    static constexpr std::array kFunctions{Function{"min", 2},  Function{"max", 2},
                                           Function{"ceil", 2}, Function{"share", 3},
                                           Function{"zipf", 5}, Function{"poisson", 3}};
    const auto* const found = std::ranges::find(kFunctions, function, &Function::name);
    if (found == kFunctions.end())
      fail("there is no function '" + std::string(function) +
           "': expected min, max, ceil, share, zipf or poisson");
    if (values.size() != found->arguments)
      fail(std::string(function) + " has " + std::to_string(found->arguments) + " arguments, not " +
           std::to_string(values.size()));
    if (!live) return 0;
    if (function == "min") return std::min(values[0], values[1]);
    if (function == "max") return std::max(values[0], values[1]);
    if (function == "ceil")
      return divided("/", values[0], values[1]) + (divided("%", values[0], values[1]) > 0 ? 1 : 0);
    return function == "poisson" ? poisson(values) : shared(function, values);
  }

  Value poisson(const Values& values) {
    constexpr Value kMostApart = 1'000'000'000'000;
    if (values[0] < 0 || values[0] >= kMost || values[1] < 0 || values[1] > kMostApart)
      fail("poisson has events up to " + std::to_string(kMost) + ", and a gap up to 10^12");
    return std::llround(static_cast<double>(values[1]) *
                        arrival(static_cast<std::size_t>(values[0]), values[2]));
  }

  Value shared(std::string_view function, const Values& values) {
    if (values[0] < 0 || values[2] < 1 || values[2] > kMost || values[1] < 0 ||
        values[1] >= values[2])
      fail(std::string(function) + " of " + std::to_string(values[0]) + " things: there is no " +
           std::to_string(values[1]) + " of " + std::to_string(values[2]));
    if (function == "share") return share(values[0], values[1], values[2]);
    if (values[3] < 0) fail("zipf has an alpha from 0 on, in thousandths");
    return zipf(values[0], values[1], values[2], values[3], values[4]);
  }

  static constexpr Value kMost = 1 << 20;
  static constexpr int kDeepest = 100;

  std::string_view text_;
  const Scope* scope_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::int64_t Scope::value(std::string_view name) const {
  const auto found = std::ranges::find(values_.rbegin(), values_.rend(), name,
                                       &std::pair<std::string, std::int64_t>::first);
  if (found != values_.rend()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, value] : values_) names.push_back(known);
  throw std::invalid_argument("'" + std::string(name) + "' is not known here: there are " +
                              finding::listed(names) + manual::did_you_mean(name, names));
}

std::int64_t evaluate(std::string_view expression, const Scope& scope) {
  return Reader(expression, &scope).all();
}

void check_syntax(std::string_view expression) {
  (void)Reader(expression, nullptr).all();
}

}  // namespace railgauge::workload
