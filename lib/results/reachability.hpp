#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace railgauge::results {

/// A NIC at one end of a path, as a reader finds it again. Its rank has the rest of it.
struct Endpoint {
  std::string host{};
  int rail = 0;
  std::string device{};  // "mlx5_0"
  int port = 1;
  std::string address{};
  int plane = 0;  // of the rail

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("host", self.host);
    visit.required("rail", self.rail);
    visit("plane", self.plane);
    visit("device", self.device);
    visit("port", self.port);
    visit("address", self.address);
  }
};

/// What came of one NIC's sending to another.
struct ReachabilityRow {
  Endpoint from{};
  Endpoint to{};
  bool same_rail = true;  // and on the same plane of it: planes are networks of their own
  bool reached = false;   // messages went there and back, packets of every size there
  std::optional<double> latency_us{};  // half a round trip of 8 bytes, the median; if reached
  std::optional<double> gigabytes_per_second{};  // of large writes; 0 if they did not all arrive
  std::string reason{};                          // why not, in a sentence; empty if all went well
  /// Of the time of the writes, the part in which the threads of both ends ran, as far as is known.
  double ran_share = 1;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("from", self.from);
    visit.required("to", self.to);
    result_fields(self, visit);
  }

  /// Those that do not say which pair it is.
  template <class Self, class Visit>
  static void result_fields(Self& self, Visit& visit) {
    visit("same_rail", self.same_rail);
    visit.required("reached", self.reached);
    visit("latency_us", self.latency_us);
    visit("gigabytes_per_second", self.gigabytes_per_second);
    visit("reason", self.reason);
    visit("ran_share", self.ran_share);
  }
};

/// All pairs that stay on their rail and plane, or all that cross, each direction by itself.
struct ReachabilitySummary {
  bool same_rail = true;
  int tested = 0;
  int reached = 0;
  double median_gigabytes_per_second = 0;  // of those reached; 0 if there are none

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("same_rail", self.same_rail);
    visit("tested", self.tested);
    visit("reached", self.reached);
    visit("median_gigabytes_per_second", self.median_gigabytes_per_second);
  }
};

/// What a run of the reachability test found.
struct ReachabilityBody {
  static constexpr const char* kKind = "reachability";

  std::vector<ReachabilitySummary> summary{};
  std::vector<std::string> findings{};  // what speaks against the fabric, a sentence each
  std::vector<std::string> doubts{};    // what is not known of it, a sentence each
  std::vector<ReachabilityRow> rows{};  // of all pairs that were tested

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("summary", self.summary);
    visit("findings", self.findings);
    visit("doubts", self.doubts);
    visit("rows", self.rows);
  }
};

}  // namespace railgauge::results
