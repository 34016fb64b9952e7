#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/nic_choice.hpp"

// lib/cluster holds the hosts of a job: the ports that are rails, what hosts tell each other, where
// ranks are placed, counters, provenance. It must not know what is measured, nor any command line.

namespace railgauge::cluster {

/// Which RDMA ports of this host are rails, and where its ranks are placed.
struct DeviceOptions {
  int soft_rails = 0;                // this many devices of softroce are `devices`; 0: none
  std::vector<std::string> devices;  // one rail each, in this order; empty: chosen by `nics`
  topology::NicWishes nics;
  std::optional<int> gid_index;    // empty: chosen by rule
  std::string placement = "rail";  // of ranks on their hosts: a mode's word, or a file
};

}  // namespace railgauge::cluster
