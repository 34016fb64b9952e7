#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "json/members.hpp"
#include "results/rank_load.hpp"

// lib/soak keeps a fabric under load for hours: the plan, the record of windows, findings in them,
// the summary. It must not know MPI, verbs, or how an iteration is run.

namespace railgauge::soak {

/// The iteration of a phase and window that took longest, and the chunk that did.
struct Slowest {
  double us = 0;
  int rank = 0;                                  // that it took longest
  std::chrono::system_clock::time_point when{};  // by rank 0's clock, to the second
  /// The connection on which a single chunk took longest in that window, which is not always the
  /// same iteration; empty if nothing went over a rail.
  std::optional<int> from{};
  std::optional<int> to{};
  std::optional<int> rail{};  // of `from`
  std::optional<int> plane{};
  std::optional<double> chunk_us{};  // from the post to its completion

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((us), (rank), when);
    visit.if_any("from", self.from);
    visit.if_any("to", self.to);
    visit.if_any("rail", self.rail);
    visit.if_any("plane", self.plane);
    visit.if_any("chunk_us", self.chunk_us);
  }
};

/// What one rail, or plane of it, did in a phase.
struct RailSample {
  unsigned rail = 0;
  int plane = 0;
  std::uint64_t bytes = 0;                // that all ranks sent over it in the whole window
  double busbw_gigabytes_per_second = 0;  // its part of the phase's, at the median: while it runs
  double p50_us = 0;                      // of its part of the data; of the rank that took longest

  RAILGAUGE_FIELDS((rail), plane, bytes, busbw_gigabytes_per_second, p50_us)
};

/// What a phase of the plan did in a window. One that had no turn in it is not there.
struct PhaseSample {
  std::size_t phase = 0;         // its place in the header's plan, from 0
  std::uint64_t iterations = 0;  // all; also those that were verified
  std::uint64_t verified = 0;
  std::uint64_t wrong = 0;  // elements over all ranks, of those that were verified
  double p50_us = 0;        // of the slowest rank of each iteration, without verification
  double p99_us = 0;
  double p999_us = 0;
  double busbw_gigabytes_per_second = 0;   // at p50_us: what the fabric did while it was used
  std::optional<double> jct_ratio{};       // p50_us over that of the first hour (Header::baseline)
  Slowest slowest{};                       // slowest.us is the maximum
  std::vector<RailSample> rails{};         // that carried something
  std::vector<double> rank_own_us{};       // [rank] median of what it did not wait for others
  std::vector<std::string> data_errors{};  // what ranks found wrong first, a sentence each
  std::vector<finding::Finding> findings{};  // whose data were wrong, if that could be traced

  /// That all ranks sent over all rails.
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const RailSample& rail : rails) sum += rail.bytes;
    return sum;
  }

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((phase), (iterations), verified, wrong, p50_us, p99_us, p999_us,
                    busbw_gigabytes_per_second);
    visit.if_any("jct_ratio", self.jct_ratio);
    RAILGAUGE_VISIT(slowest, rails, rank_own_us, data_errors, findings);
  }
};

/// How long single chunks of a phase took at a port: medians over its connections of their medians.
struct PortTimes {
  std::size_t phase = 0;
  std::optional<double> sent_us{};      // that its ranks sent, from the post to the completion
  std::optional<double> received_us{};  // that were sent to its ranks, likewise, at the sender

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("phase", self.phase);
    visit.if_any("sent_us", self.sent_us);
    visit.if_any("received_us", self.received_us);
  }
};

/// One port in a window. Software devices are each process's own, and differ by address.
struct PortSample {
  std::string host{};
  std::string device{};
  int port = 1;
  int rail = 0;
  int plane = 0;
  std::string address{};
  /// False: none of its counters could be read, though the header says that they were before, or
  /// the port has none. Nothing is known of it then.
  bool counters_read = true;
  std::vector<std::string> unread{};  // counters that could be read before, and not now
  /// By how much counters moved, by the driver's names (telemetry/meaning.hpp says what each
  /// tells); those that did not are left out. Negative: the counter was reset.
  std::map<std::string, std::int64_t> moved{};
  std::string state{};  // "ACTIVE", "DOWN"; empty: not known
  std::optional<double> link_gigabits_per_second{};
  std::optional<double> temperature_celsius{};  // the hottest sensor of the device, if it has any
  std::vector<PortTimes> times{};               // by phase

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((host), (device), port, rail, plane, address, counters_read, unread, moved,
                    state);
    visit.if_any("link_gigabits_per_second", self.link_gigabits_per_second);
    visit.if_any("temperature_celsius", self.temperature_celsius);
    visit("times", self.times);
  }
};

/// A rank's own process in a window.
struct RankSample {
  results::RankLoad load{};  // load.rank says whose
  std::uint64_t resident_bytes = 0;
  std::uint64_t descriptors = 0;
  double processors = 0;  // that all of its threads kept busy, on average
  /// The longest time for which no thread of it could run, other than for want of a processor
  /// (cluster/rank_watch.hpp). Empty: not known.
  std::optional<double> longest_descheduled_us{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    results::RankLoad::fields(self.load, visit);
    RAILGAUGE_VISIT(resident_bytes, descriptors, processors);
    visit.if_any("longest_descheduled_us", self.longest_descheduled_us);
  }
};

/// One window of a soak: all that was measured from its start until the next one's. Rank 0's clock
/// says when it ends; all ranks are informed. It is somewhat longer than asked for, by the
/// iteration in progress.
struct Window {
  std::uint64_t number = 0;  // from 1, over all runs of the record; none is there twice
  std::chrono::system_clock::time_point start{};  // rank 0's clock, to the second
  double length_s = 0;                            // as it was, by a clock that never jumps
  std::vector<PhaseSample> phases{};
  std::vector<PortSample> ports{};  // all ports of all hosts that the plan may use
  std::vector<RankSample> ranks{};  // [rank]

  [[nodiscard]] std::chrono::system_clock::time_point end() const {
    const std::chrono::duration<double> length(length_s);
    return start + std::chrono::round<std::chrono::system_clock::duration>(length);
  }

  RAILGAUGE_FIELDS((number), (start), (length_s), phases, ports, ranks)
};

}  // namespace railgauge::soak
