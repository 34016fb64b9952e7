#include "results/lines.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string head_line(const Document& document) {
  Json head = document;
  head["rows"] = Json::array();
  return line_of(head);
}

std::string row_line(const Document& document, std::size_t number) {
  const auto& rows = std::get<CollectiveBody>(document.body).rows;
  return line_of({{"schema", "railgauge/row/1"}, {"row", rows.at(number)}});
}

}  // namespace railgauge::results
