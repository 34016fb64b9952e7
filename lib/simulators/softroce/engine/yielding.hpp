#pragma once

#include <algorithm>
#include <chrono>

namespace railgauge::softroce {

using std::chrono::nanoseconds;

/// When a program that polls in vain gives its CPU to others: with more processes than CPUs, what
/// it waits for may need this CPU. How long it was away tells who the others are: nobody; or
/// programs that poll and yield as it does, like the ranks of a collective on one host, where the
/// sooner each yields, the sooner the one with work runs; or a program that computes and takes its
/// whole time slice, where yielding costs milliseconds and must be rare. The choices were measured.
class Yielding {
 public:
  /// It yields after this many fruitless polls in a row.
  unsigned patience() const { return patience_; }
  /// Nobody wanted the CPU when it yielded last; true before the first time.
  bool alone() const { return away_ < kNobodyElse; }
  /// After it yielded: how long it had polled in vain, and how long others then had the CPU.
  void came_back(nanoseconds polled, nanoseconds away) {
    away_ = away;
    patience_ = patience_after(polled);
  }

 private:
  static constexpr unsigned kPatience = 64;  // about 20 us
  static constexpr unsigned kLeast = 1;
  static constexpr unsigned kMost = 256;
  static constexpr nanoseconds kNobodyElse = std::chrono::microseconds(2);
  static constexpr nanoseconds kWholeSlice = std::chrono::microseconds(500);
  // So many others, each as patient as this one, take as long as one that computes. If they may be
  // that, patience shrinks: otherwise each of many becomes patient because all the others are.
  static constexpr int kMostOthers = 32;

  unsigned patience_after(nanoseconds polled) const {
    if (alone()) return kPatience;
    if (away_ < kWholeSlice) return kLeast;
    if (away_ < kMostOthers * polled) return std::max(patience_ / 2, kLeast);
    return std::min(2 * patience_, kMost);
  }

  unsigned patience_ = kLeast;
  nanoseconds away_{};
};

}  // namespace railgauge::softroce
