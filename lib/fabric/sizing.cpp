#include "fabric/sizing.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace railgauge::fabric {

Count SwitchModel::links(double of_gbps) const {
  return of_gbps > gbps ? 0 : ports * static_cast<Count>(std::floor(gbps / of_gbps + 1e-9));
}

Count SwitchModel::ports_of(Count count, double of_gbps) const {
  return divided_up(count, std::max<Count>(1, links(of_gbps) / std::max<Count>(ports, 1)));
}

std::string SwitchModel::text() const {
  return std::to_string(ports) + "x" + number(gbps) + "G";
}

namespace {

/// Why a request cannot be served; sized() adds what can.
struct Impossible : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct SpineTooSmall : Impossible {
  using Impossible::Impossible;
};

double port_gbps(const Request& request) {
  return request.nic_gbps / static_cast<double>(request.planes);
}

double uplink_gbps(const Request& request) {
  return request.uplink_gbps > 0 ? request.uplink_gbps : port_gbps(request);
}

Count uplinks_for(const Request& request, Count down) {
  return static_cast<Count>(std::ceil(static_cast<double>(down) * port_gbps(request) /
                                          (request.oversubscription * uplink_gbps(request)) -
                                      1e-9));
}

bool fits_leaf(const Request& request, Count down) {
  return request.leaf.ports_of(down, port_gbps(request)) +
             request.leaf.ports_of(uplinks_for(request, down), uplink_gbps(request)) <=
         request.leaf.ports;
}

/// As many NIC ports as a leaf has room for with their uplinks.
Count most_down(const Request& request) {
  Count down = request.leaf.links(port_gbps(request));
  while (down > 0 && !fits_leaf(request, down)) --down;
  return down;
}

std::string of_speed(double gbps) {
  return number(gbps) + "G";
}

void check_speeds(const Request& request) {
  const auto slower = [](const SwitchModel& model, const char* what, double gbps) {
    if (model.links(gbps) > 0) return;
    throw Impossible("a port of a " + model.text() + " " + what + " is slower than " +
                     of_speed(gbps));
  };
  slower(request.leaf, "leaf", port_gbps(request));
  slower(request.leaf, "leaf", uplink_gbps(request));
  slower(request.spine, "spine", uplink_gbps(request));
}

/// NIC ports of a host that a leaf has.
Count ports_of_host(const Request& request, const Fabric& fabric) {
  return fabric.by_rail ? 1 : request.nics;
}

Fabric with_leaves(const Request& request, Fabric fabric) {
  const Count each = ports_of_host(request, fabric);
  const Count most = most_down(request) / each;
  if (most == 0) {
    throw Impossible("a " + request.leaf.text() + " leaf has no room for the " +
                     std::to_string(each) + " ports of a host and their uplinks");
  }
  if (request.hosts_per_leaf > most) {
    throw Impossible("a " + request.leaf.text() + " leaf has room for " + std::to_string(most) +
                     " hosts and their uplinks, not for " + std::to_string(request.hosts_per_leaf));
  }
  const Count limit = request.hosts_per_leaf > 0 ? request.hosts_per_leaf : most;
  const Count blocks = divided_up(request.hosts, limit);
  fabric.hosts_per_leaf = divided_up(request.hosts, blocks);
  return fabric;
}

bool is_prime(Count of) {
  if (of < 2) return false;
  for (Count by = 2; by * by <= of; ++by) {
    if (of % by == 0) return false;
  }
  return true;
}

/// As few spines as divide the uplinks and have ports for all leaves: S | u, leaves x u/S <= radix.
Count fewest_spines(Count uplinks, Count leaves, Count radix) {
  for (Count spines = 1; spines <= uplinks; ++spines) {
    if (uplinks % spines == 0 && leaves * (uplinks / spines) <= radix) return spines;
  }
  return 0;
}

void choose_spines(const Request& request, Fabric& fabric, Count leaves, Count radix) {
  const Count uplinks =
      uplinks_for(request, fabric.hosts_per_leaf * ports_of_host(request, fabric));
  const Count spines = request.spines > 0 ? request.spines : fewest_spines(uplinks, leaves, radix);
  if (spines > 0 && uplinks % spines != 0) {
    throw Impossible(std::to_string(uplinks) + " uplinks of a leaf do not divide by " +
                     std::to_string(spines) + " spines" +
                     (is_prime(uplinks) ? ": that number is prime" : ""));
  }
  if (spines == 0 || leaves * (uplinks / spines) > radix) {
    const Count bundle = spines == 0 ? 1 : uplinks / spines;
    throw SpineTooSmall(counted(leaves) + (fabric.joined_rails ? " leaves" : " leaves of a rail") +
                        " with " + std::to_string(bundle) + " uplink(s) per spine need spines of " +
                        std::to_string(leaves * bundle) + " ports, and a " + request.spine.text() +
                        " spine has " + std::to_string(radix) + " of " +
                        of_speed(uplink_gbps(request)));
  }
  fabric.spines = spines;
  fabric.bundle = uplinks / spines;
  fabric.up_gbps = uplink_gbps(request);
}

Fabric started(const Request& request) {
  Fabric fabric;
  fabric.generator = request.generator;
  fabric.hosts = request.hosts;
  fabric.nics = request.nics;
  fabric.planes = request.planes;
  fabric.port_gbps = port_gbps(request);
  fabric.by_rail = !request.generator.starts_with("clos");
  fabric.joined_rails = request.generator != "rail-only";
  return fabric;
}

Count leaves_under_a_spine(const Fabric& fabric) {
  const Count groups = fabric.by_rail && fabric.joined_rails ? fabric.nics : 1;
  return groups * divided_up(fabric.hosts, fabric.hosts_per_leaf);
}

Fabric two_tiers(const Request& request, Fabric fabric) {
  fabric = with_leaves(request, std::move(fabric));
  const Count leaves = leaves_under_a_spine(fabric);
  if (leaves == 1) {
    fabric.spines = 0;
    return fabric;
  }
  choose_spines(request, fabric, leaves, request.spine.links(uplink_gbps(request)));
  return fabric;
}

/// Pods as large as half of a spine's ports allow; cores as few as there can be.
Fabric three_tiers(const Request& request) {
  Fabric fabric = with_leaves(request, started(request));
  const Count radix = request.spine.links(uplink_gbps(request));
  const Count blocks = divided_up(fabric.hosts, fabric.hosts_per_leaf);
  const Count pods = divided_up(blocks, std::max<Count>(1, radix / 2));
  fabric.pod_blocks = divided_up(blocks, pods);
  if (pods < 2) throw Impossible("one pod holds all hosts, and needs no third tier");
  choose_spines(request, fabric, fabric.pod_blocks, radix / 2);
  const Count up = fabric.pod_blocks * fabric.bundle;
  fabric.cores = fewest_spines(up, pods, radix);
  if (fabric.cores == 0 || 2 * up > radix) {
    throw Impossible(std::to_string(pods) + " pods need spines and cores of more ports than the " +
                     std::to_string(radix) + " of a " + request.spine.text() + " switch");
  }
  fabric.core_bundle = up / fabric.cores;
  fabric.core_gbps = fabric.up_gbps;
  return fabric;
}

Fabric fat_tree(const Request& request) {
  if (request.k < 2 || request.k % 2 != 0) {
    throw std::invalid_argument(
        "a fat-tree needs an even K of 2 or more, not " + std::to_string(request.k) +
        "; possible: K " + std::to_string(std::max<Count>(2, request.k - request.k % 2)) + " or " +
        std::to_string(request.k + request.k % 2 + (request.k == 0 ? 2 : 0)));
  }
  const Count half = request.k / 2;
  return {.generator = "fat-tree",
          .hosts = half * half * request.k,
          .nics = 1,
          .port_gbps = request.nic_gbps,
          .by_rail = false,
          .hosts_per_leaf = half,
          .spines = half,
          .up_gbps = request.nic_gbps,
          .pod_blocks = half,
          .cores = half,
          .core_gbps = request.nic_gbps};
}

Fabric rails(const Request& request, std::vector<std::string>& remarks) {
  const Fabric start = started(request);
  try {
    return two_tiers(request, start);
  } catch (const SpineTooSmall&) {
    if (!start.joined_rails || request.nics == 1) throw;
  }
  Fabric apart = start;
  apart.joined_rails = false;
  apart = two_tiers(request, apart);
  remarks.emplace_back(
      "Each rail has spines of its own, because no spine has ports for the leaves of all rails: "
      "rails meet inside the hosts only.");
  return apart;
}

void remark_on_ratio(const Request& request, const Fabric& fabric,
                     std::vector<std::string>& remarks) {
  if (fabric.spines == 0) return;
  const double obtained = oversubscription(fabric);
  if (std::abs(obtained - request.oversubscription) > 5e-4) {
    remarks.push_back("The oversubscription obtained is " + number(obtained) + ":1, not " +
                      number(request.oversubscription) + ":1.");
  }
  const Count uplinks = fabric.spines * fabric.bundle;
  if (is_prime(uplinks) && uplinks > 2) {
    remarks.push_back("The number of uplinks of a leaf, " + std::to_string(uplinks) +
                      ", is prime: it allows no other number of spines.");
  }
}

Fabric fabric_for(const Request& request, std::vector<std::string>& remarks) {
  check_speeds(request);
  if (request.generator == "clos-3") return three_tiers(request);
  if (request.generator == "clos-2") return two_tiers(request, started(request));
  return rails(request, remarks);
}

std::optional<Fabric> maybe(const Request& request) {
  try {
    std::vector<std::string> ignored;
    return fabric_for(request, ignored);
  } catch (const Impossible&) {
    return std::nullopt;
  }
}

std::string summary(const Fabric& fabric) {
  const Parts parts = parts_of(fabric);
  std::string text = counted(parts.leaves) + " leaves, " + counted(parts.spines) + " spines";
  if (parts.cores > 0) text.append(", ").append(counted(parts.cores)).append(" cores");
  return text.append(", ").append(number(oversubscription(fabric))).append(":1");
}

/// The most hosts that the rest of the request has room for.
Count most_hosts(Request request) {
  Count low = 0;
  Count high = request.hosts;
  while (low + 1 < high) {
    request.hosts = low + (high - low) / 2;
    (maybe(request) ? low : high) = request.hosts;
  }
  return low;
}

/// "; possible: uplinks of 100G (4,096 leaves, ...)": one change each, the nearest first.
std::string nearest(const Request& request) {
  std::vector<std::string> found;
  const auto offer = [&](const std::string& change, const Request& changed) {
    const auto fabric = maybe(changed);
    if (fabric && found.size() < 3) found.push_back(change + " (" + summary(*fabric) + ")");
  };
  const auto change = [&](const std::string& name, const std::function<void(Request&)>& set) {
    Request changed = request;
    set(changed);
    offer(name, changed);
  };
  if (request.spines > 0) change("any number of spines", [](Request& one) { one.spines = 0; });
  for (const double speed : {800.0, 400.0, 200.0, 100.0}) {
    if (speed == uplink_gbps(request)) continue;
    change("uplinks of " + of_speed(speed), [&](Request& one) { one.uplink_gbps = speed; });
  }
  if (request.hosts_per_leaf > 0) {
    change("leaves with fewer hosts", [](Request& one) { one.hosts_per_leaf = 0; });
  }
  if (!request.generator.starts_with("clos-3")) {
    change("clos-3", [](Request& one) { one.generator = "clos-3"; });
  }
  const Count hosts = most_hosts(request);
  if (hosts > 0) {
    change("at most " + counted(hosts) + " hosts", [&](Request& one) { one.hosts = hosts; });
  }
  std::string text = found.empty() ? "" : "; possible: ";
  for (const std::string& one : found) text.append(text.ends_with(": ") ? "" : "; ").append(one);
  return text;
}

void check_numbers(const Request& request) {
  if (request.hosts < 1 || request.nics < 1 || request.planes < 1) {
    throw std::invalid_argument("hosts, NICs and planes have to be at least 1");
  }
  if (request.oversubscription <= 0 || request.nic_gbps <= 0) {
    throw std::invalid_argument("rates and the oversubscription have to be above 0");
  }
  if (request.planes > 1 && request.generator != "multi-plane") {
    throw std::invalid_argument("several planes need the generator multi-plane");
  }
}

}  // namespace

const std::vector<std::string>& generators() {
  static const std::vector<std::string> kNames{"rail-optimised", "rail-only", "clos-2",
                                               "clos-3",         "fat-tree",  "multi-plane"};
  return kNames;
}

Sizing sized(const Request& request) {
  check_numbers(request);
  Sizing made;
  if (request.generator == "fat-tree") {
    made.fabric = fat_tree(request);
    return made;
  }
  try {
    made.fabric = fabric_for(request, made.remarks);
  } catch (const Impossible& why) {
    throw std::invalid_argument(std::string("there is no such fabric: ") + why.what() +
                                nearest(request));
  }
  remark_on_ratio(request, made.fabric, made.remarks);
  return made;
}

}  // namespace railgauge::fabric
