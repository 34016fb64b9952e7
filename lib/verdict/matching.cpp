#include "verdict/matching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "verdict/line_rate.hpp"
#include "verdict/size_ranges.hpp"

namespace railgauge::verdict {
namespace {

/// How far a reference's run is from ours: by hosts, then by ranks, on a logarithmic scale.
double distance(const Run& ours, const Run& theirs) {
  constexpr double kUnknown = 100;
  constexpr double kRanksWeight = 0.01;
  const auto apart = [](const std::optional<int>& one, const std::optional<int>& other) {
    return one && other ? std::abs(std::log(double(*one) / *other)) : kUnknown;
  };
  return apart(ours.nodes, theirs.nodes) + kRanksWeight * apart(ours.ranks, theirs.ranks);
}

bool same_point(const Run& one, const Run& other) {
  return !one.point || !other.point || one.point == other.point;
}

bool same_hardware(const Run& one, const Run& other) {
  return one.collective == other.collective && one.ranks == other.ranks &&
         one.nodes == other.nodes && one.nics_per_node == other.nics_per_node &&
         one.line_rate_gigabits_per_second == other.line_rate_gigabits_per_second;
}

std::string why_refused(const Run& ours, const Run& theirs, const Terms& terms) {
  if (ours.point && ours.point->unreduced) return "of ours, " + std::string(kOfUnreduced);
  if (terms.absolute) return theirs.not_a_target;
  if (ours.nodes == 1) return "all our ranks are on one host; --absolute compares GB/s";
  if (!nics_gigabytes_per_second(ours)) {
    return "our NICs or their line rate are not known; --absolute compares GB/s";
  }
  if (const std::string why = why_not_of_nics(ours); !why.empty()) {
    return "of ours, " + why + "; --absolute compares GB/s";
  }
  return why_no_nic_target(theirs);
}

/// And by the same algorithm.
std::size_t sizes_in_common(const Curve& ours, const Curve& theirs) {
  return static_cast<std::size_t>(std::ranges::count_if(ours.points, [&](const Point& point) {
    const Point* const other = point_at(theirs, point.size_bytes.value_or(0));
    return other != nullptr && other->algorithm == point.algorithm;
  }));
}

}  // namespace

Choice nearest_run(const Run& ours, const Reference& reference, const Terms& terms) {
  Choice choice;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Run& theirs : reference.runs) {
    if (ours.collective.empty() || theirs.collective != ours.collective) continue;
    const std::string why = why_refused(ours, theirs, terms);
    if (!why.empty()) {
      if (choice.why_none.empty()) {
        choice.why_none =
            why.starts_with("of ours") || why.starts_with("all our") || why.starts_with("our ")
                ? why
                : "its run '" + theirs.name + "' is no target: " + why;
      }
    } else if (distance(ours, theirs) < nearest) {
      nearest = distance(ours, theirs);
      choice.run = &theirs;
    }
  }
  if (ours.collective.empty())
    choice.why_none = "our collective is not known; import it with --collective";
  if (choice.why_none.empty()) choice.why_none = "it has no " + ours.collective;
  return choice;
}

const Curve* like(const Curve& ours, const std::vector<Curve>& theirs) {
  const Curve* best = nullptr;
  int best_score = 0;
  for (const Curve& curve : theirs) {
    int score = 0;
    if (curve.buffers == ours.buffers) score = 3;
    if (curve.buffers == BufferMode::unstated || ours.buffers == BufferMode::unstated) score = 2;
    if (score > 0 && curve.type == ours.type) score += 2;
    if (score > best_score) {
      best = &curve;
      best_score = score;
    }
  }
  return best;
}

Choice same_run(const Run& ours, const std::vector<Run>& theirs) {
  Choice choice{nullptr, "it has no run of this collective with the same ranks, hosts and NICs"};
  for (const Run& run : theirs) {
    if (!same_hardware(ours, run)) continue;
    if (same_point(ours, run)) return {&run, ""};
    choice.why_none =
        "it has no run with the same rails, queue pairs, chunks, traffic class, root and --reduce";
  }
  return choice;
}

const Curve* same_curve(const Curve& ours, const std::vector<Curve>& theirs) {
  const Curve* best = nullptr;
  std::size_t most = 0;
  for (const Curve& curve : theirs) {
    if (curve.type != ours.type || curve.op != ours.op || curve.buffers != ours.buffers) continue;
    const std::size_t common = sizes_in_common(ours, curve);
    const bool alike = curve.algorithm == ours.algorithm;
    if (common > most || (best == nullptr && common == 0 && alike)) {
      best = &curve;
      most = common;
    }
  }
  return best;
}

Curve by_our_algorithms(const Curve& ours, Curve theirs) {
  std::erase_if(theirs.points, [&](const Point& point) {
    const Point* const own = point_at(ours, point.size_bytes.value_or(0));
    return own != nullptr && own->algorithm != point.algorithm;
  });
  return theirs;
}

std::optional<BaselinePoint> counterpoint(const Curve& theirs, std::uint64_t size_bytes,
                                          bool interpolate) {
  if (const Point* const found = point_at(theirs, size_bytes)) return BaselinePoint{*found, false};
  if (!interpolate) return std::nullopt;
  auto between = interpolated(theirs, size_bytes);
  if (!between) return std::nullopt;
  between->median_interval.reset();
  return BaselinePoint{*between, true};
}

CountedCurve::CountedCurve(const Curve& curve, const Terms& terms)
    : latency(terms.counted ? within(curve, terms.counted->latency) : curve),
      bandwidth(terms.counted ? within(curve, terms.counted->bandwidth) : curve) {}

void leave_to_notes(Findings& findings, const CountedSizes& counted) {
  bool decides = false;
  for (Finding& finding : findings) {
    if (counted.holds(finding.size_bytes.value_or(0))) {
      decides = true;
    } else {
      finding.verdict = Verdict::note;
      finding.remark = "does not count: the policy counts other sizes";
    }
  }
  if (decides || findings.empty()) return;
  Finding finding = findings.front();
  finding.size_bytes.reset();
  finding.ours.reset();
  finding.theirs.reset();
  finding.ratio.reset();
  finding.verdict = Verdict::no_reference;
  finding.remark = "no size was measured that the policy counts";
  findings.push_back(finding);
}

std::optional<SmallSizes> small_sizes(const Curve& ours, const Curve& theirs) {
  std::vector<SmallSizes> all;
  for (const Point& point : ours.points) {
    const std::uint64_t size_bytes = point.size_bytes.value_or(0);
    if (size_bytes == 0 || size_bytes > kSmallBytes || !point.time_us) continue;
    const Point* const other = point_at(theirs, size_bytes);
    if (other != nullptr && other->time_us) all.push_back({&point, other});
  }
  if (all.empty()) return std::nullopt;
  std::ranges::stable_sort(
      all, {}, [](const SmallSizes& pair) { return *pair.theirs->time_us / *pair.ours->time_us; });
  return all[all.size() / 2];
}

void forgive_first_size(Findings& findings) {
  if (findings.size() < 2) return;
  Finding& first = findings[0];
  const bool alone = first.verdict == Verdict::fail && findings[1].verdict == Verdict::pass;
  if (!alone || first.unit != "us" || first.size_bytes.value_or(0) > kSmallBytes) return;
  first.verdict = Verdict::note;
  first.remark = "slow at the first size only, as if it still warmed up: it does not decide";
}

std::optional<Finding> missing_sizes(const Finding& about, const Curve& ours, const Curve& theirs,
                                     const std::string& whose) {
  std::vector<std::uint64_t> all;
  std::set<std::uint64_t> missing;
  for (const Point& point : theirs.points) {
    const std::uint64_t size_bytes = point.size_bytes.value_or(0);
    if (size_bytes == 0) continue;
    all.push_back(size_bytes);
    if (point_at(ours, size_bytes) == nullptr) missing.insert(size_bytes);
  }
  const std::string sizes = folded_sizes(missing, all);
  if (sizes.empty()) return std::nullopt;
  Finding finding = about;
  finding.subject = Subject::missing;
  finding.verdict = Verdict::note;
  finding.remark = "sizes of the " + whose + " were not measured: " + sizes;
  return finding;
}

}  // namespace railgauge::verdict
