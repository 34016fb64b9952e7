#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/port_events.hpp"

namespace railgauge::results {

// A soak in a result document. Its samples, a window at a time, are a record of their own
// (railgauge/soak/1, lib/soak); what both have is here.

/// What a soak runs again and again: a collective of one size on some rails.
struct SoakPhase {
  std::string collective{};  // "all_reduce"
  std::string algorithm{};   // "ring"
  std::uint64_t size_bytes = 0;
  std::vector<unsigned> rails{};  // that it drives; settled: none is not all

  friend bool operator==(const SoakPhase&, const SoakPhase&) = default;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("collective", self.collective);
    visit("algorithm", self.algorithm);
    visit.required("size_bytes", self.size_bytes);
    visit.required("rails", self.rails);
  }
};

/// What happened, apart from samples.
enum class SoakEventKind : std::uint8_t {
  loss,            ///< packets that did not arrive
  retransmission,  ///< packets that were sent again
  corruption,      ///< packets whose checksum was wrong
  wrong_data,      ///< elements that a verification found wrong
  flap,            ///< a link that went down, and came back or did not
  speed_change,    ///< a link that runs at another speed than in the window before
  latency_step,    ///< chunks that take longer from one window on
  slow_rail,       ///< a rail that carries less than the others, window after window
  straggler,       ///< a rank or host that takes longer than the others, window after window
  stall,           ///< a process that did not run for a while: stopped, throttled, preempted
  counter_reset,   ///< a counter that went back
  fault,           ///< any other counter that a healthy fabric leaves alone
  host_returned,   ///< a host that went and came back: between two runs of this soak
};

/// "loss", "wrong-data", "speed-change".
[[nodiscard]] constexpr std::string_view word(SoakEventKind kind) {
  switch (kind) {
    case SoakEventKind::loss: return "loss";
    case SoakEventKind::retransmission: return "retransmission";
    case SoakEventKind::corruption: return "corruption";
    case SoakEventKind::wrong_data: return "wrong-data";
    case SoakEventKind::flap: return "flap";
    case SoakEventKind::speed_change: return "speed-change";
    case SoakEventKind::latency_step: return "latency-step";
    case SoakEventKind::slow_rail: return "slow-rail";
    case SoakEventKind::straggler: return "straggler";
    case SoakEventKind::stall: return "stall";
    case SoakEventKind::counter_reset: return "counter-reset";
    case SoakEventKind::fault: return "fault";
    case SoakEventKind::host_returned: return "host-returned";
  }
  return "";
}

/// One thing that happened. Where it happened is known as far as the fields are filled.
struct SoakEvent {
  SoakEventKind kind = SoakEventKind::fault;
  std::uint64_t window = 0;                      // in which it was seen
  std::chrono::system_clock::time_point when{};  // that window's start
  std::string host{};
  std::string device{};
  std::optional<int> port{};
  std::optional<int> rail{};
  std::optional<int> plane{};
  std::string address{};      // of the port; of software devices, which rank's it is
  std::optional<int> rank{};  // whose it is, or that is slow
  std::optional<int> peer{};  // the other end, where it is known
  std::string cause{};        // as far as known, a few words: "cable or port"; empty: not known
  std::string text{};         // the whole of it in a sentence
  std::map<std::string, std::int64_t> counters{};  // that speak for it, and by how much they moved

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.word("kind", self.kind, &word);
    visit.required("window", self.window);
    visit.required("when", self.when);
    visit("host", self.host);
    visit("device", self.device);
    visit.if_any("port", self.port);
    visit.if_any("rail", self.rail);
    visit.if_any("plane", self.plane);
    visit("address", self.address);
    visit.if_any("rank", self.rank);
    visit.if_any("peer", self.peer);
    visit("cause", self.cause);
    visit.required("text", self.text);
    visit("counters", self.counters);
  }
};

/// A time in which the soak did not run, between two runs of one record.
struct SoakGap {
  std::chrono::system_clock::time_point from{};  // the end of the last window that was kept
  std::chrono::system_clock::time_point to{};    // the start of the next
  std::uint64_t after_window = 0;                // number of the last that was kept; 0: of none
  std::uint64_t lost_windows = 0;                // as many as would have been in that time
  std::string why{};         // how the run before ended, in words: "rank 3 (host1): killed"
  std::string resumed_by{};  // "--resume on host0", "--supervise, restart 2 on host0"
  std::vector<std::string> rebooted{};  // hosts whose kernel has started since
  std::vector<PortEvents> counted{};    // from the last window that was kept until `to`

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("from", self.from);
    visit.required("to", self.to);
    visit("after_window", self.after_window);
    visit("lost_windows", self.lost_windows);
    visit("why", self.why);
    visit("resumed_by", self.resumed_by);
    visit("rebooted", self.rebooted);
    visit("counted", self.counted);
  }
};

enum class SoakVerdict : std::uint8_t { pass, fail, inconclusive };

/// "PASS", "FAIL", "INCONCLUSIVE".
[[nodiscard]] constexpr std::string_view word(SoakVerdict verdict) {
  switch (verdict) {
    case SoakVerdict::pass: return "PASS";
    case SoakVerdict::fail: return "FAIL";
    case SoakVerdict::inconclusive: return "INCONCLUSIVE";
  }
  return "";
}

/// What a soak is worth so far.
struct SoakJudgement {
  SoakVerdict verdict = SoakVerdict::inconclusive;
  std::vector<std::string> reasons{};             // one sentence each
  std::vector<std::uint64_t> deciding_windows{};  // numbers, ascending: those that decide
  std::string drain_reason{};  // for a scheduler, at most 80 characters; empty unless it failed
  std::uint64_t windows = 0;   // that were judged
  std::uint64_t windows_without_counters = 0;
  std::uint64_t bits = 0;  // that were carried and verified or counted clean
  std::optional<double>
      bit_error_rate_bound{};  // 3 / bits: 95 % confidence; empty if any was wrong

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.word("verdict", self.verdict, &word);
    visit("reasons", self.reasons);
    visit("deciding_windows", self.deciding_windows);
    visit("drain_reason", self.drain_reason);
    visit("windows", self.windows);
    visit("windows_without_counters", self.windows_without_counters);
    visit("bits", self.bits);
    visit.if_any("bit_error_rate_bound", self.bit_error_rate_bound);
  }
};

/// One phase of the plan, over the whole soak.
struct SoakRow {
  SoakPhase phase{};
  std::uint64_t iterations = 0;
  std::uint64_t verified_iterations = 0;
  std::uint64_t wrong = 0;  // elements over all ranks
  std::uint64_t bytes = 0;  // that all ranks sent over all rails
  double p50_us = 0;        // medians over windows of the windows' quantiles
  double p99_us = 0;
  double p999_us = 0;
  double max_us = 0;                            // of all iterations
  double busbw_gigabytes_per_second = 0;        // at p50_us
  std::optional<double> jct_ratio{};            // of the last window
  std::optional<double> jct_ratio_deviation{};  // standard deviation over windows

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    SoakPhase::fields(self.phase, visit);
    visit("iterations", self.iterations);
    visit("verified_iterations", self.verified_iterations);
    visit("wrong", self.wrong);
    visit("bytes", self.bytes);
    visit("p50_us", self.p50_us);
    visit("p99_us", self.p99_us);
    visit("p999_us", self.p999_us);
    visit("max_us", self.max_us);
    visit("busbw_gigabytes_per_second", self.busbw_gigabytes_per_second);
    visit("jct_ratio", self.jct_ratio);
    visit("jct_ratio_deviation", self.jct_ratio_deviation);
  }
};

/// What a soak found.
struct SoakBody {
  static constexpr const char* kKind = "soak";

  std::string record{};  // the file with its samples, as it was named
  std::string run{};     // the record's id
  double window_s = 0;
  double load_percent = 0;
  SoakJudgement judgement{};
  std::vector<SoakEvent> events{};  // at most kMostEvents, the first; events_seen tells of all
  std::uint64_t events_seen = 0;
  std::vector<SoakGap> gaps{};
  std::vector<SoakRow> rows{};  // [phase of the plan]

  static constexpr std::size_t kMostEvents = 1000;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("record", self.record);
    visit("run", self.run);
    visit.required("window_s", self.window_s);
    visit("load_percent", self.load_percent);
    visit("judgement", self.judgement);
    visit("soak_events", self.events);  // a document's "events" are of ports
    visit("events_seen", self.events_seen);
    visit("gaps", self.gaps);
    visit("rows", self.rows);
  }
};

}  // namespace railgauge::results
