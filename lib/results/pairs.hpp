#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/measurement.hpp"
#include "results/reachability.hpp"

namespace railgauge::results {

/// What one attempt measured of one NIC's sending to another. What was not measured is empty.
struct PairFigures {
  std::string reason{};  // why the attempt did not come to its end, a sentence; empty: it did
  std::optional<double> gigabytes_per_second{};  // of bandwidth; 1e9 bytes
  std::optional<double> line_rate_percent{};     // of the slower of both links; empty: not known
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;  // that they took
  /// Of bandwidth from the post of a message to its acknowledgement, behind those before it; of
  /// latency half a round trip, of reads a whole one.
  std::optional<measure::Summary> time{};
  /// Of the same: 5 %, 10 %, ... 95 % of them took no longer.
  std::vector<double> quantiles_us{};
  /// Packets that were sent again or did not arrive, as both ports counted it, whichever counted
  /// more; empty: a port does not count.
  std::optional<std::int64_t> retransmissions{};
  std::map<std::string, std::int64_t> sender_events{};    // counters of the port that sent: what
  std::map<std::string, std::int64_t> receiver_events{};  // moved that is not traffic

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("reason", self.reason);
    visit("gigabytes_per_second", self.gigabytes_per_second);
    visit("line_rate_percent", self.line_rate_percent);
    visit("messages", self.messages);
    visit("bytes", self.bytes);
    visit("seconds", self.seconds);
    visit("time", self.time);
    visit("quantiles_us", self.quantiles_us);
    visit("retransmissions", self.retransmissions);
    visit("sender_events", self.sender_events);
    visit("receiver_events", self.receiver_events);
  }
};

/// What is thought of a way.
enum class PairVerdict : std::uint8_t { unknown, pass, fail };
/// "UNKNOWN", "PASS", "FAIL".
[[nodiscard]] std::string_view word(PairVerdict verdict);

/// One NIC's sending to another, in one mode.
struct PairRow {
  Endpoint from{};
  Endpoint to{};
  bool same_rail = true;  // and on the same plane of it: planes are networks of their own
  std::string mode{};     // "bandwidth", "write", "read", "send"
  PairFigures figures{};  // those that count: of repetitions the median, of attempts the best
  std::vector<double> repetitions{};  // of them GB/s, or the median in microseconds
  bool alone = false;                 // measured while nothing else was
  /// Attempts that did not count, in their order: usually what made it a suspect comes first.
  std::vector<PairFigures> earlier{};
  PairVerdict verdict = PairVerdict::unknown;
  std::string remark{};  // why it is what it is; empty if it passes

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("from", self.from);
    visit.required("to", self.to);
    visit("same_rail", self.same_rail);
    visit.required("mode", self.mode);
    visit.required("figures", self.figures);
    visit("repetitions", self.repetitions);
    visit("alone", self.alone);
    visit("earlier", self.earlier);
    visit.word("verdict", self.verdict, &word);
    visit("remark", self.remark);
  }
};

/// All ways of one mode that stay on their rail and plane, or all that cross.
struct PairsSummary {
  std::string mode{};
  bool same_rail = true;
  std::uint64_t measured = 0;
  std::uint64_t finished = 0;  // of them
  std::uint64_t failed = 0;    // of them, by verdict
  std::uint64_t unknown = 0;
  std::optional<double> median_gigabytes_per_second{};  // of bandwidth; of those that finished
  std::optional<double> slowest_gigabytes_per_second{};
  std::optional<double> median_us{};  // of latency: of the medians
  std::optional<double> slowest_us{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("mode", self.mode);
    visit.required("same_rail", self.same_rail);
    visit("measured", self.measured);
    visit("finished", self.finished);
    visit("failed", self.failed);
    visit("unknown", self.unknown);
    visit("median_gigabytes_per_second", self.median_gigabytes_per_second);
    visit("slowest_gigabytes_per_second", self.slowest_gigabytes_per_second);
    visit("median_us", self.median_us);
    visit("slowest_us", self.slowest_us);
  }
};

/// What a run of the test of pairs measured.
struct PairsBody {
  static constexpr const char* kKind = "pairs";

  std::uint64_t planned = 0;  // rows that there are when it has ended, unless they are a sample
  std::vector<PairsSummary> summary{};
  std::vector<std::string> findings{};  // what speaks against the fabric, a sentence each
  std::vector<PairRow> rows{};          // so far

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("planned", self.planned);
    visit("summary", self.summary);
    visit("findings", self.findings);
    visit("rows", self.rows);
  }
};

}  // namespace railgauge::results
