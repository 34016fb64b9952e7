#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "results/collective.hpp"
#include "results/rank.hpp"

namespace railgauge::diagnosis {

/// A run of a collective, as its document would have it: ranks with two rails or more, rows from
/// 4 KiB to 1 MiB, and what is planted in it. Times are those of software devices on a machine that
/// has other work, too: most chunks take a few times what the fastest do.
class SimulatedRun {
 public:
  enum class Shape { ring, all_to_all, hub };

  SimulatedRun(Shape shape, int ranks, int rails, unsigned seed, int ranks_per_host = 1);

  /// What a chunk takes longer from one port to another; ranks by number, data and acknowledgements
  /// alike.
  struct Trouble {
    int from = -1;  // any
    int to = -1;    // any
    int rail = -1;  // any
    double delay_us = 0;
    double megabytes_per_second = 0;  // 0: as fast as ever
    double backlog = 0;               // chunks that each one leaves in the queue of that rate
    double jitter_us = 0;
    double loss = 0;  // of packets
    double duplication = 0;
    double corruption = 0;
    double reordering = 0;
    double marks = 0;
    double notifications = 0;  // of marks, to the sender
  };
  SimulatedRun& plant(const Trouble& trouble);
  /// So much of its time the rank waited for a processor.
  SimulatedRun& starve(int rank, double share);
  /// The hosts' clocks are not the same.
  SimulatedRun& of_several_clocks();

  [[nodiscard]] const std::vector<results::Rank>& ranks() const { return ranks_; }
  [[nodiscard]] std::vector<results::CollectiveRow> rows();

 private:
  [[nodiscard]] results::CollectiveRow row(std::uint64_t bytes);
  [[nodiscard]] std::vector<int> peers_of(int rank) const;
  [[nodiscard]] results::EdgeTimes edge(int from, int to, int rail, std::uint64_t bytes);
  [[nodiscard]] double time_us(int from, int to, int rail, double bytes, int before = 0);
  void count(std::vector<results::PortEvents>& events, int from, int to, int rail);
  void count_way(std::vector<results::PortEvents>& events, int from, int to, int rail,
                 double packets, bool data);

  Shape shape_;
  int rails_;
  bool one_clock_ = true;
  std::mt19937 random_;
  std::vector<results::Rank> ranks_;
  std::vector<Trouble> troubles_;
  std::vector<double> starved_;
};

}  // namespace railgauge::diagnosis
