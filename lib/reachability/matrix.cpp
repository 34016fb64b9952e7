#include "reachability/matrix.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace railgauge::reachability {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

bool better(const Reach& one, const Reach& other) {
  if (one.reached != other.reached) return one.reached;
  return one.gigabytes_per_second > other.gigabytes_per_second;
}

}  // namespace

std::string name_of(const Nic& nic) {
  return nic.host + " rail " + std::to_string(nic.rail) + " (" + nic.device + ", " + nic.address +
         ")";
}

Matrix::Matrix(std::vector<Nic> nics)
    : nics_(std::move(nics)), cells_(nics_.size() * nics_.size()) {}

void Matrix::add(std::size_t from, std::size_t to, const Reach& reach) {
  std::optional<Reach>& cell = cells_[from * nics_.size() + to];
  if (!cell || better(reach, *cell)) cell = reach;
}

Kind kind_of(const Matrix& matrix, bool same_rail) {
  Kind kind{.same_rail = same_rail};
  std::vector<double> rates;
  const std::size_t nics = matrix.nics().size();
  for (std::size_t from = 0; from < nics; ++from) {
    for (std::size_t to = 0; to < nics; ++to) {
      const std::optional<Reach>& cell = matrix.at(from, to);
      if (!cell || matrix.same_rail(from, to) != same_rail) continue;
      ++kind.asked;
      if (cell->reached) rates.push_back(cell->gigabytes_per_second);
    }
  }
  kind.reached = static_cast<int>(rates.size());
  kind.median_gigabytes_per_second = median(std::move(rates));
  return kind;
}

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
