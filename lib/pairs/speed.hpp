#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "normal/cohorts.hpp"
#include "results/pairs.hpp"

namespace railgauge::pairs {

/// How fast an attempt was, in what unit ever its mode has: GB/s, or one over the median latency; 0
/// if it failed.
[[nodiscard]] double speed_of(const results::PairFigures& figures);
[[nodiscard]] double speed_of(const results::PairRow& row);

/// Whether that mode asks whether NICs reach each other, and how fast no more than roughly.
[[nodiscard]] bool is_connect(const std::string& mode);
/// Whether that mode is judged by bandwidth; the others by latency.
[[nodiscard]] bool is_bandwidth(const std::string& mode);

/// What each row is compared with: its cohort (normal/cohorts.hpp). Speeds are as they were before
/// anything was retested alone: that may be faster for nothing but that, and must not make others
/// look slow.
class Medians {
 public:
  using Kind = normal::Cohorts::Kind;  // mode, same rail

  explicit Medians(const std::vector<results::PairRow>& rows);

  /// Those that it is compared with; itself included. Of a row that the constructor has seen.
  [[nodiscard]] const normal::Speeds& of(const results::PairRow& row) const;
  [[nodiscard]] normal::Expectation expected(const results::PairRow& row) const;
  /// The median that it is held to; 0 if there is none.
  [[nodiscard]] double median_for(const results::PairRow& row) const;
  /// Over how many switches these go; empty: they are of all of its kind.
  [[nodiscard]] std::optional<int> switches_of(const results::PairRow& row) const;

  [[nodiscard]] const std::map<Kind, normal::Speeds>& kinds() const { return cohorts_.kinds(); }

 private:
  normal::Cohorts cohorts_;
};

}  // namespace railgauge::pairs
