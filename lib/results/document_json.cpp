#include "results/document.hpp"
#include "results/document_codec.hpp"

namespace railgauge::results {
namespace {

/// Command lines and host names may hold what is not UTF-8.
std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json without_rows(Json json) {
  json["rows"] = Json::array();
  for (const char* of_rows : {"version", "config", "results"}) json.erase(of_rows);
  return json;
}

}  // namespace

void to_json(Json& json, const Document& document) {
  json = {{"schema", "railgauge/result/3"}, {"kind", kind_name(document.body)}};
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

}  // namespace railgauge::results
