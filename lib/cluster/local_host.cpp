#include "cluster/local_host.hpp"

#include <algorithm>
#include <iterator>

#include "job/abort_channel.hpp"
#include "job/start_up.hpp"
#include "topology/recording.hpp"

namespace railgauge::cluster {
namespace {

using results::Failure;

std::string ways_on() {
  const std::string mpirun = job::launcher("mpirun");
  return "Without an RDMA device, this runs on devices in software:\n  " + mpirun +
         " -np 2 all_reduce_perf --device soft ...\nor in the laboratory of virtual machines with "
         "the kernel's software RoCE:\n  " +
         job::launcher("lab") + " --hosts 2 --rails 2 -- " + mpirun +
         " -np 4 all_reduce_perf ...\nA machine with the kernel module rdma_rxe can make a device "
         "of any network interface:\n  rdma link add rxe0 type rxe netdev eth0";
}

std::vector<verbs::Port> named_ports(const DeviceOptions& options) {
  const std::vector<verbs::Port> ports = verbs::find_ports(options.gid_index, options.devices);
  std::vector<verbs::Port> rails;
  for (const std::string& device : options.devices) {
    const std::size_t before = rails.size();
    std::ranges::copy_if(ports, std::back_inserter(rails), [&](const verbs::Port& port) {
      return port.device == device && port.usable();
    });
    if (rails.size() > before) continue;
    throw job::RunFailure(Failure::Kind::environment,
                          "device " + device + " of --devices: " +
                              verbs::explain_no_usable_port(verbs::find_ports(options.gid_index)));
  }
  return rails;
}

/// The entry of a list for a port; its end if there is none.
template <class Entries>
auto entry_for(const Entries& entries, const std::string& device, int port) {
  return std::ranges::find_if(
      entries, [&](const auto& one) { return one.device == device && one.port == port; });
}

/// softroce's devices have no GIDs in sysfs, so topology cannot judge them.
bool knows_gids_of(const topology::HostMap& map, const verbs::Port& port) {
  const topology::RdmaDevice* const device = topology::find_device(map, port.device);
  return device != nullptr && std::ranges::any_of(device->ports, [&](const auto& one) {
           return one.number == port.number && !one.gids.empty();
         });
}

/// Why a port is no rail; "" if it is one.
std::string why_left_out(const verbs::Port& port, const topology::HostMap& map,
                         const topology::Host& choice, const topology::NicWishes& wishes) {
  if (!knows_gids_of(map, port)) {
    const std::string unwanted = topology::why_unwanted(port.device, port.number, wishes);
    return unwanted.empty() ? port.unusable : unwanted;
  }
  const auto left_out = entry_for(choice.left_out, port.device, port.number);
  return left_out == choice.left_out.end() ? port.unusable : left_out->reason;
}

void leave_out(LocalHost& host, topology::LeftOut port) {
  host.left_out += "\n" + port.device + " port " + std::to_string(port.port) +
                   " is left out: " + port.reason + (port.remedy.empty() ? "" : "; " + port.remedy);
  host.others.push_back(std::move(port));
}

/// What is known of a port that topology has left out, or else verbs.
topology::LeftOut left_out(const verbs::Port& port, const topology::Host& choice,
                           const std::string& reason) {
  const auto known = entry_for(choice.left_out, port.device, port.number);
  if (known != choice.left_out.end()) return *known;
  return {.device = port.device, .port = port.number, .reason = reason};
}

/// Topology knows which of the GIDs are addresses here.
verbs::Port with_gid_of(verbs::Port port, const topology::Host& choice) {
  const auto nic = entry_for(choice.rails, port.device, port.number);
  for (const verbs::GidEntry& entry : port.gids) {
    if (nic == choice.rails.end() || entry.type != verbs::GidType::roce_v2) continue;
    if (verbs::to_text(entry.gid) == nic->address) port.gid = entry;
  }
  return port;
}

void choose_ports(LocalHost& host, const std::vector<verbs::Port>& ports,
                  const DeviceOptions& options) {
  const topology::Host choice = topology::choose_nics(host.map, options.nics);
  for (const verbs::Port& port : ports) {
    const std::string reason = why_left_out(port, host.map, choice, options.nics);
    if (reason.empty()) {
      host.ports.push_back(options.gid_index ? port : with_gid_of(port, choice));
    } else {
      leave_out(host, left_out(port, choice, reason));
    }
  }
  for (const topology::Nic& nic : choice.rails) {
    const auto known = std::ranges::any_of(ports, [&](const verbs::Port& port) {
      return port.device == nic.device && port.number == nic.port;
    });
    if (known) continue;
    leave_out(host, {nic.device, nic.port, "the kernel has it, libibverbs does not",
                     "look for /dev/infiniband in here, and for the device's provider library",
                     nic.pci, nic.netdev});
  }
}

/// Without one of them the rails behind it would have other numbers.
void check_rail_map(const LocalHost& host, const topology::RailMap& map) {
  for (const auto& entry : map) {
    const bool there = std::ranges::any_of(host.ports, [&](const verbs::Port& port) {
      return topology::mapped_rail({entry}, port.device, port.number).has_value();
    });
    if (there) continue;
    throw job::RunFailure(
        Failure::Kind::environment,
        entry.first + " of --rail-map is no port that can be used" + host.left_out);
  }
}

}  // namespace

LocalHost look_at_local_host(const DeviceOptions& options) {
  LocalHost host{topology::read_host(topology::record_here()), {}, "", false, {}};
  if (!options.devices.empty()) {
    host.ports = named_ports(options);
    return host;
  }
  const std::vector<verbs::Port> ports = verbs::find_ports(options.gid_index);
  if (std::ranges::none_of(ports, &verbs::Port::usable)) {
    throw job::RunFailure(Failure::Kind::environment,
                          verbs::explain_no_usable_port(ports) + "\n" + ways_on());
  }
  host.excluded_some = std::ranges::any_of(ports, [&](const verbs::Port& port) {
    return options.nics.exclude && options.nics.exclude->matches(port.device, port.number);
  });
  choose_ports(host, ports, options);
  check_rail_map(host, options.nics.rail_map);
  if (!host.ports.empty()) return host;
  throw job::RunFailure(Failure::Kind::environment, "no port is a rail:" + host.left_out);
}

}  // namespace railgauge::cluster
