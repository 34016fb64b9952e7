#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "telemetry/counters.hpp"

namespace railgauge::telemetry {

/// Hands a request of linux/ethtool.h to a network device; false if it has none of that.
using AskEthtool = std::function<bool(const std::string& netdev, void* request)>;

/// By the ioctl SIOCETHTOOL, for which no right is needed.
[[nodiscard]] bool ask_kernel(const std::string& netdev, void* request);

/// What `ethtool -S` shows of a network device, as far as it is wanted. Requests are
/// ETHTOOL_GSSET_INFO, ETHTOOL_GSTRINGS and ETHTOOL_GSTATS. Empty if there is no such device, or
/// its driver has no statistics.
[[nodiscard]] Counters read_ethtool_statistics(const std::string& netdev, const IsWanted& is_wanted,
                                               const AskEthtool& ask = ask_kernel);

/// Of that what meaning_of() knows. Drivers count there what is the cable's rather than RDMA's:
/// pauses by priority, discards, symbol errors, carriers that were lost; and, for RDMA, what sysfs
/// lacks. Left out are:
///   - what is of the queues of Ethernet packets (Counted::not_ready), which RDMA does not use;
///   - discards of the port, where the driver tells those of every priority.
[[nodiscard]] Counters read_ethtool_counters(const std::string& netdev,
                                             const AskEthtool& ask = ask_kernel);

/// How old they may be: some drivers fetch them from the device only once in that time (`ethtool
/// -c`, stats-block-usecs; bnxt_en's is a second). At most a second; 0 where the driver does not
/// say.
[[nodiscard]] std::chrono::milliseconds ethtool_refresh_time(const std::string& netdev,
                                                             const AskEthtool& ask = ask_kernel);

}  // namespace railgauge::telemetry
