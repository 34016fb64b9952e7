#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// lib/telemetry holds what the kernel counts about a port while a benchmark runs. It must not know
// verbs, ranks or collectives: it reads files.

namespace railgauge::telemetry {

/// Counters of one port by the name the driver gives them. Units are the driver's: packets or
/// events, but port_rcv_data and port_xmit_data count 4-byte words
/// (Linux, Documentation/ABI/stable/sysfs-class-infiniband).
using Counters = std::map<std::string, std::uint64_t>;

/// Whether a counter of that name is asked for.
using IsWanted = std::function<bool(std::string_view name)>;

/// Reads every counter of a port:
///   SYSFS/class/infiniband/DEVICE/ports/PORT/{hw_counters,counters}/*
///   SYSFS/class/infiniband/DEVICE/hw_counters/* of a device with one port (mana's ECN and CNP)
/// What the port does not support is unreadable or not a number, and is left out, as is `lifespan`,
/// the driver's refresh interval. Without such a device, or counters, the map is empty. `sysfs` can
/// be a recorded tree.
Counters read_counters(const std::string& device, int port,
                       const std::filesystem::path& sysfs = "/sys");

/// How old hw_counters may be, if something has read them before: the kernel asks the device again
/// only after their `lifespan`, in ticks of its clock (drivers/infiniband/core/sysfs.c,
/// update_hw_stats()). At most a second; 0 of a device that keeps none.
std::chrono::milliseconds refresh_time(const std::string& device, int port,
                                       const std::filesystem::path& sysfs = "/sys");

/// Some counters of a port, read again and again: where they are is looked up once. One thread.
class CounterFiles {
 public:
  /// Those of read_counters() whose names are wanted.
  CounterFiles(const std::string& device, int port, const IsWanted& is_wanted,
               const std::filesystem::path& sysfs = "/sys");

  [[nodiscard]] Counters read() const;

 private:
  std::vector<std::pair<std::string, std::filesystem::path>> files_;
};

/// The counters in both that changed, and by how much (see advance() in meaning.hpp). A negative
/// difference means that the counter was reset in between.
std::map<std::string, std::int64_t> moved(const Counters& before, const Counters& after);

}  // namespace railgauge::telemetry
