#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "normal/expectation.hpp"

namespace railgauge::normal {

/// One measurement of a path.
struct Sample {
  std::string metric{};           ///< only equal ones are compared: "bandwidth", "write latency"
  bool same_rail = true;          ///< and on the same plane of it
  std::optional<int> switches{};  ///< on its path; empty: not known
  double speed = 0;               ///< GB/s, or one over a latency; 0: it failed
  double link = 0;                ///< GB/s that the slower of its links can carry; 0: not known
  bool adds_up = false;  ///< every switch on the path makes it slower, as it does a latency
};

/// Fewer comparable samples have no median to be compared with.
inline constexpr std::size_t kLeastOfCohort = 4;

/// Where a test does not say what is fast.
inline constexpr double kFastShare = 0.8;

/// Speeds of comparable samples that did not fail, the slowest first.
struct Speeds {
  std::vector<double> sorted{};
  bool of_fast = false;     ///< whether the median is that of the fast ones
  std::size_t members = 0;  ///< that the median is of
  /// Of an even number the lower of the middle two times, so the higher speed: where half of the
  /// samples are slow, it is a fast one. With Basis::majority the mean of both speeds, since half
  /// is no majority. 0 if there is none.
  double median = 0;

  [[nodiscard]] bool comparable() const { return sorted.size() >= kLeastOfCohort; }
};

/// Samples by what makes them comparable: metric, whether they stay on their rail, and number of
/// switches on their path, since each switch takes time. If that number is not known, or fewer than
/// kLeastOfCohort samples have it, all numbers together.
///
/// Compared is with the median of the fast group: where most samples are healthy, that is nearly
/// the median of all; where most are slow, as with a slow spine that most of them pass, they do not
/// make it slower. Where some paths may have fewer switches than others and what is measured adds
/// up, these are fast for nothing but that: then it is the median of all. With Basis::majority it
/// always is.
///
/// Where the links of a metric differ, speeds are scaled to the fastest: twice as much of one of
/// half the rate. So a NIC that is slower by design is held to what its own link should do.
class Cohorts {
 public:
  using Kind = std::tuple<std::string, bool>;  ///< metric, same rail

  /// Fast are samples that reach `fast_share` of the 90th percentile of speed.
  explicit Cohorts(const std::vector<Sample>& samples, Basis basis = Basis::fast_group,
                   double fast_share = kFastShare);

  /// Those that it is compared with; itself included. Of a sample that the constructor has seen.
  [[nodiscard]] const Speeds& of(const Sample& sample) const;
  /// The median for a sample's own link; 0 if there is none. Of however few: see
  /// Speeds::comparable().
  [[nodiscard]] double median_for(const Sample& sample) const;
  /// The same, in words, too.
  [[nodiscard]] Expectation expected(const Sample& sample) const;
  /// Number of switches that those have which it is compared with; empty: any.
  [[nodiscard]] std::optional<int> switches_of(const Sample& sample) const;

  [[nodiscard]] const std::map<Kind, Speeds>& kinds() const { return kinds_; }

 private:
  void add(const Sample& sample, Basis basis);
  [[nodiscard]] double link_scale(const Sample& sample) const;

  std::map<Kind, double> fastest_links_;
  std::map<Kind, std::optional<int>> first_switches_;
  std::map<Kind, Speeds> kinds_;
  std::map<std::tuple<std::string, bool, int>, Speeds> over_switches_;
};

/// " over 3 switches"; of none, and of an unknown number, "".
[[nodiscard]] std::string over_text(std::optional<int> switches);

}  // namespace railgauge::normal
