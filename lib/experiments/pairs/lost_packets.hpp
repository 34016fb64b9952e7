#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "experiments/pairs/pair_tester.hpp"
#include "finding/finding.hpp"
#include "results/collective.hpp"
#include "results/port_events.hpp"
#include "results/rank.hpp"

namespace railgauge::runner {

/// Packets that ports lost, or received with a wrong checksum, while pairs were tested.
class LostPackets {
 public:
  /// `all` has to outlive it.
  explicit LostPackets(const AllNics& all) : all_(all) {}

  /// A round: between which NICs data went, and what all ports counted meanwhile. One with a
  /// direction that does not work tells nothing: that end loses all packets.
  void add(const std::vector<DirectionFigures>& directions,
           std::vector<results::PortEvents> events);
  /// Whether packets were lost is judged as in collectives (lib/diagnosis), by all counters; where,
  /// by which pairs lost some (lib/pairs).
  [[nodiscard]] std::vector<finding::Finding> findings(
      const std::vector<results::Rank>& ranks) const;

 private:
  using Nics = std::pair<std::size_t, std::size_t>;  // from, to
  static constexpr std::size_t kMostRounds = 200;    // later ones are counted together

  const AllNics& all_;
  std::vector<results::CollectiveRow> rounds_{};  // in which something was sent again
  /// Packets that the receiver noticed to be missing; where no port counts these, packets that were
  /// sent again, which a busy machine makes, too.
  std::map<Nics, std::int64_t> missed_{};
  std::map<Nics, std::int64_t> sent_again_{};
};

}  // namespace railgauge::runner
