#pragma once

// lib/isolation locates the faulty part of a fabric: tests between NICs and their paths in,
// findings with their odds out. It must not know how a path is traced, or how anything is measured.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "finding/location.hpp"

namespace railgauge::isolation {

/// An end of tests. NICs with the same host's name are one host's.
struct Nic {
  std::string host{};                   ///< of one of several ranks of a host: a name of its own
  finding::Endpoint end{};              ///< as findings have it
  int rail = 0;                         ///< only NICs of one rail are matched with each other
  double link_gigabits_per_second = 0;  ///< 0: not known
};

/// A switch that did not answer.
inline constexpr int kUnknownSwitch = -1;

/// What came of a test. What was not measured is empty.
struct Outcome {
  bool failed = false;  ///< it did not come to its end: nothing arrived, or the transport gave up
  /// Of one that failed, if only one direction is dead: whether its packets arrive, so that its
  /// acknowledgements are lost. Empty: either may be.
  std::optional<bool> arrives{};
  std::optional<double> gigabytes_per_second{};
  /// What it should have been; empty: the median of tests over as many switches is what it should,
  /// as a part of the slower link of its two NICs if these are known of all.
  std::optional<double> expected_gigabytes_per_second{};
  std::optional<double> lost_share{};           ///< of packets: dropped, or sent again
  std::optional<double> latency_us{};           ///< a high percentile: p99 rather than the mean
  std::optional<double> expected_latency_us{};  ///< as of the rate
  /// Where CPUs play the devices: the share of the time in which the ends' processes had one.
  std::optional<double> cpu_share{};
};

/// A test from one NIC to another.
struct Observation {
  std::size_t from = 0;  ///< index of a NIC
  std::size_t to = 0;    ///< index of a NIC
  std::uint16_t source_port = 0;
  /// Tests of one round ran at the same time: what disturbed one may have disturbed others, so one
  /// round convicts nobody.
  int round = 0;
  /// Nothing else of ours was sent meanwhile.
  bool alone = false;
  /// Another run made it, perhaps another kind of test, which need not have traced its path: that
  /// its path is unknown says nothing of what could be found now.
  bool earlier = false;
  /// The switches that it passed in order, by index, some of which may be unknown; empty if nothing
  /// is known. They must be those that this flow's packets passed: of a fabric whose switches hash
  /// the queue pair, only the first and the last are known.
  std::vector<int> hops{};
  /// So many of the hops answered probes, and no switch behind them did: what lies before worked.
  /// 0: probes came all along, or it is not known.
  std::size_t heard = 0;
  /// The same of its acknowledgements, which go from `to` to `from`: where they are lost, it fails.
  /// Empty: not known, and not taken for a reason unless the outcome says so.
  std::vector<int> hops_back{};
  std::size_t heard_back = 0;
  /// Every packet takes a path of its own: of `hops` only the first and the last count.
  bool sprayed = false;
  Outcome outcome{};
};

/// All that is known. Indices in tests are those of `nics` and `switches`.
struct Evidence {
  std::vector<Nic> nics{};
  std::vector<std::string> switches{};  ///< names or addresses
  std::vector<Observation> tests{};
};

}  // namespace railgauge::isolation
