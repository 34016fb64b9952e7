#pragma once

#include <array>
#include <vector>

#include "cluster/local_host.hpp"
#include "topology/rail.hpp"
#include "transport/exchange.hpp"

namespace railgauge::cluster {

using LongText = std::array<char, 256>;

/// What a host tells of a port besides what every rank does (rank_info.hpp): what the check of
/// rails compares, or why it is no rail. Told by one rank of the host, as bytes.
struct PortFacts {
  transport::ShortText device{};
  int port = 1;
  bool left_out = false;
  transport::ShortText pci{};
  transport::ShortText netdev{};
  transport::ShortText model{};
  transport::ShortText node_guid{};
  transport::ShortText pci_link{};
  double pci_gigabits_per_second = 0;
  bool default_route = false;
  LongText pci_degraded{};
  LongText bond{};
  LongText other_address{};  // the first
  LongText reason{};         // of a port that is left out
  LongText remedy{};
};

/// Those of all ports of this host.
[[nodiscard]] std::vector<PortFacts> own_port_facts(const LocalHost& host);

/// Completes a host, which knows what its ranks say, by them.
void add_port_facts(topology::Host& host, const std::vector<PortFacts>& facts);

}  // namespace railgauge::cluster
