#include "results/rank.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::results {

std::string_view word(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::hardware: return "hardware";
    case DeviceKind::software: return "software";
    case DeviceKind::software_shortcut: return "software-shortcut";
  }
  return "";
}

void to_json(nlohmann::ordered_json& json, const RankRail& rail) {
  json = {{"rail", rail.rail},
          {"device", rail.device},
          {"port", rail.port},
          {"netdev", rail.netdev},
          {"address", rail.address},
          {"gid", rail.gid},
          {"gid_index", rail.gid_index},
          {"mtu_bytes", rail.mtu_bytes},
          {"link_gigabits_per_second", rail.link_gigabits_per_second},
          {"kind", word(rail.kind)},
          {"firmware", rail.firmware},
          {"numa_node", rail.numa_node}};
}

void to_json(nlohmann::ordered_json& json, const Rank& rank) {
  json = {{"rank", rank.rank},
          {"host", rank.host},
          {"pid", rank.pid},
          {"local_rank", rank.local_rank},
          {"numa_node", rank.numa_node},
          {"rails", rank.rails}};
}

}  // namespace railgauge::results
