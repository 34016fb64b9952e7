#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "reachability/complaints.hpp"
#include "reachability/meetings.hpp"

namespace railgauge::benchmarks {

/// What the command line of reachability_perf asks for.
struct ReachabilityOptions {
  // Which NICs.
  std::vector<std::string> devices;  // of this host, one rail each; empty: all that can be used
  int soft_rails = 0;                // as many devices of softroce are `devices`; 0: none
  std::optional<int> gid_index;      // empty: by rule

  // What is asked of them.
  reachability::Scope scope = reachability::Scope::all_rails;
  reachability::CrossRail cross_rail = reachability::CrossRail::may_fail;
  std::chrono::milliseconds time{10};  // of a pair's bandwidth, each direction
  int retries = 3;                     // of what looks slow; the best of a pair counts
  std::chrono::seconds limit{60};      // of waiting for the other hosts

  // What comes out.
  bool colours = false;
  std::string output_file;
  std::string svg_file;
  bool overwrite = false;
};

/// Help and version end the program with `text` on stdout; a mistake with `text` on stderr.
struct ParsedReachabilityOptions {
  std::optional<ReachabilityOptions> options;  // empty: `text` is the answer
  std::string text;
  bool mistake = false;
};

/// From the command line, or if not there from the environment (--devices from RAILGAUGE_DEVICES).
/// Touches no device.
[[nodiscard]] ParsedReachabilityOptions parse_reachability_options(int argc, char** argv);

}  // namespace railgauge::benchmarks
