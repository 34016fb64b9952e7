#include "reduce/operator.hpp"

namespace railgauge::reduce {

std::string_view name(Operator op) {
  switch (op) {
    case Operator::sum: return "sum";
    case Operator::prod: return "prod";
    case Operator::min: return "min";
    case Operator::max: return "max";
    case Operator::avg: return "avg";
  }
  return "unknown";
}

std::optional<Operator> reduction_operator(std::string_view wanted) {
  for (const Operator op : kOperators) {
    if (name(op) == wanted) return op;
  }
  return std::nullopt;
}

}  // namespace railgauge::reduce
