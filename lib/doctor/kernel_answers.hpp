#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "topology/recording.hpp"

namespace railgauge::doctor {

/// Adds what no file says, by netlink, ioctl and system calls that need no right: DCB and ethtool
/// settings of network devices, the port that their packets leave by, limits of this process, its
/// clock. `netdevs`: those of RDMA ports.
void add_kernel_answers(topology::Recording& recording, const std::vector<std::string>& netdevs);

/// What a reply to DCB_CMD_IEEE_GET says (linux/dcbnl.h), by names as in a recording: pfc,
/// peer-pfc, dscp-to-priority, priority-to-buffer, buffer-size, owner. What it does not say is
/// missing. A pure function.
[[nodiscard]] std::map<std::string, std::string> dcb_settings(std::span<const std::byte> reply);

}  // namespace railgauge::doctor
