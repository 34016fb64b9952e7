#include "json/fields.hpp"
#include "results/document_codec.hpp"

namespace railgauge::results {
namespace {

constexpr const char* kResult = "railgauge/result/3";

/// A body of that kind, empty.
template <std::size_t number = 0>
Body body_of(const std::string& kind) {
  if constexpr (number < std::variant_size_v<Body>) {
    using Kind = std::variant_alternative_t<number, Body>;
    if (kind == Kind::kKind) return Kind{};
    return body_of<number + 1>(kind);
  } else {
    throw std::runtime_error("this railgauge does not know results of the kind '" + kind + "'");
  }
}

}  // namespace

bool is_result(const Json& json) {
  return json::schema_of(json) == kResult;
}

Document read_document(const Json& json) {
  json::expect_schema(json, {kResult});
  Document document;
  document.body = body_of(json::wanted<std::string>(json, "kind"));
  decode(json, document);
  return document;
}

}  // namespace railgauge::results
