#include "congestion/class_changes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "congestion/policy.hpp"

namespace railgauge::congestion {
namespace {

using Packets = std::map<int, std::int64_t>;  // by priority

/// Packets that come into a switch, and that leave it.
struct Passage {
  Packets in{};
  Packets out{};
};

std::int64_t sum_of(const Packets& packets) {
  return std::accumulate(packets.begin(), packets.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& one) { return sum + one.second; });
}

std::int64_t packets_on(const LinkSeries& link) {
  return std::accumulate(
      link.samples.begin(), link.samples.end(), std::int64_t{0},
      [](std::int64_t sum, const LinkSeries::Sample& sample) { return sum + sample.packets; });
}

std::map<std::string, Passage> passages(Steps steps) {
  std::map<std::string, Passage> all;
  for (const Step* const step : steps) {
    if (!switches_know_all(*step)) continue;
    for (const LinkSeries& link : step->links) {
      const std::int64_t packets = packets_on(link);
      if (!link.to_host) all[link.to].in[link.priority] += packets;
      if (!link.from_host) all[link.from].out[link.priority] += packets;
    }
  }
  return all;
}

Packets sent_by_hosts(Steps steps) {
  Packets sent;
  for (const Step* const step : steps) {
    if (!switches_know_all(*step)) continue;
    for (const LinkSeries& link : step->links) {
      if (link.from_host) sent[link.priority] += packets_on(link);
    }
  }
  return sent;
}

/// The priority of which more are here than there, by most, and by how many.
std::pair<int, std::int64_t> excess(const Packets& here, const Packets& there) {
  std::pair<int, std::int64_t> most{};
  for (const auto& [priority, packets] : here) {
    const auto other = there.find(priority);
    const std::int64_t more = packets - (other == there.end() ? 0 : other->second);
    if (more > most.second) most = {priority, more};
  }
  return most;
}

/// Whether it gives packets the priority back that the other took away. Either is the opposite of
/// the other: what took away had more packets, or as many and of the priority in which hosts send.
bool puts_back(const ClassChange& back, const ClassChange& away, Packets& sent) {
  constexpr double kAsMany = 1.1;  // packets under way when counters are read
  if (away.from != back.to || away.to != back.from) return false;
  const double ratio = static_cast<double>(away.packets) / static_cast<double>(back.packets);
  return ratio > kAsMany || (ratio > 1 / kAsMany && sent[away.from] > sent[back.from]);
}

}  // namespace

std::vector<ClassChange> class_changes(Steps steps) {
  std::vector<ClassChange> all;
  for (const auto& [node, passage] : passages(steps)) {
    const auto [to, more] = excess(passage.out, passage.in);
    const double most = kMostReclassifiedShare * static_cast<double>(sum_of(passage.in));
    if (more < kLeastMarks || static_cast<double>(more) <= most) continue;
    all.push_back({node, excess(passage.in, passage.out).first, to, more});
  }
  Packets sent = sent_by_hosts(steps);
  const std::vector<ClassChange> found = all;
  std::erase_if(all, [&](const ClassChange& back) {
    return std::ranges::any_of(
        found, [&](const ClassChange& away) { return puts_back(back, away, sent); });
  });
  return all;
}

}  // namespace railgauge::congestion
