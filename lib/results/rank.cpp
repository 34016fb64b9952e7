#include "results/rank.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string_view word(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::hardware: return "hardware";
    case DeviceKind::software: return "software";
    case DeviceKind::software_shortcut: return "software-shortcut";
  }
  return "";
}

void to_json(Json& json, const RankRail& rail) {
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

void to_json(Json& json, const RankPlacement& placement) {
  json = {{"mode", placement.mode},
          {"rails", placement.rails},
          {"cpus", placement.cpus},
          {"memory_node", placement.memory_node},
          {"verified", placement.verified ? Json(*placement.verified) : Json(nullptr)},
          {"remark", placement.remark}};
}

void from_json(const Json& json, RankPlacement& placement) {
  json.at("mode").get_to(placement.mode);
  json.at("rails").get_to(placement.rails);
  json.at("cpus").get_to(placement.cpus);
  json.at("memory_node").get_to(placement.memory_node);
  const auto& verified = json.at("verified");
  placement.verified = verified.is_null() ? std::nullopt : std::optional(verified.get<bool>());
  json.at("remark").get_to(placement.remark);
}

void to_json(Json& json, const Rank& rank) {
  json = {{"rank", rank.rank},
          {"host", rank.host},
          {"pid", rank.pid},
          {"local_rank", rank.local_rank},
          {"numa_node", rank.numa_node},
          {"placement", rank.placement},
          {"rails", rank.rails}};
}

}  // namespace railgauge::results
