#include "diagnosis/diagnosis.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "diagnosis/packet_events.hpp"
#include "diagnosis/slow_paths.hpp"
#include "diagnosis/starvation.hpp"

namespace railgauge::diagnosis {
namespace {

using results::CollectiveRow;
using results::Finding;

template <class... Values>
std::string printed(const char* format, Values... values) {
  char text[256];  // NOLINT: a sentence
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string percent(double share) {
  constexpr double kPercent = 100;
  return printed(share < 0.001 ? "%.3f %%" : "%.1f %%", kPercent * share);
}

/// All that rows have seen, for the search.
struct Observed {
  std::vector<std::vector<PathTime>> times;
  std::vector<std::vector<results::RankLoad>> loads;
  std::vector<results::PortEvents> events;
  std::set<Path> sent;
};

Observed observed(const std::vector<CollectiveRow>& rows, const Ports& ports) {
  Observed all;
  for (const CollectiveRow& row : rows) {
    const std::vector<PathTime> times = path_times(row, ports);
    for (const PathTime& time : times) all.sent.insert(time.path);
    if (!serves_in_turn(row)) all.times.push_back(times);
    if (!row.rank_loads.empty()) all.loads.push_back(row.rank_loads);
    all.events.insert(all.events.end(), row.events.begin(), row.events.end());
  }
  return all;
}

std::string in_words(const SlowPlace& slow) {
  std::string text;
  switch (slow.kind) {
    case Slowness::delay: text = printed("every chunk takes %.0f us longer", slow.excess_us); break;
    case Slowness::rate:
      text = slow.gigabytes_per_second > 0 ? printed("carries %.3g GB/s", slow.gigabytes_per_second)
                                           : "the longer the chunk, the slower";
      break;
    case Slowness::jitter:
      text =
          printed("chunks take very different times, half of them %.0f us longer", slow.excess_us);
      break;
    case Slowness::unknown: text = printed("a chunk takes %.0f us longer", slow.excess_us); break;
  }
  return text + printed("; %.1f x slower than others in %zu of %zu rows", slow.slower, slow.rows,
                        slow.of_rows);
}

std::string cause_of(Slowness kind) {
  switch (kind) {
    case Slowness::delay: return "latency";
    case Slowness::rate: return "rate limit";
    case Slowness::jitter: return "jitter";
    case Slowness::unknown: break;
  }
  return "unknown";
}

bool touches(const Place& place, const Place& other, const std::set<Path>& paths,
             const Ports& ports) {
  return std::ranges::any_of(paths, [&](const Path& path) {
    return holds(place, path, ports) && holds(other, path, ports);
  });
}

Finding finding_of(const PacketFault& fault, const SlowPlace* slow, const Ports& ports) {
  Finding finding;
  finding.cause = fault.cause;
  name_place(finding, fault.place, ports);
  finding.lost_share = fault.share;
  finding.evidence = fault.evidence;
  finding.text = in_words(fault.place, ports) + ": " + fault.cause;
  if (fault.share) finding.text += " of " + percent(*fault.share) + " of packets";
  for (const std::string& one : fault.evidence) finding.text += ", " + one;
  if (slow != nullptr) {
    finding.slower = slow->slower;
    finding.evidence.push_back(in_words(*slow));
    finding.text += printed("; %.1f x slower than others", slow->slower);
  }
  finding.text += "; " + advice(fault.place, ports);
  return finding;
}

/// `counted`: ports told what they counted, which was no loss there.
Finding finding_of(const SlowPlace& slow, const Ports& ports, bool counted) {
  Finding finding;
  finding.cause = cause_of(slow.kind);
  name_place(finding, slow.place, ports);
  finding.slower = slow.slower;
  finding.evidence = {in_words(slow)};
  const bool known = slow.kind != Slowness::unknown;
  finding.text = in_words(slow.place, ports) + ": " +
                 (known ? finding.cause : "slow, of unknown cause") + ": " + in_words(slow) +
                 (counted ? "; no packet was lost; " : "; ") + advice(slow.place, ports);
  return finding;
}

Finding of_processor(int rank, const std::vector<results::Rank>& ranks, const std::string& cause) {
  Finding finding;
  finding.cause = cause;
  finding.scope = "processor";
  finding.direction = "both";
  finding.host = ranks.at(static_cast<std::size_t>(rank)).host;
  finding.ranks = {rank};
  finding.text = "rank " + std::to_string(rank) + " (" + finding.host + "): " + cause + ": ";
  return finding;
}

Finding finding_of(const StarvedRank& starved, const std::vector<results::Rank>& ranks) {
  Finding finding = of_processor(starved.rank, ranks, "starved processor");
  finding.evidence = {
      printed(starved.stopped ? "stopped or throttled for %.0f %% of the time, others for %.0f %%"
                              : "waited for a processor %.0f %% of the time, others %.0f %%",
              100 * starved.share, 100 * starved.others_share)};
  finding.text +=
      finding.evidence.front() + "; what else runs there, is it throttled or pinned beside others?";
  return finding;
}

Finding finding_of(const SlowRank& slow, const std::vector<results::Rank>& ranks) {
  Finding finding = of_processor(slow.rank, ranks, "slow processor");
  finding.slower = slow.times;
  finding.evidence = {printed(
      "takes %.1f x what others take by itself, without waiting, in %zu of %zu measurements",
      slow.times, slow.measurements, slow.of_measurements)};
  finding.text += finding.evidence.front() + "; check clock frequency, throttling and memory of " +
                  finding.host;
  return finding;
}

bool is_of(const StarvedRank& starved, const Place& place, const Ports& ports) {
  if (place.scope == Scope::rail) return false;
  const auto driven = [&](std::size_t port) {
    return std::ranges::count(ports[port].ranks, starved.rank) > 0;
  };
  if (place.scope == Scope::path) return driven(place.path.from) || driven(place.path.to);
  return driven(place.port);
}

/// Whether every port said how many packets it sent: one that is not listed may not be able to.
bool all_count(const std::vector<results::PortEvents>& events, const Ports& ports) {
  std::set<std::size_t> counted;
  for (const results::PortEvents& one : events) {
    const auto port = ports.that_counted(one);
    if (port && one.packets_sent) counted.insert(*port);
  }
  return ports.size() > 0 && counted.size() == ports.size();
}

/// Whether even its fastest chunks are slow: a processor that is missing now and then delays some,
/// and those of all rails.
bool is_steady(const SlowPlace& slow) {
  return slow.kind == Slowness::delay || slow.kind == Slowness::rate;
}

}  // namespace

std::vector<Finding> diagnose(const std::vector<results::Rank>& ranks,
                              const std::vector<CollectiveRow>& rows) {
  const Ports ports(ranks);
  const Observed seen = observed(rows, ports);
  auto starved = find_starved_ranks(seen.loads);
  const auto faults = find_packet_faults(seen.events, seen.sent, ports);
  const auto slow = find_slow_places(seen.times, ports);
  std::erase_if(starved, [&](const StarvedRank& rank) {
    return !rank.stopped && std::ranges::any_of(slow, [&](const SlowPlace& one) {
      return is_steady(one) && is_of(rank, one.place, ports);
    });
  });
  std::vector<Finding> findings;
  findings.reserve(starved.size() + faults.size() + slow.size());
  for (const StarvedRank& one : starved) findings.push_back(finding_of(one, ranks));
  for (const SlowRank& one : find_slow_ranks(rows)) {
    if (std::ranges::count(starved, one.rank, &StarvedRank::rank) == 0)
      findings.push_back(finding_of(one, ranks));
  }
  for (const PacketFault& fault : faults) {
    const auto of_it = std::ranges::find_if(slow, [&](const SlowPlace& place) {
      return touches(place.place, fault.place, seen.sent, ports);
    });
    findings.push_back(finding_of(fault, of_it == slow.end() ? nullptr : &*of_it, ports));
  }
  const bool all_counted = all_count(seen.events, ports);
  for (const SlowPlace& one : slow) {
    const bool explained =
        std::ranges::any_of(starved,
                            [&](const auto& rank) { return is_of(rank, one.place, ports); }) ||
        std::ranges::any_of(faults, [&](const PacketFault& fault) {
          return touches(fault.place, one.place, seen.sent, ports);
        });
    if (!explained) findings.push_back(finding_of(one, ports, all_counted));
  }
  return findings;
}

}  // namespace railgauge::diagnosis
