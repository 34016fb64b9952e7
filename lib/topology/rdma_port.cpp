#include "topology/rdma_port.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace railgauge::topology {
namespace {

template <class Number>
Number leading_number(const std::string& text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// fe80::/10 (RFC 4291, 2.4) and 169.254/16 (RFC 3927): of one cable only.
bool is_link_local(const IpAddress& address) {
  if (is_ipv4(address)) return address.bytes[12] == 169 && address.bytes[13] == 254;
  return address.bytes[0] == 0xfe && (address.bytes[1] & 0xc0U) == 0x80;
}

bool usable(const RdmaGid& gid) {
  return gid.type == "RoCE v2" && !is_link_local(gid.gid);
}

}  // namespace

RdmaPort read_port(const Recording& recording, const std::string& path, const std::string& number) {
  RdmaPort port{.number = leading_number<int>(number)};
  // "4: ACTIVE": the number is enum ib_port_state's, the words are for people.
  const std::string state = recording.line(path + "/state");
  const std::size_t colon = state.find(": ");
  port.state = colon == std::string::npos ? state : state.substr(colon + 2);
  port.link_layer = recording.line(path + "/link_layer");
  port.rate = recording.line(path + "/rate");
  const auto rate = leading_number<double>(port.rate);
  port.gigabits_per_second = std::isfinite(rate) ? std::max(rate, 0.0) : 0;  // it reads "nan" too
  const std::string gids = path + "/gids/";
  const std::string types = path + "/gid_attrs/types/";
  const std::string netdevs = path + "/gid_attrs/ndevs/";
  for (const std::string& index : recording.names(path + "/gids")) {
    const auto gid = parse_ip_address(recording.line(gids + index));
    if (!gid || *gid == IpAddress{}) continue;
    port.gids.push_back({leading_number<int>(index), *gid, recording.line(types + index),
                         recording.line(netdevs + index)});
  }
  return port;
}

const RdmaGid* chosen_gid(const RdmaPort& port) {
  const auto first = [&](bool ipv4) -> const RdmaGid* {
    const auto found = std::ranges::find_if(
        port.gids, [&](const RdmaGid& gid) { return usable(gid) && is_ipv4(gid.gid) == ipv4; });
    return found == port.gids.end() ? nullptr : &*found;
  };
  const RdmaGid* const ipv4 = first(true);
  return ipv4 != nullptr ? ipv4 : first(false);
}

}  // namespace railgauge::topology
