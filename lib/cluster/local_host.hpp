#pragma once

// lib/cluster holds the hosts of a job: the ports that are rails, what hosts tell each other, where
// ranks are placed, counters, provenance. It must not know what is measured, nor any command line.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "topology/host_map.hpp"
#include "topology/nic_choice.hpp"
#include "topology/rail.hpp"
#include "transport/exchange.hpp"
#include "verbs/port.hpp"

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
  std::uint8_t service_level = 0;  // of all connections
  std::string placement = "rail";  // of ranks on their hosts: a mode's word, or a file
};

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
/// `hwloc_xml` is what hwloc says of this host.
/// Throws job::RunFailure (environment) when there is none, or one that the user names is not
/// there: what was looked at, and what to do.
[[nodiscard]] LocalHost look_at_local_host(const DeviceOptions& options, std::string hwloc_xml);

/// Collective: what `read` returns (topology::hwloc_xml_here) on the first rank of each host, to
/// all ranks of that host. hwloc reads the configuration space of every PCI device; the kernel lets
/// one process at a time do that (drivers/pci/access.c, pci_lock), and in a virtual machine a
/// device takes 2 ms. 64 ranks that all read so need most of their start for it.
///
/// Ranks with the same `host` on the same kernel are of one host. Throws what `read` throws, there;
/// the other ranks of the host wait for it, until the exchange's deadline.
[[nodiscard]] std::string hwloc_of_host(transport::Exchange& exchange, const std::string& host,
                                        const std::function<std::string()>& read);

}  // namespace railgauge::cluster
