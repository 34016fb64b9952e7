#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

// lib/telemetry holds what the kernel counts about a port while the benchmark runs beside it. It
// must not know verbs, ranks or collectives: it reads files.

namespace railgauge::telemetry {

/// Counters of one port by the name the driver gives them. Units are the driver's: packets or
/// events, but port_rcv_data and port_xmit_data count 4-byte words
/// (Linux, Documentation/ABI/stable/sysfs-class-infiniband).
using Counters = std::map<std::string, std::uint64_t>;

/// Reads every counter of a port:
///   SYSFS/class/infiniband/DEVICE/ports/PORT/{hw_counters,counters}/*
/// What the port does not support is unreadable or not a number there, and is left out, as is
/// `lifespan`, which is the driver's refresh interval. No such device, or no counters: an empty
/// map. `sysfs` can be a recorded tree.
Counters read_counters(const std::string& device, int port,
                       const std::filesystem::path& sysfs = "/sys");

/// Those counters, present in both, that changed, with after - before. A negative difference says
/// that the counter was reset in between.
std::map<std::string, std::int64_t> moved(const Counters& before, const Counters& after);

}  // namespace railgauge::telemetry
