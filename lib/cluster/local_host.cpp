#include "cluster/local_host.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "cluster/rank_watch.hpp"
#include "job/abort_channel.hpp"
#include "job/start_up.hpp"
#include "topology/recording.hpp"

namespace railgauge::cluster {
namespace {

using results::Failure;
using transport::Rank;
using Text = std::vector<char>;

std::string ways_on() {
  const std::string mpirun = job::launcher("mpirun");
  return "Without an RDMA device, this runs on devices in software:\n  " + mpirun +
         " -np 2 all_reduce_perf --device soft ...\nor in the laboratory of virtual machines with "
         "the kernel's software RoCE:\n  " +
         job::launcher("lab") + " --hosts 2 --rails 2 -- " + mpirun +
         " -np 4 all_reduce_perf ...\nA machine with the kernel module rdma_rxe can make a device "
         "of any network interface:\n  rdma link add rxe0 type rxe netdev eth0";
}

topology::LeftOut unusable_plane(const verbs::Port& port) {
  const bool down = port.state != "active" && !port.state.empty();
  return {{.device = port.device, .port = port.number},
          down ? "its port is " + port.state : port.unusable,
          down ? "check its cable, transceiver and switch port" : "see railgauge topo"};
}

/// The ports of the devices that are named; into `others` go planes of rails that cannot be used.
std::vector<verbs::Port> named_ports(const DeviceOptions& options, const topology::RailMap& named,
                                     std::vector<topology::LeftOut>& others) {
  std::vector<std::string> devices;
  for (const topology::PortName& one : named) devices.push_back(one.device);
  std::vector<verbs::Port> rails;
  std::set<int> there;
  const std::vector<verbs::Port> ports = verbs::find_ports(options.gid_index, devices);
  for (const topology::PortName& one : named) {
    for (const verbs::Port& port : ports) {
      if (!topology::mapped_place({one}, port.device, port.number)) continue;
      if (port.usable()) {
        rails.push_back(port);
        there.insert(*one.rail);
      } else {
        others.push_back(unusable_plane(port));
      }
    }
  }
  for (const topology::PortName& one : named) {
    if (there.contains(*one.rail)) continue;
    throw job::RunFailure(Failure::Kind::environment,
                          "device " + text_of(one) + " of --devices: " +
                              verbs::explain_no_usable_port(verbs::find_ports(options.gid_index)));
  }
  return rails;
}

/// Devices without GIDs in sysfs (softroce's that have no address left) topology cannot judge.
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
  const auto* const known = topology::port_among(choice.left_out, port.device, port.number);
  return known == nullptr ? port.unusable : known->reason;
}

/// A line for all ports of a device that are left out for the same reason.
std::string left_out_text(const std::vector<topology::LeftOut>& others) {
  std::string text;
  for (auto first = others.begin(); first != others.end();) {
    const auto end = std::find_if(first, others.end(), [&](const topology::LeftOut& other) {
      return other.device != first->device || other.reason != first->reason;
    });
    std::string ports;
    for (auto one = first; one != end; ++one) {
      ports += (one == first ? "" : ",") + std::to_string(one->port);
    }
    text += "\n" + first->device + (end - first == 1 ? " port " : " ports ") + ports +
            (end - first == 1 ? " is left out: " : " are left out: ") + first->reason +
            (first->remedy.empty() ? "" : "; " + first->remedy);
    first = end;
  }
  return text;
}

/// What is known of a port that topology has left out, or else verbs.
topology::LeftOut left_out(const verbs::Port& port, const topology::Host& choice,
                           const std::string& reason) {
  const auto* const known = topology::port_among(choice.left_out, port.device, port.number);
  if (known != nullptr) return *known;
  return {{.device = port.device, .port = port.number}, reason};
}

/// Topology knows which of the GIDs are addresses here.
verbs::Port with_gid_of(verbs::Port port, const topology::Host& choice) {
  const auto* const nic = topology::port_among(choice.rails, port.device, port.number);
  const auto is_of_nic = [&](const verbs::GidEntry& entry) {
    return nic != nullptr && entry.type == verbs::GidType::roce_v2 &&
           verbs::to_text(entry.gid) == nic->address;
  };
  const auto found = std::ranges::find_if(port.gids, is_of_nic);  // the first of those alike
  if (found != port.gids.end()) port.gid = *found;
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
      host.others.push_back(left_out(port, choice, reason));
    }
  }
  for (const topology::Nic& nic : choice.rails) {
    const auto known = std::ranges::any_of(ports, [&](const verbs::Port& port) {
      return port.device == nic.device && port.number == nic.port;
    });
    if (known) continue;
    host.others.push_back(topology::left_out(nic, "the kernel has it, libibverbs does not"));
    host.others.back().remedy =
        "look for /dev/infiniband in here, and for the device's provider library";
  }
  host.left_out = left_out_text(host.others);
}

/// Without one of them the rails behind it would have other numbers. A rail may lack a plane.
void check_rail_map(const LocalHost& host, const topology::RailMap& map) {
  std::set<int> there;
  for (const verbs::Port& port : host.ports) {
    const auto place = topology::mapped_place(map, port.device, port.number);
    if (place) there.insert(place->rail);
  }
  for (const topology::PortName& entry : map) {
    if (there.contains(*entry.rail)) continue;
    throw job::RunFailure(
        Failure::Kind::environment,
        text_of(entry) + " of --rail-map is no port that can be used" + host.left_out);
  }
}

LocalHost find_rails(const DeviceOptions& options, std::string hwloc_xml) {
  LocalHost host;
  host.map = topology::read_host(topology::record_here("/sys", std::move(hwloc_xml)));
  if (!options.devices.empty()) {
    host.named = topology::rail_map_of_devices(options.devices);
    host.ports = named_ports(options, host.named, host.others);
    host.left_out = left_out_text(host.others);
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
  check_rail_map(host, options.nics.said());
  if (!host.ports.empty()) return host;
  throw job::RunFailure(
      Failure::Kind::environment,
      "no port is a rail:" + host.left_out + (options.note.empty() ? "" : "\n" + options.note));
}

/// The ranks of this one's host, this one among them, by rank.
std::vector<Rank> ranks_of_host(transport::Exchange& exchange, const std::string& host) {
  const std::vector own{std::hash<std::string>{}(host) ^ clock_identity()};
  const auto all = transport::all_gather(exchange, own);
  std::vector<Rank> here;
  for (Rank rank = 0; rank < all.size(); ++rank) {
    if (all[rank] == own) here.push_back(rank);
  }
  return here;
}

}  // namespace

LocalHost look_at_local_host(const DeviceOptions& options, std::string hwloc_xml) {
  LocalHost host = find_rails(options, std::move(hwloc_xml));
  for (verbs::Port& port : host.ports) port.service_level = options.service_level;
  return host;
}

std::string hwloc_of_host(transport::Exchange& exchange, const std::string& host,
                          const std::function<std::string()>& read) {
  const std::vector<Rank> here = ranks_of_host(exchange, host);
  const std::span first(here.data(), 1);
  if (first[0] != exchange.rank()) {
    const Text told = transport::exchange_with(exchange, first, std::vector<Text>(1)).at(0);
    return {told.begin(), told.end()};
  }
  std::string xml = read();
  const std::span others = std::span(here).subspan(1);
  const Text text(xml.begin(), xml.end());
  transport::exchange_with(exchange, others, std::vector<Text>(others.size(), text));
  return xml;
}

}  // namespace railgauge::cluster
