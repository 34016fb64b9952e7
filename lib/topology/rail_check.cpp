#include "topology/rail_check.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "topology/ip_address.hpp"
#include "topology/rail.hpp"
#include "topology/rail_rule.hpp"

namespace railgauge::topology {
namespace {

using Sentences = std::vector<std::string>;

std::string place(const Host& host, std::size_t rail) {
  return host.name + " " + name_of(host.rails[rail]) + " (rail " + std::to_string(rail) + ")";
}

std::string joined(const Sentences& parts, const std::string& separator) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : separator) + part;
  return all;
}

/// ": it has none in 10.11.0.0/24 (rail 1)"; "" if its subnets do not tell what it lacks.
std::string missing_rails(const Host& host, const std::vector<std::optional<Subnet>>& usual) {
  const std::vector<int> rails = rails_by_subnet(host, usual);
  if (rails.empty() || rails.size() >= usual.size()) return "";
  Sentences missing;
  for (int rail = 0; rail < std::ssize(usual); ++rail) {
    if (std::ranges::find(rails, rail) != rails.end()) continue;
    missing.push_back(to_string(*usual[static_cast<std::size_t>(rail)]) + " (rail " +
                      std::to_string(rail) + ")");
  }
  return ": it has none in " + joined(missing, ", ");
}

void check_counts(const std::vector<Host>& hosts, Sentences& wrong) {
  const auto rails_of = [](const Host& host) { return host.rails.size(); };
  const Host& usual = most_common(hosts, rails_of);
  for (const Host& host : hosts) {
    if (rails_of(host) == rails_of(usual)) continue;
    Sentences devices;
    for (const Nic& nic : host.rails) devices.push_back(name_of(nic));
    wrong.push_back(host.name + " has " + std::to_string(rails_of(host)) +
                    (host.rails.size() == 1 ? " rail (" : " rails (") +
                    (devices.empty() ? "none" : joined(devices, ", ")) + "), not " +
                    std::to_string(rails_of(usual)) + " like " + usual.name +
                    missing_rails(host, usual_subnets(hosts)) +
                    "; fix it, or select the same rails on all hosts (--include, --exclude)");
  }
}

void check_addresses(const std::vector<Host>& hosts, Sentences& wrong) {
  std::map<IpAddress, Sentences> places;
  for (const Host& host : hosts) {
    for (std::size_t rail = 0; rail < host.rails.size(); ++rail) {
      const Nic& nic = host.rails[rail];
      if (subnet_of(nic)) {
        places[*parse_ip_address(nic.address)].push_back(place(host, rail));
      } else {
        wrong.push_back(place(host, rail) + ": '" + address_of(nic) +
                        "' is not an IPv4 or IPv6 address with its prefix length");
      }
    }
  }
  for (const auto& [address, holders] : places) {
    if (holders.size() == 1) continue;
    wrong.push_back(to_string(address) + " is the address of " + joined(holders, " and of ") +
                    "; each needs its own");
  }
}

void check_reach(const std::vector<Host>& hosts, Sentences& wrong) {
  if (hosts.size() == 1) return;
  for (const Host& host : hosts) {
    for (std::size_t rail = 0; rail < host.rails.size(); ++rail) {
      const auto address = parse_ip_address(host.rails[rail].address);
      if (!address || !is_loopback(*address)) continue;
      wrong.push_back(
          place(host, rail) + ": " + to_string(*address) +
          " is a loopback address, which no other host can reach; SOFTROCE_ADDRESS gives a "
          "soft device another address");
    }
  }
}

}  // namespace

std::vector<std::string> check_rails(const std::vector<Host>& hosts) {
  Sentences wrong;
  if (hosts.empty()) return wrong;
  check_counts(hosts, wrong);
  check_addresses(hosts, wrong);
  check_reach(hosts, wrong);
  std::ranges::move(check_subnets(hosts), std::back_inserter(wrong));
  return wrong;
}

namespace {

/// 0 if no speed is known.
double usual_speed(const std::vector<Host>& hosts) {
  std::map<double, int> times;
  for (const Host& host : hosts) {
    for (const Nic& nic : host.rails) ++times[nic.gigabits_per_second];
  }
  times.erase(0);
  double usual = 0;
  int most = 0;
  for (const auto& [speed, count] : times) {  // from the slowest
    if (count < most) continue;
    most = count;
    usual = speed;
  }
  return usual;
}

}  // namespace

std::vector<std::string> slow_rails(const std::vector<Host>& hosts) {
  const double usual = usual_speed(hosts);
  std::vector<std::string> slow;
  for (const Host& host : hosts) {
    for (std::size_t rail = 0; rail < host.rails.size(); ++rail) {
      const double speed = host.rails[rail].gigabits_per_second;
      if (speed == 0 || speed >= usual) continue;
      slow.push_back(host.name + " " + name_of(host.rails[rail]) + " (rail " +
                     std::to_string(rail) + ") is slow: its link runs at " + speed_text(speed) +
                     " Gb/s, others at " + speed_text(usual) +
                     "; check its cable, transceiver and switch port");
    }
  }
  return slow;
}

}  // namespace railgauge::topology
