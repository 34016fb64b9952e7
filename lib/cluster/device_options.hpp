#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/nic_choice.hpp"

// lib/cluster holds the hosts of a job: the ports that are rails, what hosts tell each other, where
// ranks are placed, counters, provenance. It must not know what is measured, nor any command line.

namespace railgauge::cluster {

/// How many devices of softroce a rank runs on, each of which has one port. No rails: on none.
struct SoftDevices {
  int rails = 0;
  int planes = 1;  // of each rail, which are a device each

  [[nodiscard]] int count() const { return rails * planes; }
};

/// Which RDMA ports of this host are rails, and where its ranks are placed.
struct DeviceOptions {
  SoftDevices soft;                  // these are `devices` then
  std::vector<std::string> devices;  // one rail each, in this order, or as they say in NCCL's words
                                     // (topology/rail_map.hpp); empty: chosen by `nics`
  topology::NicWishes nics;
  std::string note;  // on where the choice comes from, for people; "" if it is what options say
  std::optional<int> gid_index;    // empty: chosen by rule
  std::string placement = "rail";  // of ranks on their hosts: a mode's word, or a file
};

}  // namespace railgauge::cluster
