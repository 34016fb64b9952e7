#include "diagnosis/diagnosis.hpp"

#include <algorithm>
#include <set>

#include "diagnosis/packet_events.hpp"
#include "diagnosis/slow_paths.hpp"
#include "diagnosis/slow_rails.hpp"
#include "diagnosis/starvation.hpp"
#include "finding/words.hpp"

namespace railgauge::diagnosis {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Evidence;
using finding::Finding;
using finding::number;
using finding::Severity;
using results::CollectiveRow;

/// All that rows have seen, for the search.
struct Observed {
  std::vector<std::vector<PathTime>> times;
  std::vector<std::vector<results::RankLoad>> loads;
  std::vector<RowEvents> events;  // of each row
  std::set<Path> sent;
};

Observed observed(const std::vector<CollectiveRow>& rows, const Ports& ports) {
  Observed all;
  all.events.reserve(rows.size());
  for (const CollectiveRow& row : rows) {
    const std::vector<PathTime> times = path_times(row, ports);
    RowEvents of_row{.events = row.events, .sent = {}};
    for (const PathTime& time : times) of_row.sent.insert(time.path);
    all.sent.insert(of_row.sent.begin(), of_row.sent.end());
    all.events.push_back(std::move(of_row));
    all.times.push_back(times);
    if (!row.rank_loads.empty()) all.loads.push_back(row.rank_loads);
  }
  return all;
}

/// "+1043 us per chunk", "0.3 GB/s".
std::string excess_of(const SlowPlace& slow) {
  const std::string excess = "+" + number(slow.excess_us) + " us";
  switch (slow.kind) {
    case Slowness::delay: return excess + " per chunk";
    case Slowness::rate:
      return slow.gigabytes_per_second > 0 ? number(slow.gigabytes_per_second) + " GB/s"
                                           : "grows with the chunk size";
    case Slowness::jitter: return excess + " for half of the chunks";
    case Slowness::unknown: return excess + " per chunk, for an unknown reason";
  }
  return "";
}

Cause cause_of(Slowness kind) {
  switch (kind) {
    case Slowness::rate: return Cause::bandwidth;
    case Slowness::jitter: return Cause::jitter;
    case Slowness::delay:
    case Slowness::unknown: break;
  }
  return Cause::latency;
}

Evidence evidence_of(const SlowPlace& slow) {
  return {.metric = "chunk time",
          .unit = "x its peers",
          .observed = slow.slower,
          .against = slow.rows,
          .of = slow.of_rows,
          .counted = "rows"};
}

/// Whether even its fastest chunks are slow: a processor that is missing now and then delays some,
/// and those of all rails.
bool is_steady(const SlowPlace& slow) {
  return slow.kind == Slowness::delay || slow.kind == Slowness::rate;
}

/// Slower than what a busy machine makes of a software device. Where processors leave the kind
/// open, by its fastest chunks.
bool is_slow_by_far(const SlowPlace& slow) {
  constexpr double kByFar = 10;
  constexpr std::size_t kRows = 4;
  const bool open = slow.kind == Slowness::unknown;
  const double slower = open ? slow.fastest_slower : slow.slower;
  return (is_steady(slow) || open) && slower >= kByFar && slow.rows >= kRows &&
         slow.rows == slow.of_rows;
}

bool touches(const Place& place, const Place& other, const std::set<Path>& paths,
             const Ports& ports) {
  return std::ranges::any_of(paths, [&](const Path& path) {
    return holds(place, path, ports) && holds(other, path, ports);
  });
}

/// Of switches: a cable makes none of these.
bool is_of_settings(Cause cause) {
  return cause == Cause::congestion || cause == Cause::pause || cause == Cause::reordering ||
         cause == Cause::duplication;
}

Finding found_at(const Place& place, Cause cause, const Ports& ports) {
  Finding finding = finding::found("diagnosis", cause, location_of(place, ports));
  if (!is_of_settings(cause)) finding.remedy = remedy_at(place, ports);
  return finding;
}

Finding finding_of(const PacketFault& fault, const SlowPlace* slow, const Ports& ports) {
  Finding finding = found_at(fault.place, fault.cause, ports);
  finding.certainty = Certainty::confirmed;
  finding.evidence = fault.evidence;
  finding.detail = facts_of(fault.cause).headline;
  if (fault.share) finding.detail += ", " + finding::percent(*fault.share) + " of packets";
  if (slow != nullptr) finding.evidence.push_back(evidence_of(*slow));
  return finding;
}

/// `counted`: ports told what they counted, which was no loss there.
Finding finding_of(const SlowPlace& slow, const Ports& ports, bool counted) {
  Finding finding = found_at(slow.place, cause_of(slow.kind), ports);
  // A host that is alone on its leaf is further from all others, with nothing wrong at it.
  const bool doubtful =
      slow.only_beyond_hosts || (is_software(slow.place, ports) && !is_slow_by_far(slow));
  if (doubtful) finding.severity = Severity::warning;
  finding.detail = std::string(facts_of(finding.cause).headline) + ", " + excess_of(slow);
  finding.evidence = {evidence_of(slow)};
  for (const Place& other : slow.alternatives) {
    finding.alternatives.push_back(location_of(other, ports));
    finding.remedy += "; or " + remedy_at(other, ports);
  }
  if (counted) finding.evidence.push_back({.text = "no packet was lost"});
  return finding;
}

std::optional<std::size_t> port_on(int rail, const Ports& ports) {
  for (std::size_t port = 0; port < ports.size(); ++port) {
    if (ports[port].rail == rail) return port;
  }
  return std::nullopt;
}

/// A rail that is said to be slower needs no finding for being it.
bool have_one_speed(const std::vector<results::Rank>& ranks) {
  std::set<double> speeds;
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) speeds.insert(rail.link_gigabits_per_second);
  }
  return speeds.size() <= 1;
}

/// A port or path that is slow makes its rail slow for all.
bool is_on(int rail, const Place& place, const Ports& ports) {
  if (place.scope == Scope::host) return true;
  if (place.scope != Scope::path) return ports[place.port].rail == rail;
  return ports[place.path.from].rail == rail || ports[place.path.to].rail == rail;
}

Finding finding_of(const SlowRail& slow, std::size_t port, const Ports& ports) {
  constexpr double kByFar = 4;
  const Place place{.scope = Scope::rail, .port = port};
  Finding finding = found_at(place, Cause::bandwidth, ports);
  finding.where.at.plane.reset();
  if (is_software(place, ports) && slow.least < kByFar) finding.severity = Severity::warning;
  finding.detail = "low bandwidth: its data take longest on every rank";
  finding.evidence = {{.metric = "time of its data",
                       .unit = "x the next rail",
                       .observed = slow.slower,
                       .against = slow.rows,
                       .of = slow.of_rows,
                       .counted = "rows"}};
  finding.remedy = "compare the switches of rail " + std::to_string(slow.rail) +
                   ", and the slots of its NICs, with those of other rails";
  return finding;
}

Finding finding_of(const LateRank& late, Cause cause, const std::vector<results::Rank>& ranks) {
  const std::string& host = ranks.at(static_cast<std::size_t>(late.rank)).host;
  Finding finding = finding::found(
      "diagnosis", cause, {.scope = Scope::processor, .at = {.host = host, .ranks = {late.rank}}});
  finding.evidence = {late.evidence};
  return finding;
}

bool drives(const LateRank& late, const Port& port) {
  return std::ranges::count(port.ranks, late.rank) > 0;
}

bool drives_an_end(const LateRank& late, const Path& path, const Ports& ports) {
  return drives(late, ports[path.from]) || drives(late, ports[path.to]);
}

bool is_of(const LateRank& late, const Place& place, const Ports& ports) {
  if (place.scope == Scope::rail) return false;
  if (place.scope == Scope::path) return drives_an_end(late, place.path, ports);
  return drives(late, ports[place.port]);
}

/// Whether data of the place pass that rank. Times of chunks to a rank that computes, and by turns
/// those of others, are its own.
bool passes(const LateRank& late, const Place& place, const std::set<Path>& paths,
            const Ports& ports) {
  return std::ranges::any_of(paths, [&](const Path& path) {
    return holds(place, path, ports) && drives_an_end(late, path, ports);
  });
}

/// Whether a rank that waits for processors, or computes, makes the place slow.
bool is_by_load(const SlowPlace& slow, const std::vector<LateRank>& starved,
                const std::vector<LateRank>& computing, const std::set<Path>& sent,
                const Ports& ports) {
  return !slow.beyond_twins &&
         (std::ranges::any_of(starved,
                              [&](const auto& rank) { return is_of(rank, slow.place, ports); }) ||
          std::ranges::any_of(
              computing, [&](const auto& rank) { return passes(rank, slow.place, sent, ports); }));
}

/// Whether every port said how many packets it sent: one that is not listed may not be able to.
bool all_count(const std::vector<RowEvents>& rows, const Ports& ports) {
  std::set<std::size_t> counted;
  for (const RowEvents& row : rows) {
    for (const results::PortEvents& one : row.events) {
      const auto port = ports.that_counted(one);
      if (port && one.packets_sent) counted.insert(*port);
    }
  }
  return ports.size() > 0 && counted.size() == ports.size();
}

}  // namespace

std::vector<Finding> diagnose(const std::vector<results::Rank>& ranks,
                              const std::vector<CollectiveRow>& rows) {
  const Ports ports(ranks);
  const Observed seen = observed(rows, ports);
  auto starved = find_starved_ranks(seen.loads);
  const auto faults = find_packet_faults(seen.events, ports);
  const auto slow = find_slow_places(seen.times, ports);
  std::erase_if(starved, [&](const LateRank& rank) {
    return !rank.stopped && std::ranges::any_of(slow, [&](const SlowPlace& one) {
      const bool beyond_load = !one.only_beyond_hosts && (is_steady(one) || is_slow_by_far(one));
      return beyond_load && is_of(rank, one.place, ports);
    });
  });
  std::vector<Finding> findings;
  findings.reserve(starved.size() + faults.size() + slow.size());
  for (const LateRank& one : starved)
    findings.push_back(finding_of(one, Cause::descheduled, ranks));
  const auto add_unless_starved = [&](const std::vector<LateRank>& late, Cause cause) {
    for (const LateRank& one : late) {
      if (std::ranges::count(starved, one.rank, &LateRank::rank) == 0)
        findings.push_back(finding_of(one, cause, ranks));
    }
  };
  add_unless_starved(find_stopped_ranks(rows), Cause::descheduled);
  const auto computing = find_slow_ranks(rows);
  add_unless_starved(computing, Cause::slow_processor);
  for (const PacketFault& fault : faults) {
    const auto of_it = std::ranges::find_if(slow, [&](const SlowPlace& place) {
      return touches(place.place, fault.place, seen.sent, ports);
    });
    findings.push_back(finding_of(fault, of_it == slow.end() ? nullptr : &*of_it, ports));
  }
  const bool all_counted = all_count(seen.events, ports);
  for (const SlowPlace& one : slow) {
    const bool explained = is_by_load(one, starved, computing, seen.sent, ports) ||
                           std::ranges::any_of(faults, [&](const PacketFault& fault) {
                             return touches(fault.place, one.place, seen.sent, ports);
                           });
    if (!explained) findings.push_back(finding_of(one, ports, all_counted));
  }
  const auto rail = have_one_speed(ranks) ? find_slow_rail(rows) : std::nullopt;
  const auto port = rail ? port_on(rail->rail, ports) : std::nullopt;
  const auto explains = [&](const auto& one) { return is_on(rail->rail, one.place, ports); };
  if (port && std::ranges::none_of(slow, explains) && std::ranges::none_of(faults, explains))
    findings.push_back(finding_of(*rail, *port, ports));
  return findings;
}

}  // namespace railgauge::diagnosis
