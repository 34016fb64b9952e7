#include "report/html.hpp"
#include "report/parts.hpp"
#include "report/placement_picture.hpp"
#include "results/fields.hpp"

namespace railgauge::report {
namespace {

using verdict::maybe;
using verdict::text_or_none;

std::string numa_of(const Json& object) {
  const int node = maybe<int>(object, "numa_node").value_or(-1);
  return node < 0 ? "unknown" : std::to_string(node);
}

bool far(const Json& rank, const Json& rail) {
  const int one = maybe<int>(rank, "numa_node").value_or(-1);
  const int other = maybe<int>(rail, "numa_node").value_or(-1);
  return one >= 0 && other >= 0 && one != other;
}

std::vector<Cell> line(const Json& rank, const Json& rail) {
  const bool apart = far(rank, rail);
  return {
      {text_or_none(rank, "host"), ""},
      {numa_of(rank), ""},
      {std::to_string(verdict::wanted<int>(rank, "rank")), ""},
      {std::to_string(verdict::wanted<int>(rail, "rail")), ""},
      {text_or_none(rail, "device") + "/" + std::to_string(verdict::wanted<int>(rail, "port")), ""},
      {numa_of(rail) + (apart ? ", not the rank's" : ""), apart ? "warn" : ""},
      {text_or_none(rail, "netdev"), ""},
      {text_or_none(rail, "address"), ""},
      {number_text(maybe<double>(rail, "link_gigabits_per_second").value_or(0)), ""},
      {std::to_string(maybe<int>(rail, "mtu_bytes").value_or(0)), ""},
      {text_or_none(rail, "kind"), ""},
      {text_or_none(rail, "firmware"), ""}};
}

}  // namespace

std::string placement_part(const Result& result) {
  std::vector<std::vector<Cell>> rows;
  for (const Json& rank : verdict::list(result.document, "ranks")) {
    for (const Json& rail : verdict::list(rank, "rails")) rows.push_back(line(rank, rail));
  }
  if (rows.empty()) return "";
  return section("BufferMode",
                 placement_picture(result.document) +
                     table({"host", "NUMA node", "rank", "rail", "port", "NUMA node of it",
                            "netdev", "address", "Gb/s", "MTU", "kind", "firmware"},
                           rows));
}

}  // namespace railgauge::report
