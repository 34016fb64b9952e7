#pragma once

#include <string>
#include <vector>

#include "experiments/soak/port_sampler.hpp"
#include "finding/finding.hpp"
#include "job/communicator.hpp"
#include "json/members.hpp"
#include "results/edge_times.hpp"
#include "results/measurement.hpp"
#include "results/rank.hpp"
#include "soak/window.hpp"

namespace railgauge::runner {

/// A phase's turn, as one rank saw it.
struct OwnTurn {
  double own_us = 0;
  double longest_us = 0;
  std::string data_error{};
  std::vector<results::RailResult> rails{};  // what it sent; without bandwidths
  std::vector<results::EdgeTimes> edges{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("own", self.own_us);
    visit.required("longest", self.longest_us);
    RAILGAUGE_VISIT((data_error), (rails), (edges));
  }
};

/// What a rank sends to rank 0 when a window ends.
struct RankReport {
  soak::RankSample sample{};
  std::vector<PortReading> ports{};
  std::vector<OwnTurn> turns{};  // in the order in which they were taken, alike on all ranks

  RAILGAUGE_FIELDS((sample), (ports), (turns))
};

/// Collective: the reports of all ranks, on rank 0; none on the others.
[[nodiscard]] std::vector<RankReport> gather_reports(job::Communicator& communicator,
                                                     const RankReport& own);

/// Puts a window together but for number, start and length. `ranks` are the document's; `turns` are
/// what rank 0 alone knows, times over all ranks. Times are rounded to nanoseconds.
[[nodiscard]] soak::Window window_of(const std::vector<results::Rank>& ranks,
                                     std::vector<soak::PhaseSample> turns,
                                     const std::vector<RankReport>& reports);

}  // namespace railgauge::runner
