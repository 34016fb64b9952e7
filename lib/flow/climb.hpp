#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "flow/nic.hpp"
#include "flow/pinger.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::flow {

/// Writes of growing size, one after the other, of one packet each as far as the MTU allows: a path
/// that loses large packets passes the small ones, and a dead one passes none. Nothing waits or
/// throws; what posts returns 0 or an errno value.
class Climb {
 public:
  /// All of them have to outlive it. `id` is that of its completions.
  Climb(Nic& nic, verbs::QueuePair& pair, const verbs::RemoteSlice& there, std::uint64_t id)
      : nic_(nic), pair_(pair), there_(there), id_(id) {}

  int begin() {
    begun_ = true;
    return post();
  }
  /// The last write was acknowledged.
  int acknowledged() {
    ++passed_;
    return done() ? 0 : post();
  }
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] bool done() const { return passed_ == kSizes.size(); }

  /// Payload of the largest packets that passed, those of pings included.
  [[nodiscard]] std::uint32_t passed_bytes() const {
    return passed_ == 0 ? Pinger::kBytes : packet(passed_ - 1);
  }
  /// Payload of the packets of the write that did not; as much as those that passed if it is not
  /// the size that matters.
  [[nodiscard]] std::uint32_t lost_bytes() const {
    return done() ? passed_bytes() : packet(passed_);
  }

 private:
  /// Those of an Ethernet MTU of 1500, and the larger ones that RoCE has.
  static constexpr std::array<std::uint32_t, 3> kSizes{1024, 2048, Nic::kLargestPacket};

  [[nodiscard]] std::uint32_t packet(std::size_t at) const {
    return std::min(kSizes[at], static_cast<std::uint32_t>(nic_.port().mtu_bytes));
  }
  int post() {
    return pair_.write({.from = nic_.payload(kSizes[passed_]), .to = there_, .id = id_});
  }

  Nic& nic_;
  verbs::QueuePair& pair_;
  verbs::RemoteSlice there_;
  std::uint64_t id_;
  bool begun_ = false;
  std::size_t passed_ = 0;  // writes
};

}  // namespace railgauge::flow
