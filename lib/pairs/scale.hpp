#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "pairs/speed.hpp"

namespace railgauge::pairs {

/// What a pair is held to. One-sided: being faster than the rest is no fault.
struct Limits {
  double line_rate_percent = 90;  ///< of bandwidth, not of connect: at least that
  /// At least that share of the median speed of its cohort (speed.hpp): of bandwidths, or of one
  /// over the latency.
  double median_share = 0.8;
  /// The same of mode connect, whose streams are short.
  double connect_share = 0.5;
  /// Figures of software devices say nothing about a line, whatever rate they claim.
  bool holds_line_rate = true;
  /// Whether NICs of different rails or planes may fail to reach each other, as many fabrics have
  /// it by design. How fast those are that do is judged.
  bool cross_rail_may_fail = false;
};

/// Rows against what they are held to.
class Scale {
 public:
  /// `rows` have to outlive it.
  Scale(const std::vector<results::PairRow>& rows, const Limits& limits);

  /// What it should have reached and did not; empty: it did, or there is nothing to compare it
  /// with. Line rate comes before the median.
  [[nodiscard]] std::optional<normal::Expectation> missed(const results::PairRow& row) const;

  /// Of its median, which it has to reach.
  [[nodiscard]] double least_share(const std::string& mode) const {
    return is_connect(mode) ? limits_.connect_share : limits_.median_share;
  }

  /// What it has to reach, in words: "90 % of line rate, 80 % of the median of 14 fast pairs";
  /// `median`: how that is called. Empty: there is nothing to compare it with.
  [[nodiscard]] std::string limit(const results::PairRow& row, const std::string& median) const;

  /// Whether it failed, and may.
  [[nodiscard]] bool may_fail(const results::PairRow& row) const;

  /// Whether anything speaks for it.
  [[nodiscard]] bool is_comparable(const results::PairRow& row) const;

  /// Whether it is faster than its line can be: then what the driver says of a port's speed is
  /// wrong, and no pair of these ports is held to it.
  [[nodiscard]] bool is_above_line(const results::PairRow& row) const;

  /// Of a row that failed or is slow too: what that is worth. One that lacks_answers() is unknown.
  [[nodiscard]] normal::Deviation deviation(const results::PairRow& row) const;

  /// Of a row that is `disturbed` or `unconfirmed`: why it is only possible.
  [[nodiscard]] std::string excuse(const results::PairRow& row) const;

  /// What was observed of it, and expected.
  [[nodiscard]] finding::Evidence evidence(const results::PairRow& row) const;

  /// Of the median; the smaller, the worse.
  [[nodiscard]] double share(const results::PairRow& row) const;

  [[nodiscard]] const normal::Cohorts& cohorts() const { return cohorts_; }

 private:
  [[nodiscard]] bool holds_line_rate(const results::PairRow& row) const;
  [[nodiscard]] bool has_cohort(const results::PairRow& row) const;
  [[nodiscard]] normal::Attempt attempt(const results::PairFigures& figures,
                                        const results::PairRow& row) const;

  Limits limits_;
  normal::Cohorts cohorts_;
  std::set<results::Endpoint> of_unknown_speed_{};
};

/// Why a row of which only acknowledgements are lost is not evaluated.
inline constexpr const char* kOtherDirectionDead =
    "packets arrive, but the other direction is dead";
/// Why one that is above its line is not evaluated.
inline constexpr const char* kSpeedUnknown =
    "more than 102 % of line rate: the speed of a port is unknown";
/// Why a row that nothing can be compared with is not evaluated.
inline constexpr const char* kNothingToCompare =
    "line rate unknown and fewer than 4 comparable pairs";

}  // namespace railgauge::pairs
