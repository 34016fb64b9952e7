#include "reachability/document.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::reachability {
namespace {

using Json = nlohmann::ordered_json;

Json nics(const Matrix& matrix) {
  Json list = Json::array();
  for (const Nic& nic : matrix.nics()) {
    list.push_back({{"nic", list.size()},
                    {"host", nic.host},
                    {"rail", nic.rail},
                    {"device", nic.device},
                    {"port", nic.port},
                    {"netdev", nic.netdev},
                    {"address", nic.address},
                    {"link_gigabits_per_second", nic.link_gigabits_per_second},
                    {"software", nic.software}});
  }
  return list;
}

Json kind(const Matrix& matrix, bool same_rail) {
  const Kind kind = kind_of(matrix, same_rail);
  return {{"same_rail", kind.same_rail},
          {"asked", kind.asked},
          {"reached", kind.reached},
          {"median_gigabytes_per_second", kind.median_gigabytes_per_second}};
}

Json pair(std::size_t from, std::size_t to, bool same_rail, const Reach& reach) {
  const auto if_reached = [&](double value) { return reach.reached ? Json(value) : Json(); };
  return {{"from", from},
          {"to", to},
          {"same_rail", same_rail},
          {"reached", reach.reached},
          {"latency_us", if_reached(reach.latency_us)},
          {"gigabytes_per_second", if_reached(reach.gigabytes_per_second)},
          {"reason", reach.reason}};
}

Json pairs(const Matrix& matrix) {
  Json list = Json::array();
  for (std::size_t from = 0; from < matrix.nics().size(); ++from) {
    for (std::size_t to = 0; to < matrix.nics().size(); ++to) {
      const auto& reach = matrix.at(from, to);
      if (reach) list.push_back(pair(from, to, matrix.same_rail(from, to), *reach));
    }
  }
  return list;
}

}  // namespace

std::string as_json(const Matrix& matrix, const std::vector<std::string>& complaints,
                    const Circumstances& run) {
  const Json document{{"schema", "railgauge/reachability/1"},
                      {"tool", {{"version", run.version}, {"commit", run.commit}}},
                      {"start", run.start},
                      {"command_line", run.command_line},
                      {"wrong", complaints},
                      {"kinds", {kind(matrix, true), kind(matrix, false)}},
                      {"nics", nics(matrix)},
                      {"pairs", pairs(matrix)}};
  // Command lines may hold what is not UTF-8.
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::reachability
