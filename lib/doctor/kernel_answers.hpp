#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "telemetry/counters.hpp"
#include "topology/recording.hpp"

namespace railgauge::doctor {

/// Adds what no file says, by netlink, ioctl and system calls that need no right: DCB and ethtool
/// settings of network devices, the port that their packets leave by, firmware by devlink, network
/// namespaces of RDMA devices, limits of this process, its clock. `netdevs`: those of RDMA ports.
void add_kernel_answers(topology::Recording& recording, const std::vector<std::string>& netdevs);

/// That a path could not be read, with this errno: "EACCES".
void put_error(topology::Recording& recording, const std::string& path, int error);

/// What a reply to DCB_CMD_IEEE_GET says (linux/dcbnl.h), by names as in a recording: pfc,
/// peer-pfc, dscp-to-priority, priority-to-buffer, buffer-size, owner. What it does not say is
/// missing. A pure function.
[[nodiscard]] std::map<std::string, std::string> dcb_settings(std::span<const std::byte> reply);

/// Of a reply to DEVLINK_CMD_INFO_GET: firmware that is stored and does not run yet, as
/// "fw.version 28.39.1002 to 28.40.1000"; "none". A pure function.
[[nodiscard]] std::string pending_firmware(std::span<const std::byte> reply);

/// What netlink alone counts of a network device, whichever driver it has: pfc_counters() and
/// fec_counters(). What its driver does not count is missing.
[[nodiscard]] telemetry::Counters netlink_counters(const std::string& netdev);

/// Of a reply to DCB_CMD_IEEE_GET: PFC frames sent and received by priority, as
/// pfc_requests_prio3 and pfc_indications_prio3. None if all are 0, as of a driver that counts
/// none. A pure function.
[[nodiscard]] telemetry::Counters pfc_counters(std::span<const std::byte> reply);

/// Of a reply to ETHTOOL_MSG_FEC_GET with statistics (IEEE 802.3, 30.5.1.1.17 and 18):
/// fec_corrected_blocks, fec_uncorrectable_blocks. A pure function.
[[nodiscard]] telemetry::Counters fec_counters(std::span<const std::byte> reply);

}  // namespace railgauge::doctor
