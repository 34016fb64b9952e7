#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "results/edge_times.hpp"
#include "results/measurement.hpp"
#include "results/port_events.hpp"
#include "results/rank_load.hpp"
#include "results/sweep_point.hpp"

namespace railgauge::results {

/// What a model foretold of an algorithm.
struct Prediction {
  std::string algorithm{};
  double time_us = 0;

  RAILGAUGE_FIELDS((algorithm), (time_us))
};

/// One size of a sweep, at one point of its other axes. A measurement is empty until it was made,
/// and stays so if the run ends before that.
struct CollectiveRow {
  std::uint64_t size_bytes = 0;
  std::uint64_t count = 0;  // elements, as nccl-tests counts them for this collective
  std::string type{};       // "float"
  std::string op{};         // "sum"; "none" if nothing is reduced
  std::string algorithm{};  // "ring"
  SweepPoint point{};
  std::uint64_t cycle = 0;  // of -N, from 0 on
  std::chrono::system_clock::time_point measured{};
  std::vector<Prediction> predictions{};  // of all candidates, if the algorithm was chosen by them
  std::optional<Measurement> out_of_place{};
  std::optional<Measurement> in_place{};
  std::vector<PortEvents>
      events{};  // of all ports, from before the first iteration to after the last
  std::vector<EdgeTimes> edges{};      // of those that carried something; of very many the slowest
  std::vector<RankLoad> rank_loads{};  // [rank]

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((size_bytes), count, (type), op, algorithm);
    SweepPoint::fields(self.point, visit);
    RAILGAUGE_VISIT(cycle, measured, predictions, out_of_place, in_place, events, edges,
                    rank_loads);
  }
};

/// What a run of a collective's benchmark found.
struct CollectiveBody {
  static constexpr const char* kKind = "collective";

  std::string collective{};  // "all_reduce"
  std::vector<CollectiveRow> rows{};
  /// Ranks that ran it together, each group at the same time as the others (--split): a row's time
  /// is the slowest rank's of all. Empty: all ranks were one group.
  std::vector<std::vector<std::uint32_t>> groups{};

  RAILGAUGE_FIELDS((collective), groups, rows)
};

/// Drops the first cycles of rows in the order of their cycles, as many as leave at least `most`
/// rows and the last cycle; true if there were any.
bool forget_oldest_cycles(std::vector<CollectiveRow>& rows, std::size_t most);

/// A measurement of a row, and how its buffers lay.
struct Measured {
  BufferMode mode;
  const Measurement& measurement;
};

/// Those that the row has, out of place first. The row has to outlive them.
[[nodiscard]] std::vector<Measured> measurements_of(const CollectiveRow& row);

/// What share of the data #wrong is about: "6 of 360 timed iterations (1.7 %)"; empty if none was
/// timed.
[[nodiscard]] std::string verified_share(const std::vector<CollectiveRow>& rows);

/// What rails do together, against what each does by itself (--rails each,all): less than the sum
/// shows that they share something that is narrower than they are.
struct RailSum {
  const CollectiveRow* together = nullptr;
  double alone_gigabytes_per_second = 0;  // busbw, added up over the rails
  double together_gigabytes_per_second = 0;
};

/// Of the largest size of every setting that was run on several rails together and on each of them
/// by itself, out of place. The rows have to outlive it.
[[nodiscard]] std::vector<RailSum> rail_sums(const std::vector<CollectiveRow>& rows);

/// A line for a table, beginning with #.
[[nodiscard]] std::string line_of(const RailSum& sum);

}  // namespace railgauge::results
