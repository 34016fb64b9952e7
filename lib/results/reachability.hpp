#pragma once

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
};

/// What came of one NIC's sending to another.
struct ReachabilityRow {
  Endpoint from{};
  Endpoint to{};
  bool same_rail = true;
  bool reached = false;                // messages went there and back
  std::optional<double> latency_us{};  // half a round trip of 8 bytes, the median; if reached
  std::optional<double> gigabytes_per_second{};  // of large writes; 0 if they did not all arrive
  std::string reason{};                          // why not, in a sentence; empty if all went well
};

/// All pairs that stay on their rail, or all that cross, each direction by itself.
struct ReachabilitySummary {
  bool same_rail = true;
  int tested = 0;
  int reached = 0;
  double median_gigabytes_per_second = 0;  // of those reached; 0 if there are none
};

/// What a run of the reachability test found.
struct ReachabilityBody {
  std::vector<ReachabilitySummary> summary{};
  std::vector<std::string> findings{};  // what speaks against the fabric, a sentence each
  std::vector<ReachabilityRow> rows{};  // of all pairs that were tested
};

}  // namespace railgauge::results
