#include "results/rank.hpp"

#include "results/codec.hpp"

namespace railgauge::results {

std::string_view word(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::hardware: return "hardware";
    case DeviceKind::software: return "software";
    case DeviceKind::software_shortcut: return "software-shortcut";
  }
  return "";
}

void to_json(Json& json, const Host& host) {
  json = encode(host);
}

void from_json(const Json& json, Host& host) {
  decode(json, host);
}

void to_json(Json& json, const RankRail& rail) {
  json = encode(rail);
}

void to_json(Json& json, const RankPlacement& placement) {
  json = encode(placement);
}

void from_json(const Json& json, RankPlacement& placement) {
  decode(json, placement);
}

void to_json(Json& json, const Rank& rank) {
  json = encode(rank);
}

}  // namespace railgauge::results
