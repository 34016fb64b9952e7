#include "verdict/against.hpp"

#include <tuple>

#include "measure/sizes.hpp"
#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"
#include "verdict/matching.hpp"

namespace railgauge::verdict {
namespace {

/// A curve and the run that it is of.
struct Side {
  const Run& run;
  const Curve& curve;
};

constexpr double kBandwidthBegins = 0.5;  // of the reference's plateau

/// One of our curves compared with one of theirs.
class ReferenceComparison {
 public:
  ReferenceComparison(Row about, const Side& ours, const Side& theirs, const Terms& terms)
      : about_(std::move(about)),
        our_run_(ours.run),
        ours_(ours.curve),
        their_run_(theirs.run),
        theirs_(theirs.curve),
        our_counted_(ours.curve, terms),
        their_counted_(theirs.curve, terms),
        terms_(terms),
        their_plateau_(plateau_of(theirs.curve)) {}

  Rows rows() {
    for (const Point& point : ours_.points) size(point);
    forgive_first_size(rows_);
    if (terms_.counted) leave_to_notes(rows_, *terms_.counted);
    const auto missing = missing_sizes(about_, ours_, theirs_, "reference", terms_);
    if (missing) rows_.push_back(*missing);
    plateau();
    latency();
    const auto unknown =
        unknown_row(about_, unknown_of_reference(our_run_, ours_, their_run_, theirs_));
    if (unknown) rows_.push_back(*unknown);
    return std::move(rows_);
  }

 private:
  [[nodiscard]] bool same_team() const {
    return our_run_.ranks && our_run_.nodes && our_run_.ranks == their_run_.ranks &&
           our_run_.nodes == their_run_.nodes;
  }

  [[nodiscard]] std::string team() const {
    const auto text = [](const std::optional<int>& n) { return n ? std::to_string(*n) : "?"; };
    return text(their_run_.ranks) + " ranks on " + text(their_run_.nodes) + " hosts";
  }

  void judge(Row& row) const {
    const bool passes = row.ratio.value_or(0) >= 1 - terms_.tolerance;
    row.answer = passes ? Answer::passed : Answer::failed;
  }

  void by_bandwidth(Row& row, double ours, double theirs) const {
    row.unit = "GB/s";
    row.ours = ours;
    row.theirs = theirs;
    row.ours_line_rate_fraction = line_rate_fraction(our_run_, ours);
    row.theirs_line_rate_fraction = line_rate_fraction(their_run_, theirs);
    const auto& [our_share, their_share] =
        std::tie(row.ours_line_rate_fraction, row.theirs_line_rate_fraction);
    if (terms_.absolute) {
      row.ratio = ours / theirs;
    } else if (our_share && their_share) {
      row.ratio = *our_share / *their_share;
    } else {
      row.remark = "its ranks on a host are not known, so its share of line rate is not either";
      return;
    }
    judge(row);
    if (!terms_.absolute) doubt(row, our_run_, ours_);
  }

  void by_time(Row& row, double ours, double theirs) const {
    row.unit = "us";
    row.ours = ours;
    row.theirs = theirs;
    if (!same_team()) {
      row.remark = "times of " + team() + " say nothing of ours";
      return;
    }
    row.ratio = theirs / ours;
    judge(row);
  }

  [[nodiscard]] bool is_bandwidth(const Point& theirs) const {
    return their_plateau_ && theirs.busbw_gigabytes_per_second.value_or(0) >=
                                 kBandwidthBegins * their_plateau_->busbw_gigabytes_per_second;
  }

  void size(const Point& ours) {
    Row row = about_;
    row.subject = Subject::size;
    row.algorithm = ours.algorithm;
    row.size_bytes = ours.size_bytes;
    const auto found = counterpoint(
        theirs_, ours, terms_.interpolate ? std::span(&theirs_, 1) : std::span<const Curve>());
    if (found) {
      row.remark = found->is_interpolated ? "interpolated" : "";
      compare(row, ours, found->point);
    } else {
      row.remark = "the reference has no such size";
    }
    rows_.push_back(row);
  }

  void compare(Row& row, const Point& ours, const Point& theirs) const {
    if (is_bandwidth(theirs) && ours.busbw_gigabytes_per_second) {
      by_bandwidth(row, *ours.busbw_gigabytes_per_second, *theirs.busbw_gigabytes_per_second);
    } else if (theirs.time_us && ours.time_us) {
      by_time(row, *ours.time_us, *theirs.time_us);
    } else {
      row.remark = "there is nothing to compare";
    }
  }

  void plateau() {
    const auto theirs = plateau_of(their_counted_.bandwidth);
    if (!theirs) return;
    Row row = about_;
    row.subject = Subject::plateau;
    const std::uint64_t from = theirs->from_bytes;
    const auto ours = from > 0 ? median_busbw_from(our_counted_.bandwidth, from) : own_plateau();
    if (ours) {
      row.size_bytes = from;
      by_bandwidth(row, *ours, theirs->busbw_gigabytes_per_second);
    } else {
      row.remark = "measure from " + measure::format_size(from) +
                   " on: the reference reaches its plateau there";
    }
    rows_.push_back(row);
  }

  /// For a reference that does not say its size.
  [[nodiscard]] std::optional<double> own_plateau() const {
    const auto plateau = plateau_of(our_counted_.bandwidth);
    if (!plateau) return std::nullopt;
    return plateau->busbw_gigabytes_per_second;
  }

  void latency() {
    const auto pair = small_sizes(our_counted_.latency, their_counted_.latency);
    if (!pair || is_bandwidth(*pair->theirs)) return;
    Row row = about_;
    row.subject = Subject::latency;
    row.algorithm = pair->ours->algorithm;
    row.size_bytes = pair->ours->size_bytes;
    by_time(row, *pair->ours->time_us, *pair->theirs->time_us);
    rows_.push_back(row);
  }

  Row about_;
  const Run& our_run_;
  const Curve& ours_;
  const Run& their_run_;
  const Curve& theirs_;
  CountedCurve our_counted_;
  CountedCurve their_counted_;
  const Terms& terms_;
  std::optional<Plateau> their_plateau_;
  Rows rows_{};
};

void compare_run(const Run& ours, const Reference& reference, const Terms& terms, Rows& all) {
  const std::string name = "reference " + reference.name;
  const Choice choice = nearest_run(ours, reference, terms);
  std::vector<Curve> theirs;
  if (choice.run != nullptr) theirs = curves_of(*choice.run);
  for (const Curve& curve : curves_of(ours)) {
    Row row = about(name, ours, curve);
    const Curve* const other = like(curve, theirs);
    if (choice.run != nullptr && other != nullptr) {
      append(all, ReferenceComparison(row, {ours, curve}, {*choice.run, *other}, terms).rows());
      continue;
    }
    row.subject = Subject::plateau;
    row.remark = choice.run == nullptr ? choice.why_none
                                       : "it has nothing " + std::string(word(curve.buffers));
    all.push_back(row);
  }
}

}  // namespace

Rows against_reference(const RunSet& run_set, const Reference& reference, const Terms& terms) {
  Rows all;
  for (const Run& ours : run_set.runs) compare_run(ours, reference, terms, all);
  return all;
}

}  // namespace railgauge::verdict
