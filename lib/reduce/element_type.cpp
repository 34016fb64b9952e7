#include "reduce/element_type.hpp"

namespace railgauge::reduce {

std::string_view name(ElementType type) {
  switch (type) {
    case ElementType::int8: return "int8";
    case ElementType::uint8: return "uint8";
    case ElementType::int32: return "int32";
    case ElementType::uint32: return "uint32";
    case ElementType::int64: return "int64";
    case ElementType::uint64: return "uint64";
    case ElementType::float16: return "half";
    case ElementType::float32: return "float";
    case ElementType::float64: return "double";
    case ElementType::bfloat16: return "bfloat16";
    case ElementType::float8_e4m3: return "f8e4m3";
    case ElementType::float8_e5m2: return "f8e5m2";
  }
  return "unknown";
}

std::optional<ElementType> element_type(std::string_view wanted) {
  if (wanted == "int") return ElementType::int32;  // as nccl-tests called them once
  if (wanted == "char") return ElementType::int8;
  for (const ElementType type : kElementTypes) {
    if (name(type) == wanted) return type;
  }
  return std::nullopt;
}

std::size_t size_bytes(ElementType type) {
  return visit(type, []<class T>(T) { return sizeof(T); });
}

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
