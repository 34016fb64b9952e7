#pragma once

#include <span>
#include <vector>

#include "softfabric/description.hpp"
#include "softfabric/packet.hpp"
#include "softfabric/random.hpp"
#include "softfabric/routes.hpp"

namespace railgauge::softfabric {

/// How one switch chooses among equal-cost wires.
class Balancer {
 public:
  Balancer(Balance balance, Time flowlet_gap, std::uint64_t seed);

  /// `queued_bytes` is what waits at every wire of the fabric. Not for a route without wires.
  Index choose(const NextHops& hops, const Headers& headers, Time now,
               std::span<const std::uint64_t> queued_bytes);

  /// What ECMP and WCMP choose: by the 5-tuple alone. Not for a route without wires.
  [[nodiscard]] Index by_flow(const NextHops& hops, const Headers& headers) const;

  /// Of the hash, from now on. Flowlets are forgotten.
  void set_seed(std::uint64_t seed);
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] Balance balance() const { return balance_; }

 private:
  struct Flowlet {
    Time last{Time::min()};
    Index wire = kNone;
  };
  [[nodiscard]] Index by_hash(const NextHops& hops, std::uint64_t hash) const;
  Index by_flowlet(const NextHops& hops, const Headers& headers, Time now);
  Index in_turn(const NextHops& hops);
  Index shortest(const NextHops& hops, std::span<const std::uint64_t> queued_bytes);

  Balance balance_;
  Time flowlet_gap_;
  std::uint64_t seed_;
  std::uint64_t turn_;
  Random random_;
  std::vector<Flowlet> flowlets_;
};

}  // namespace railgauge::softfabric
