#pragma once

#include <string>
#include <vector>

#include "cluster/device_options.hpp"
#include "topology/host_map.hpp"
#include "topology/rail.hpp"
#include "verbs/port.hpp"

namespace railgauge::cluster {

/// This host as it is, and what of it takes part.
struct LocalHost {
  topology::HostMap map;
  std::vector<verbs::Port> ports;  // that are its rails; in their order once the hosts have met
  std::string left_out;            // ports that are none with the reason, a line each
  bool excluded_some = false;      // --exclude matches a port of it
  std::vector<topology::LeftOut> others{};  // the ports that are none, for the other hosts
  topology::RailMap named{};                // where --devices says that ports are; empty without it
};

/// The ports of the devices that are named, in that order, all of which have to be usable; or, if
/// none is named, those that could be rails by topology's rules (nic_choice.hpp) and that
/// libibverbs can use, with the GID that topology chooses; which of them are of another fabric, the
/// hosts find out together. Of devices without GIDs in sysfs, as softroce's, all usable ports.
/// Throws job::RunFailure (environment) when there is none, or one that the user names is not
/// there: what was looked at, and what to do.
[[nodiscard]] LocalHost look_at_local_host(const DeviceOptions& options);

}  // namespace railgauge::cluster
