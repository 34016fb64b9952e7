#include "fabric/sizing.hpp"

#include <cmath>
#include <functional>
#include <optional>

#include "fabric/generators.hpp"

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

std::optional<Fabric> maybe(const Request& request) {
  try {
    std::vector<std::string> ignored;
    return generated(request, ignored);
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
  if ((request.wan.ports > 0 || request.wan_delay_us > 0) && request.generator != "multi-site") {
    throw std::invalid_argument("a WAN needs the generator multi-site");
  }
  if (request.planes > 1 && request.generator != "multi-plane") {
    throw std::invalid_argument("several planes need the generator multi-plane");
  }
}

}  // namespace

Sizing sized(const Request& request) {
  check_numbers(request);
  Sizing made;
  if (request.generator == "fat-tree") {
    made.fabric = fat_tree(request);
    return made;
  }
  try {
    made.fabric = generated(request, made.remarks);
  } catch (const Impossible& why) {
    throw std::invalid_argument(std::string("there is no such fabric: ") + why.what() +
                                nearest(request));
  }
  remark_on_ratio(request, made.fabric, made.remarks);
  return made;
}

}  // namespace railgauge::fabric
