#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "results/pairs.hpp"

namespace railgauge::pairs {

/// How fast an attempt was, in what unit ever its mode has: GB/s, or one over the median latency; 0
/// if it failed.
[[nodiscard]] double speed_of(const results::PairFigures& figures);
[[nodiscard]] double speed_of(const results::PairRow& row);

/// Fewer ways that are alike have no median to be compared with.
inline constexpr std::size_t kLeastOfKind = 4;

/// Fast are ways that reach this part of the 90th percentile of speed.
inline constexpr double kFastShare = 0.8;

/// Speeds of ways that are alike, of those that came to their end, the slowest first.
struct Speeds {
  std::vector<double> sorted{};
  bool of_fast = false;  // whether all could be as fast as the fast ones

  [[nodiscard]] bool comparable() const { return sorted.size() >= kLeastOfKind; }
  /// Of the fast ones, or of all; of an even number the faster of the two in the middle. There has
  /// to be one.
  [[nodiscard]] double median() const;
};

/// What each way is compared with: the median of the fast ways of its kind (mode, and whether they
/// stay on their rail) over as many switches, since each switch takes time. Of all ways of its
/// kind, if it is not known over how many it goes, or fewer than kLeastOfKind go over as many.
/// Where most ways are healthy, that is nearly the median of all; where most are slow, as with a
/// slow spine that most of them pass, they do not make it slower. Of latency it is the median of
/// all where some may go over fewer switches than others: these are fast for nothing but that.
///
/// Where the links of a kind differ, speeds are as of the fastest: twice as much of one of half the
/// rate. So a NIC that is slower by design is held to what its own link should do.
///
/// They are as they were before anything was measured again alone: that may be faster for nothing
/// but that, and must not make others look slow.
class Medians {
 public:
  using Kind = std::tuple<std::string, bool>;  // mode, same rail

  explicit Medians(const std::vector<results::PairRow>& rows);

  /// Those that it is compared with; itself included. Of a row that the constructor has seen.
  [[nodiscard]] const Speeds& of(const results::PairRow& row) const;
  /// The median that it is held to; 0 if there is none.
  [[nodiscard]] double median_for(const results::PairRow& row) const;
  /// Over how many switches these go; empty: they are of all ways of its kind.
  [[nodiscard]] std::optional<int> switches_of(const results::PairRow& row) const;

  [[nodiscard]] const std::map<Kind, Speeds>& kinds() const { return kinds_; }

 private:
  [[nodiscard]] double link_scale(const results::PairRow& row) const;

  std::map<Kind, double> fastest_links_;  // GB/s, of bandwidth
  std::map<Kind, Speeds> kinds_;
  std::map<std::tuple<std::string, bool, int>, Speeds> over_switches_;
};

}  // namespace railgauge::pairs
