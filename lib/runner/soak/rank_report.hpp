#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "job/communicator.hpp"
#include "results/edge_times.hpp"
#include "results/finding.hpp"
#include "results/rank.hpp"
#include "runner/soak/port_sampler.hpp"
#include "soak/window.hpp"

namespace railgauge::runner {

/// What a plane of a rail did on one rank in a turn.
struct OwnRail {
  unsigned rail = 0;
  int plane = 0;
  std::uint64_t bytes = 0;  // sent
  double p50_us = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("rail", self.rail);
    visit.required("plane", self.plane);
    visit.required("bytes", self.bytes);
    visit.required("us", self.p50_us);
  }
};

/// A phase's turn, as one rank saw it.
struct OwnTurn {
  double own_us = 0;
  double longest_us = 0;
  std::string complaint{};
  std::vector<OwnRail> rails{};
  std::vector<results::EdgeTimes> edges{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("own", self.own_us);
    visit.required("longest", self.longest_us);
    visit.required("complaint", self.complaint);
    visit.required("rails", self.rails);
    visit.required("edges", self.edges);
  }
};

/// What a rank tells rank 0 when a window ends.
struct RankReport {
  soak::RankSample sample{};
  std::vector<PortReading> ports{};
  std::vector<OwnTurn> turns{};  // in the order in which they were taken, alike on all ranks

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("sample", self.sample);
    visit.required("ports", self.ports);
    visit.required("turns", self.turns);
  }
};

/// Collective: the reports of all ranks, on rank 0; none on the others.
[[nodiscard]] std::vector<RankReport> gather_reports(job::Communicator& communicator,
                                                     const RankReport& own);

/// What rank 0 alone knows of a turn: times over all ranks.
struct LeaderTurn {
  std::size_t phase = 0;
  std::uint64_t iterations = 0;
  std::uint64_t verified = 0;
  std::uint64_t wrong = 0;
  double p50_us = 0;
  double p99_us = 0;
  double p999_us = 0;
  double slowest_us = 0;
  std::chrono::system_clock::time_point slowest_when{};
  double busbw_gigabytes_per_second = 0;
  std::optional<results::Finding> finding{};
};

/// Puts a window together but for number, start and length. `ranks` are the document's; times are
/// rounded to nanoseconds.
[[nodiscard]] soak::Window window_of(const std::vector<results::Rank>& ranks,
                                     const std::vector<LeaderTurn>& turns,
                                     const std::vector<RankReport>& reports);

}  // namespace railgauge::runner
