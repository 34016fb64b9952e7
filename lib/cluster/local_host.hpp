#pragma once

#include <string>
#include <vector>

#include "cluster/device_options.hpp"
#include "topology/host_map.hpp"
#include "verbs/port.hpp"

namespace railgauge::cluster {

/// This host as it is, and what of it takes part.
struct LocalHost {
  topology::HostMap map;
  std::vector<verbs::Port> ports;  // that are its rails; in their order once the hosts have met
  std::string left_out;            // ports that are none with the reason, a line each
  bool excluded_some = false;      // --exclude matches a port of it
};

/// The ports of the devices that are named, in that order, all of which have to be usable; or, if
/// none is named, those that are rails by topology's rules (nic_choice.hpp) and that libibverbs can
/// use. Of devices without GIDs in sysfs, as softroce's, all usable ports. Throws
/// job::RunFailure (environment) when there is none, or one that the user names is not there: what
/// was looked at, and what to do.
[[nodiscard]] LocalHost look_at_local_host(const DeviceOptions& options);

}  // namespace railgauge::cluster
