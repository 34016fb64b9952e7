#include "json/fields.hpp"
#include "results/document.hpp"
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

/// Command lines and host names may hold what is not UTF-8.
std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json without_rows(Json json) {
  json["rows"] = Json::array();
  for (const char* of_rows : {"version", "config", "results"}) json.erase(of_rows);
  return json;
}

/// What was measured took time, and was measured at least once. Throws json::FieldError.
void check(const CollectiveRow& row) {
  for (const Measured& measured : measurements_of(row)) {
    const measure::Summary& time = measured.measurement.time;
    const char* const field = time.n == 0 ? "n" : time.p50_us <= 0 ? "p50_us" : nullptr;
    if (field == nullptr) continue;
    throw json::FieldError("is 0: nothing was measured",
                           std::string(word(measured.mode)) + ".time." + field);
  }
}

void check(const CollectiveBody& body) {
  for (std::size_t row = 0; row < body.rows.size(); ++row) try {
      check(body.rows[row]);
    } catch (const json::FieldError& error) {
      throw error.in("rows[" + std::to_string(row) + "]");
    }
}

}  // namespace

void to_json(Json& json, const Document& document) {
  json = {{"schema", kResult}, {"kind", kind_name(document.body)}};
  JsonWriter writer(json);
  Document::fields(document, writer);
  add_nccl_json(json, document);
}

std::string json_text(const Document& document) {
  constexpr int kIndent = 2;
  return text_of(document, kIndent) + "\n";
}

std::string packed(const Failure& failure) {
  return text_of(encode(failure), -1);
}

Failure unpacked_failure(const std::string& bytes) {
  Failure failure;
  decode(Json::parse(bytes), failure);
  return failure;
}

std::string head_line(const Document& document) {
  return text_of(without_rows(document), -1);
}

std::string row_line(const Document& document, std::size_t row) {
  const Json encoded =
      std::visit([&](const auto& body) { return encode(body.rows.at(row)); }, document.body);
  return text_of(
      {{"schema", "railgauge/row/3"}, {"kind", kind_name(document.body)}, {"row", encoded}}, -1);
}

bool is_result(const Json& json) {
  return json::schema_of(json) == kResult;
}

Document read_document(const Json& json) {
  json::expect_schema(json, {kResult});
  Document document;
  document.body = body_of(json::wanted<std::string>(json, "kind"));
  decode(json, document);
  if (const auto* const body = std::get_if<CollectiveBody>(&document.body)) check(*body);
  return document;
}

}  // namespace railgauge::results
