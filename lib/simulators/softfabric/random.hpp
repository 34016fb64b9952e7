#pragma once

#include <cstdint>

namespace railgauge::softfabric {

/// Mixes all bits of a number (the finaliser of splitmix64).
constexpr std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ value >> 30U) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27U) * 0x94d049bb133111ebU;
  return value ^ value >> 31U;
}

/// Random numbers that are the same for a seed, everywhere (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed = 0) : state_(mixed(seed)) {}

  std::uint64_t number() { return mixed(state_ += 0x9e3779b97f4a7c15U); }
  /// From 0, below 1.
  double uniform() { return static_cast<double>(number() >> 11U) * 0x1.0p-53; }
  bool happens(double probability) { return probability > 0 && uniform() < probability; }

 private:
  std::uint64_t state_;
};

}  // namespace railgauge::softfabric
