#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "results/document.hpp"
#include "results/rank.hpp"
#include "results/soak.hpp"

namespace railgauge::soak {

using Phase = results::SoakPhase;
using Gap = results::SoakGap;
using Figures = results::SoakFigures;

/// What a record is of: the first of its lines. A run that resumes a soak has to have the same
/// header but for what differs from run to run (see difference()).
struct Header {
  static constexpr double kOutagePercent = 50;
  static constexpr double kOutagePercentOfSoftware = 30;  ///< a busy machine is slow, too

  std::string run{};                                // id: "soak-20260131T120000Z-host0-4711"
  std::chrono::system_clock::time_point started{};  // the soak, not the run that goes on with it
  results::Tool tool{};
  std::vector<std::string> command_line{};
  std::map<std::string, results::Option> options{};
  double window_s = 0;
  double duration_s = 0;               // that was asked for, gaps not counted
  double load_percent = 100;           // 100: not paced
  std::vector<std::string> fail_on{};  // causes that fail the soak; empty: those that are errors
  /// Share of its past rate below which a rail is out of service, which fails the soak.
  double outage_percent = kOutagePercent;
  std::vector<Phase> plan{};
  /// [phase of the plan] The median time of an iteration when the soak began, not paced: what the
  /// load is a part of.
  std::vector<double> unpaced_us{};
  std::vector<results::Host> hosts{};          // with
  std::vector<results::Rank> ranks{};          // these rails: the fabric
  std::map<std::string, std::string> boots{};  // host → boot id of its kernel

  RAILGAUGE_FIELDS((run), (started), tool, command_line, options, (window_s), duration_s,
                   load_percent, fail_on, outage_percent, (plan), unpaced_us, hosts, (ranks), boots)
};

/// Why a run with the header `now` cannot go on with the soak of `recorded`: the first thing that
/// differs of plan, window, load, ranks, hosts and rails, in a sentence that names both. Of a host
/// that was swapped for another it says so: "host3 has taken the place of host2, which had ranks 4
/// and 5". Empty if it can: process numbers, boot ids and what else changes between two runs of the
/// same fabric may differ, and so may the duration, which is how a soak is prolonged.
[[nodiscard]] std::string difference(const Header& recorded, const Header& now);

}  // namespace railgauge::soak
