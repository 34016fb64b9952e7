#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

/// What chance has in store for one datagram.
struct Fate {
  bool lost = false;
  bool duplicated = false;
  bool reordered = false;
  bool corrupted = false;
  bool falsified = false;
  bool marked = false;
  std::uint64_t bit = 0;  ///< which one flips, modulo the number of bits there are
  nanoseconds jitter{};
};

/// Draws one fate a datagram. Each fault has a generator of its own, and each generator is drawn
/// from once a datagram whether the fault is on or not: so the n-th datagram's corruption depends
/// on the seed, n and corrupt= alone, and neither on the other faults nor on when they were
/// switched on.
///
/// The C++ standard fixes what std::mt19937_64 and std::seed_seq give, so a seed means the same
/// everywhere. It does not for std::uniform_real_distribution and its like: none is used.
class Fates {
 public:
  Fates(std::uint64_t seed, int device, Direction direction);
  Fate next(const Faults& faults);

 private:
  // A new one goes to the end: so seeds keep their meaning.
  enum Stream : std::uint8_t {
    loss,
    duplication,
    reordering,
    corruption,
    bit,
    marking,
    jitter,
    falsification
  };
  static constexpr std::size_t kStreams = 8;

  std::uint64_t draw(Stream stream) { return generators_[stream](); }
  bool happens(Stream stream, double probability);

  std::array<std::mt19937_64, kStreams> generators_;
};

}  // namespace railgauge::softroce
