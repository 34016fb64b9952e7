#include "topology/rail_check.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "topology/ip_address.hpp"

namespace railgauge::topology {
namespace {

using Sentences = std::vector<std::string>;

struct Subnet {
  IpAddress network;
  int prefix_length = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes <=>'s own 0 for a pointer
  friend auto operator<=>(const Subnet&, const Subnet&) = default;
};

struct InSubnet {
  const Host* host;
  Subnet subnet;
};

std::string name_of(const Nic& nic) {
  return nic.port == 1 ? nic.device : nic.device + " port " + std::to_string(nic.port);
}

std::string address_of(const Nic& nic) {
  return nic.address + "/" + std::to_string(nic.prefix_length);
}

std::string place(const Host& host, std::size_t rail) {
  return host.name + " " + name_of(host.rails[rail]) + " (rail " + std::to_string(rail) + ")";
}

std::string joined(const Sentences& parts, const std::string& separator) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : separator) + part;
  return all;
}

/// Empty if the address, or its prefix, is none.
std::optional<Subnet> subnet_of(const Nic& nic) {
  const auto address = parse_ip_address(nic.address);
  if (!address || nic.prefix_length < 0 || nic.prefix_length > address_bits(*address)) return {};
  return Subnet{network_of(*address, nic.prefix_length), nic.prefix_length};
}

/// Two ends and nothing else, or one address alone: the subnet says nothing about the rail.
bool is_point_to_point(const Subnet& subnet) {
  return subnet.prefix_length >= address_bits(subnet.network) - 1;
}

/// The first of those for which most others have the same key. `all` is not empty.
template <class T, class Key>
const T& most_common(const std::vector<T>& all, Key key) {
  std::map<decltype(key(all.front())), int> times;
  for (const T& one : all) ++times[key(one)];
  return *std::ranges::max_element(all, {}, [&](const T& one) { return times.at(key(one)); });
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
                    (devices.empty() ? "none" : joined(devices, ", ")) + "), and not " +
                    std::to_string(rails_of(usual)) + " as " + usual.name + " has");
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
    wrong.push_back(to_string(address) + " is the address of " + joined(holders, " and of "));
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
          " is of its loopback interface, where no other host reaches it; a soft device "
          "gets another address by SOFTROCE_ADDRESS");
    }
  }
}

std::vector<InSubnet> subnets_of(const std::vector<Host>& hosts, std::size_t rail) {
  std::vector<InSubnet> subnets;
  for (const Host& host : hosts) {
    if (rail >= host.rails.size()) continue;
    const auto subnet = subnet_of(host.rails[rail]);
    if (subnet && !is_point_to_point(*subnet)) subnets.push_back({&host, *subnet});
  }
  return subnets;
}

/// Those in the usual subnet: "the other 2 hosts", "3 other hosts", or the one by its name.
std::string described(const InSubnet& usual, const std::vector<InSubnet>& all) {
  const auto inside = std::ranges::count(all, usual.subnet, &InSubnet::subnet);
  if (inside == 1) return usual.host->name;
  const std::string number = std::to_string(inside);
  return inside + 1 == std::ssize(all) ? "the other " + number + " hosts" : number + " other hosts";
}

void check_subnets(const std::vector<Host>& hosts, std::size_t rail, Sentences& wrong) {
  const std::vector<InSubnet> all = subnets_of(hosts, rail);
  if (all.empty()) return;
  const InSubnet& usual = most_common(all, [](const InSubnet& one) { return one.subnet; });
  for (const auto& [host, subnet] : all) {
    if (subnet == usual.subnet) continue;
    const Nic& nic = host->rails[rail];
    wrong.push_back("rail " + std::to_string(rail) + ": " + host->name + " " + name_of(nic) + " " +
                    address_of(nic) + " is not in " + to_string(usual.subnet.network) + "/" +
                    std::to_string(usual.subnet.prefix_length) + " of " + described(usual, all));
  }
}

}  // namespace

std::vector<std::string> check_rails(const std::vector<Host>& hosts) {
  Sentences wrong;
  if (hosts.empty()) return wrong;
  check_counts(hosts, wrong);
  check_addresses(hosts, wrong);
  check_reach(hosts, wrong);
  std::size_t rails = 0;
  for (const Host& host : hosts) rails = std::max(rails, host.rails.size());
  for (std::size_t rail = 0; rail < rails; ++rail) check_subnets(hosts, rail, wrong);
  return wrong;
}

}  // namespace railgauge::topology
