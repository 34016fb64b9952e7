#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "softfabric/description.hpp"
#include "softfabric/packet.hpp"

namespace railgauge::softfabric {

/// The other direction of the same link.
constexpr Index opposite(Index wire) {
  return wire ^ 1U;
}
constexpr std::size_t link_of(Index wire) {
  return wire / 2;
}
constexpr const char* direction_name(Index wire) {
  return wire % 2 == 0 ? "a-to-b" : "b-to-a";
}

/// One direction of a link: wire 2n leads from `a` to `b` of links[n], wire 2n + 1 back.
struct WireEnds {
  Index from = kNone;  ///< nodes
  Index to = kNone;
};

/// A fabric by numbers. Nodes are the hosts, then the switches, in the description's order.
struct Topology {
  explicit Topology(const Fabric& fabric);

  [[nodiscard]] bool is_host(Index node) const { return node < hosts; }
  [[nodiscard]] std::size_t switches() const { return names.size() - hosts; }
  /// The wire to the host with this address; kNone if there is none.
  [[nodiscard]] Index wire_to(std::uint32_t address) const;
  /// kNone if there is no such node.
  [[nodiscard]] Index node(std::string_view name) const;

  std::size_t hosts = 0;
  std::vector<std::string> names{};  ///< of the nodes
  std::vector<WireEnds> wires{};
  std::vector<std::vector<Index>> leaving{};  ///< wires by the node where they begin
  std::unordered_map<std::uint32_t, Index> by_address{};
};

}  // namespace railgauge::softfabric
