#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "results/endpoint.hpp"
#include "results/measurement.hpp"

namespace railgauge::results {

/// What one attempt measured of one NIC's sending to another. What was not measured is empty.
struct PairFigures {
  std::string reason{};  // why the attempt did not come to its end, a sentence; empty: it did
  /// Of one that failed because of the size of packets: payload of the largest that pass, and of
  /// those that do not.
  std::optional<std::uint32_t> passed_packet_bytes{};
  std::optional<std::uint32_t> lost_packet_bytes{};
  bool alone = false;  // nothing else was measured meanwhile
  /// Which process was descheduled, and for how long, if that may be why it was slow or failed, a
  /// sentence; empty: both ends ran.
  std::string descheduled{};
  double descheduled_ms = 0;  // that time; 0 also of a document in which only the sentence is
  /// Of its time, if no other pair was measured meanwhile, the part in which the threads of both
  /// ends had a CPU, as far as is known; else 1.
  double cpu_share = 1;
  std::optional<double> gigabytes_per_second{};  // of bandwidth, connect; 1e9 bytes
  std::optional<double> line_rate_percent{};     // of the slower of both links; empty: not known
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;  // that they took
  /// Of bandwidth from the post of a message to its acknowledgement, behind those before it; of
  /// latency, which `connect` has too, half a round trip, of reads a whole one.
  std::optional<measure::Summary> time{};
  /// Of the same: 5 %, 10 %, ... 95 % of them took no longer.
  std::vector<double> quantiles_us{};
  /// Packets that were sent again or did not arrive, as both ports counted it, whichever counted
  /// more; empty: a port does not count.
  std::optional<std::int64_t> retransmissions{};
  std::map<std::string, std::int64_t> sender_events{};    // counters of the port that sent: what
  std::map<std::string, std::int64_t> receiver_events{};  // moved that is not traffic
  /// Of connect, in which datagrams arrived; empty: none did, or the device does not say.
  std::optional<int> arrived_traffic_class{};
  /// Of what failed, if only one direction between the two is dead: whether packets of this one
  /// arrive, and acknowledgements do not; else nothing arrives. Empty: not known.
  std::optional<bool> arrives{};
  /// In which its packets left the sending port and arrived at the other, as each counts; empty: it
  /// does not count by priority, or nearly all of what it counted is not in one.
  std::optional<int> sent_priority{};
  std::optional<int> arrived_priority{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((reason), passed_packet_bytes, lost_packet_bytes, alone, descheduled,
                    descheduled_ms, cpu_share, gigabytes_per_second, line_rate_percent, messages,
                    bytes, seconds, time, quantiles_us, retransmissions, sender_events,
                    receiver_events);
    visit.not_below_zero({"gigabytes_per_second", "seconds"});
    visit.if_any("arrived_traffic_class", self.arrived_traffic_class);
    visit.if_any("arrives", self.arrives);
    visit.if_any("sent_priority", self.sent_priority);
    visit.if_any("arrived_priority", self.arrived_priority);
  }
};

/// What is thought of a pair.
enum class PairVerdict : std::uint8_t { unknown, pass, fail };
/// "UNKNOWN", "PASS", "FAIL".
[[nodiscard]] std::string_view word(PairVerdict verdict);

/// Whether it is known which switches a path passes.
enum class PathLabel : std::uint8_t {
  not_asked,      // they were not asked, or could not be
  told,           // they say
  no_switch,      // none is on the path that could: one subnet
  no_answer,      // they, or the NIC at the end, did not answer
  by_queue_pair,  // they choose by the queue pair, too: only the first and the last are known
  sprayed         // every packet takes another path: only the first and the last are known
};
/// "not-asked", "told", "no-switch", "no-answer", "by-queue-pair", "sprayed".
[[nodiscard]] std::string_view word(PathLabel label);

/// The path of one queue pair.
struct PairPath {
  std::uint16_t source_port = 0;                   // UDP; of the sender's queue pair
  std::vector<std::optional<std::string>> hops{};  // addresses of switches, in order; empty: one
                                                   // that is not known
  bool port_was_set = false;  // by a call of its own; else it is what the kernel's rule makes of
                              // the flow label

  friend bool operator==(const PairPath&, const PairPath&) = default;

  RAILGAUGE_FIELDS((source_port), port_was_set, hops)
};

/// "10.1.0.1 > 10.2.0.2 > 10.1.0.2", with "?" for a switch that is not known; of queue pairs that
/// take several paths each of these, with "; " between. Empty if nothing is known.
[[nodiscard]] std::string path_text(const std::vector<PairPath>& paths);

/// One NIC's sending to another, in one mode.
struct PairRow {
  Endpoint from{};
  Endpoint to{};
  bool same_rail = true;  // and on the same plane of it: planes are networks of their own
  std::string mode{};     // "bandwidth", "write", "read", "send", "connect"
  int round = 0;          // those of one were measured at the same time
  PathLabel path_label = PathLabel::not_asked;
  std::optional<int> switches{};  // on its path; empty: not known
  std::vector<PairPath> paths{};  // of each queue pair; empty: drivers choose their ports
  PairFigures figures{};  // those that count: of repetitions the median, of attempts the best
  std::vector<double> repetitions{};  // of them GB/s, or the median in microseconds
  bool alone = false;                 // one of its attempts was
  /// Attempts that did not count, in their order: usually what made it a suspect comes first.
  std::vector<PairFigures> earlier{};
  PairVerdict verdict = PairVerdict::unknown;
  std::string remark{};  // why it is what it is; empty if it passes
  std::string limit{};   // what it had to reach: "80 % of the median of 14 fast pairs"

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((from), (to), same_rail, (mode), round, path_label, switches, paths, (figures),
                    repetitions, alone, earlier, verdict, remark);
    visit.if_any("limit", self.limit);
  }
};

/// Of a kind, the pairs over one number of switches, which are compared with each other.
struct PairsOverSwitches {
  int switches = 0;
  std::uint64_t measured = 0;
  std::optional<double> median_gigabytes_per_second{};  // as in PairsSummary
  std::optional<double> slowest_gigabytes_per_second{};
  std::optional<double> median_us{};
  std::optional<double> slowest_us{};

  RAILGAUGE_FIELDS((switches), measured, median_gigabytes_per_second, slowest_gigabytes_per_second,
                   median_us, slowest_us)
};

/// All pairs of one mode that stay on their rail and plane, or all that cross.
struct PairsSummary {
  std::string mode{};
  bool same_rail = true;
  std::uint64_t measured = 0;
  std::uint64_t finished = 0;  // of them
  std::uint64_t failed = 0;    // of them, by verdict
  std::uint64_t unknown = 0;
  /// Of bandwidth, of those that finished: of the fast ones, which pairs are held to.
  std::optional<double> median_gigabytes_per_second{};
  std::optional<double> slowest_gigabytes_per_second{};
  std::optional<double> median_us{};  // the same of latency: of the medians
  std::optional<double> slowest_us{};
  std::string limit{};  // what they had to reach: "90 % of line rate, 80 % of the median"
  std::vector<PairsOverSwitches>
      by_switches{};  // where that is known, and there are enough of them

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((mode), (same_rail), measured, finished, failed, unknown,
                    median_gigabytes_per_second, slowest_gigabytes_per_second, median_us,
                    slowest_us);
    visit.if_any("limit", self.limit);
    visit("by_switches", self.by_switches);
  }
};

/// What a host's clock (UTC) is ahead of that of the first host.
struct HostClock {
  std::string host{};
  std::optional<double> ahead_ms{};  // empty: it drifted too far while it was compared
  double uncertainty_ms = 0;         // by how much that may be wrong

  RAILGAUGE_FIELDS((host), ahead_ms, uncertainty_ms)
};

/// What a run of the test of pairs measured.
struct PairsBody {
  static constexpr const char* kKind = "pairs";

  std::uint64_t planned = 0;  // rows that there are when it has ended, unless they are a sample
  std::vector<PairsSummary> summary{};
  std::optional<std::vector<HostClock>> clocks{};  // of connect
  std::vector<PairRow> rows{};                     // so far

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT(planned, summary);
    visit.if_any("clocks", self.clocks);
    RAILGAUGE_VISIT(rows);
  }
};

}  // namespace railgauge::results
