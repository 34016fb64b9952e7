#include "results/nic_use.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "schedule/collective.hpp"

namespace railgauge::results {
namespace {

constexpr double kBitsPerByte = 8;

/// What a rank sends by on one rail: a port, or several that are planes of the rail.
struct Nic {
  double gigabits_per_second = 0;  // line rate of a plane, one direction; 0: not known
  int planes = 0;                  // all of that line rate
};

/// By the port of their first plane, which tells them from others of their host.
std::map<std::string, Nic> nics_of(const Rank& rank, const std::vector<int>& rails) {
  std::map<std::string, Nic> nics;
  std::map<int, std::string> ports;  // [rail]
  for (const RankRail& rail : rank.rails) {
    if (std::ranges::find(rails, rail.rail) == rails.end()) continue;
    const std::string port = rail.device + "/" + std::to_string(rail.port) + " " + rail.address;
    const auto [first, is_new] = ports.try_emplace(rail.rail, port);
    Nic& nic = nics[first->second];
    const bool same = is_new || nic.gigabits_per_second == rail.link_gigabits_per_second;
    nic.gigabits_per_second = same ? rail.link_gigabits_per_second : 0;
    ++nic.planes;
  }
  return nics;
}

/// osu_bibw, osu_put_bibw, ib_write_bw_bidirectional.
bool is_of_both_directions(const std::string& collective) {
  return collective.ends_with("_bibw") || collective.ends_with("_bidirectional");
}

/// Bytes through a host's NICs in one direction for each byte of bus bandwidth.
std::optional<double> wire_per_busbw(const NicUse& use) {
  constexpr double kOneOfBoth = 0.5;
  if (is_of_both_directions(use.collective)) {
    return use.nodes == 1 ? std::nullopt : std::optional(kOneOfBoth);
  }
  const auto collective = schedule::collective(use.collective);
  const bool one_busy = collective && schedule::rooted(*collective) &&
                        schedule::traits(*collective).size == schedule::SizeRule::per_rank;
  const bool alltoall =
      collective && schedule::traits(*collective).movement == schedule::Movement::transposed;
  const bool all_by_nics = use.beside_nics && use.beside_nics->empty();
  if (use.nodes == 1 && !all_by_nics) return std::nullopt;
  if (one_busy || (!all_by_nics && !alltoall)) return 1;
  if (!use.ranks || !use.nodes || *use.ranks % *use.nodes != 0) return std::nullopt;
  const double ranks = *use.ranks;
  const double per_node = ranks / *use.nodes;
  return all_by_nics || ranks < 2 ? per_node : per_node * (ranks - per_node) / (ranks - 1);
}

}  // namespace

NicUse nic_use_of(const std::vector<Rank>& ranks, const std::vector<int>& rails, bool by_memory) {
  std::map<std::string, std::map<std::string, Nic>> hosts;
  for (const Rank& rank : ranks) {
    auto& nics = hosts[rank.host];
    for (const auto& [port, nic] : nics_of(rank, rails)) nics[port] = nic;
  }
  std::set<int> counts;
  std::set<int> planes;  // of all NICs of a host
  std::set<double> rates;
  for (const auto& [host, nics] : hosts) {
    int sum = 0;
    for (const auto& [port, nic] : nics) {
      sum += nic.planes;
      rates.insert(nic.gigabits_per_second);
    }
    counts.insert(static_cast<int>(nics.size()));
    planes.insert(sum);
  }
  NicUse use;
  if (!ranks.empty()) use.ranks = static_cast<int>(ranks.size());
  if (!hosts.empty()) use.nodes = static_cast<int>(hosts.size());
  use.beside_nics.emplace();
  if (by_memory && use.ranks > use.nodes) use.beside_nics->emplace_back("memory");
  if (counts.size() == 1 && *counts.begin() > 0) use.nics_per_node = *counts.begin();
  const bool known = rates.size() == 1 && *rates.begin() > 0;
  if (known && planes == counts) {
    use.line_rate_gigabits_per_second = *rates.begin();
  } else if (known && planes.size() == 1 && use.nics_per_node) {
    use.line_rate_gigabits_per_second = *rates.begin() * *planes.begin() / *use.nics_per_node;
  }
  return use;
}

std::optional<double> nics_gigabytes_per_second(const NicUse& use) {
  if (!use.nics_per_node || !use.line_rate_gigabits_per_second) return std::nullopt;
  return *use.nics_per_node * *use.line_rate_gigabits_per_second / kBitsPerByte;
}

std::optional<double> line_rate_fraction(const NicUse& use, double busbw_gigabytes_per_second) {
  const auto nics = nics_gigabytes_per_second(use);
  const auto factor = wire_per_busbw(use);
  if (!nics || !factor) return std::nullopt;
  return busbw_gigabytes_per_second * *factor / *nics;
}

}  // namespace railgauge::results
