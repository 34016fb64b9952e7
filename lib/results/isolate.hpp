#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "results/endpoint.hpp"

namespace railgauge::results {

/// One NIC's sending to another for a short time, by one source port.
struct IsolateRow {
  Endpoint from{};
  Endpoint to{};
  std::uint16_t source_port = 0;
  bool port_was_set = false;  // by a call of its own; else it is what the kernel's rule makes of
                              // the flow label
  int round = 0;              // tests of one round ran at the same time, or one after the other
  bool alone = false;         // nothing else of ours was sent meanwhile
  std::vector<std::string>
      hops{};            // the switches on its path, in order; "" for one that is not known
  bool sprayed = false;  // its packets took several paths: hops are of one of them
  bool failed = false;   // it did not come to its end
  /// Of one that failed, if only one direction is dead: whether its packets arrive, so that its
  /// acknowledgements are lost. Empty: not known.
  std::optional<bool> arrives{};
  /// So many of the hops answered probes, and no switch behind them did; empty: all did.
  std::optional<std::uint64_t> answered_hops{};
  /// Of one that failed, the path of its acknowledgements, likewise; empty: not known.
  std::optional<std::vector<std::string>> hops_back{};
  std::optional<std::uint64_t> answered_hops_back{};
  std::optional<double> gigabytes_per_second{};
  std::optional<double> p50_us{};  // of 8-byte writes, from post to completion
  std::optional<double> p99_us{};
  std::optional<std::int64_t> packets{};       // that its data took, at the MTU of the path
  std::optional<std::int64_t> lost_packets{};  // of them, that ports counted as missing
  /// Of software devices: the share of the time in which the processes at its ends had a CPU, the
  /// lower of the two.
  std::optional<double> cpu_share{};
  /// Why it is no evidence unless it lost packets: an endpoint process was descheduled for a part
  /// of the time, or it was slow and cpu_share may be why. Empty if it is.
  std::string void_because{};
  std::string symptoms{};  // "lossy", "slow", "late", "dead", with commas; empty: none
  std::string reason{};    // why it failed, a sentence

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((from), (to), (source_port), port_was_set, (round), alone, hops, sprayed,
                    (failed), gigabytes_per_second, p50_us, p99_us, packets, lost_packets,
                    cpu_share, void_because, symptoms, reason);
    visit.if_any("arrives", self.arrives);
    visit.if_any("answered_hops", self.answered_hops);
    visit.if_any("hops_back", self.hops_back);
    visit.if_any("answered_hops_back", self.answered_hops_back);
  }
};

/// A search for faulty components. What it found are the findings of the document.
struct IsolateBody {
  static constexpr const char* kKind = "isolate";

  int rounds = 0;       // of tests at the same time
  double coverage = 0;  // share of components tested often enough to be found if bad
  double noise = 0;     // share of tests that are bad where nothing is, at most
  std::optional<double> detectable_loss{};  // share of packets; less may go undetected
  std::uint64_t imported_tests = 0;     // of other documents (--evidence); they have no rows here
  std::vector<std::string> switches{};  // that replied on any path of this run
  std::vector<IsolateRow> rows{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("rounds", self.rounds);
    visit("component_coverage", self.coverage);
    RAILGAUGE_VISIT(noise, detectable_loss, imported_tests, switches, rows);
  }
};

}  // namespace railgauge::results
