#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "paths/report.hpp"
#include "paths/trace.hpp"

namespace railgauge::paths {

/// 10.0.0.N.
[[nodiscard]] topology::IpAddress address(int number);
/// Of a place on the way, from 1, and a switch there: 10.1.PLACE.SWITCH.
[[nodiscard]] topology::IpAddress switch_address(int place, int which);

/// Leaf, spines, leaf and a peer, that answer as they are told to.
class FakeFabric final : public Prober {
 public:
  int switches = 3;
  int spines = 4;
  bool peer_answers = true;
  int peer_answers_lost = 0;           // the first so many
  int peer_answers_left = 1000;        // then one after each rest
  std::map<int, int> lost_arrivals{};  // by TTL, so many of the peer's first answers
  std::set<int> dead_spines{};         // that lose what is sent there
  bool unreachable = false;            // the first switch has no way to the peer
  std::set<int> silent{};              // places that never answer
  int answers_every = 1;               // of a switch's probes, so many are needed for one answer
  bool hashes_queue_pair = false;
  bool sprays = false;
  int rehashes_at = 0;         // so many probes: from then on others go elsewhere; 0: never
  bool swaps_answers = false;  // the answer to a probe is that to the one before
  std::set<std::uint16_t> busy{};

  [[nodiscard]] bool can_use(std::uint16_t source_port) override {
    return !busy.contains(source_port);
  }
  [[nodiscard]] std::vector<std::optional<Answer>> ask(std::span<const Probe> probes) override;

  void rest() override { ++peer_answers_left; }

  /// Whether it comes farther than the first switch.
  [[nodiscard]] bool passes_spine(const Probe& probe) {
    return !dead_spines.contains(spine_of(probe));
  }
  /// The greatest TTL of a probe to port 4791.
  [[nodiscard]] int farthest_to_roce() const { return farthest_to_roce_; }
  [[nodiscard]] int spine_of(const Probe& probe);

 private:
  [[nodiscard]] std::optional<Answer> answer(const Probe& probe);

  int farthest_to_roce_ = 0;
  int asked_ = 0;
};

[[nodiscard]] std::vector<std::uint16_t> ports(int count);
/// As it would be reported.
[[nodiscard]] PathReport report_of(FakeFabric& fabric, int ports);

}  // namespace railgauge::paths
