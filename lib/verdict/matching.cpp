#include "verdict/matching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "schedule/collective.hpp"
#include "verdict/line_rate.hpp"

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

/// Which ranks a rule of --split makes a group depends on their hosts: only two results of ours are
/// known to have the same groups.
bool same_point(const Run& one, const Run& other) {
  if (one.point && other.point)
    return one.point == other.point && one.group_ranks == other.group_ranks;
  return one.split.empty() && other.split.empty();
}

bool same_hardware(const Run& one, const Run& other) {
  return one.collective == other.collective && one.ranks == other.ranks &&
         one.nodes == other.nodes && one.nics_per_node == other.nics_per_node &&
         one.line_rate_gigabits_per_second == other.line_rate_gigabits_per_second;
}

constexpr const char* kNoRanks = "our number of ranks is not known: import it with --ranks";

/// Of two ranks, by bytes: they reduce nothing, and say no type.
bool is_pair(const Run& run) {
  return !schedule::collective(run.collective);
}

std::string why_refused(const Run& ours, const Run& theirs, const Terms& terms) {
  if (ours.point && ours.point->unreduced) return "of ours, " + std::string(kOfUnreduced);
  if (!ours.split.empty()) return "of ours, " + std::string(kOfGroups);
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

using Size = std::optional<std::uint64_t>;

bool has(const Curve& curve, const Size& size) {
  return std::ranges::binary_search(curve.points, size, {}, &Point::size_bytes);
}

/// Ours at a size; at one that it lacks that of the next smaller one, or of its smallest.
const std::string& algorithm_at(const Curve& ours, const Size& size) {
  const auto above = std::ranges::upper_bound(ours.points, size, {}, &Point::size_bytes);
  return (above == ours.points.begin() ? above : above - 1)->algorithm;
}

bool share_an_algorithm(const Curve& one, const Curve& other) {
  return std::ranges::any_of(one.points, [&](const Point& point) {
    return std::ranges::find(other.points, point.algorithm, &Point::algorithm) !=
           other.points.end();
  });
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
  if (choice.run != nullptr && !ours.ranks) choice = {nullptr, kNoRanks};
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
        "it has no run with the same rails, queue pairs, chunks, traffic class, root, --reduce and "
        "--split";
  }
  return choice;
}

std::string why_unknown(const Run& run, const Curve& curve) {
  if (run.collective.empty()) return "our collective is not known: import it with --collective";
  if (!run.ranks) return kNoRanks;
  if (is_pair(run)) return "";
  if (curve.type.empty()) return "our element type is not known: import it with --type";
  if (curve.op.empty()) return "our reduction is not known";
  return curve.buffers == BufferMode::unstated
             ? "whether ours was in place is not known: import it with --place"
             : "";
}

std::vector<std::string> unknown_hardware(const Run& ours, const Run& theirs) {
  std::vector<std::string> facts;
  if (!ours.nodes || !theirs.nodes) facts.emplace_back("hosts");
  if (!ours.nics_per_node || !theirs.nics_per_node) facts.emplace_back("NICs of a host");
  if (!ours.line_rate_gigabits_per_second || !theirs.line_rate_gigabits_per_second)
    facts.emplace_back("line rate");
  return facts;
}

std::vector<std::string> unknown_of_reference(const Run& ours, const Curve& our_curve,
                                              const Run& theirs, const Curve& their_curve) {
  std::vector<std::string> facts;
  if (is_pair(ours)) return facts;
  if (!theirs.ranks) facts.emplace_back("ranks");
  if (our_curve.type.empty() || their_curve.type.empty()) facts.emplace_back("element type");
  if (our_curve.op.empty() || their_curve.op.empty()) facts.emplace_back("operator");
  if (our_curve.buffers == BufferMode::unstated || their_curve.buffers == BufferMode::unstated)
    facts.emplace_back("placement");
  return facts;
}

std::optional<Row> unknown_row(const Row& about, const std::vector<std::string>& facts) {
  if (facts.empty()) return std::nullopt;
  Row row = about;
  row.answer = Answer::note;
  row.limits = true;
  row.remark = "not known to be the same: " + finding::listed(facts);
  return row;
}

std::vector<Curve> same_kind(const Curve& ours, const std::vector<Curve>& theirs) {
  std::vector<Curve> found;
  std::ranges::copy_if(theirs, std::back_inserter(found), [&](const Curve& curve) {
    return curve.type == ours.type && curve.op == ours.op && curve.buffers == ours.buffers;
  });
  return found;
}

Curve by_our_algorithms(const Curve& ours, const std::vector<Curve>& theirs) {
  std::map<Size, Point> points;
  for (const Curve& curve : same_kind(ours, theirs)) {
    if (!share_an_algorithm(ours, curve)) continue;
    for (const Point& point : curve.points) {
      if (point.algorithm == algorithm_at(ours, point.size_bytes)) {
        points.insert_or_assign(point.size_bytes, point);
      } else if (!has(ours, point.size_bytes)) {
        points.emplace(point.size_bytes, point);
      }
    }
  }
  Curve found{ours.type, ours.op, ours.algorithm, ours.buffers, {}};
  for (const auto& [size, point] : points) found.points.push_back(point);
  if (!points.empty()) found.algorithm = found.points.back().algorithm;
  return found;
}

Curve at_sizes_of(const Curve& other, Curve curve) {
  std::erase_if(curve.points, [&](const Point& point) { return !has(other, point.size_bytes); });
  if (!curve.points.empty()) curve.algorithm = curve.points.back().algorithm;
  return curve;
}

std::optional<BaselinePoint> counterpoint(const Curve& theirs, const Point& ours,
                                          std::span<const Curve> between) {
  const std::uint64_t size_bytes = ours.size_bytes.value_or(0);
  if (const Point* const found = point_at(theirs, size_bytes)) return BaselinePoint{*found, false};
  for (const Curve& curve : between) {
    auto point = interpolated(curve, ours);
    if (!point) continue;
    point->median_interval.reset();
    return BaselinePoint{*point, true};
  }
  return std::nullopt;
}

CountedCurve::CountedCurve(const Curve& curve, const Terms& terms)
    : latency(terms.counted ? within(curve, terms.counted->latency) : curve),
      bandwidth(terms.counted ? within(curve, terms.counted->bandwidth) : curve) {}

void leave_to_notes(Rows& rows, const CountedSizes& counted) {
  bool decides = false;
  for (Row& row : rows) {
    if (counted.holds(row.size_bytes.value_or(0))) {
      decides = true;
    } else {
      row.answer = Answer::note;
      row.remark = "does not count: the policy counts other sizes";
    }
  }
  if (decides || rows.empty()) return;
  Row row = rows.front();
  row.size_bytes.reset();
  row.ours.reset();
  row.theirs.reset();
  row.ratio.reset();
  row.answer = Answer::open;
  row.remark = "no size was measured that the policy counts";
  rows.push_back(row);
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

void forgive_first_size(Rows& rows) {
  if (rows.size() < 2) return;
  Row& first = rows[0];
  const bool alone = first.answer == Answer::failed && rows[1].answer == Answer::passed;
  if (!alone || first.unit != "us" || first.size_bytes.value_or(0) > kSmallBytes) return;
  first.answer = Answer::note;
  first.remark = "slow at the first size only, as if it still warmed up: it does not decide";
}

std::optional<Row> missing_sizes(const Row& about, const Curve& ours, const Curve& theirs,
                                 const std::string& whose, const Terms& terms) {
  std::vector<std::uint64_t> all;
  std::set<std::uint64_t> missing;
  for (const Point& point : theirs.points) {
    const std::uint64_t size_bytes = point.size_bytes.value_or(0);
    if (size_bytes == 0) continue;
    all.push_back(size_bytes);
    if (point_at(ours, size_bytes) == nullptr) missing.insert(size_bytes);
  }
  const std::string sizes = measure::folded_sizes(missing, all);
  if (sizes.empty()) return std::nullopt;
  Row row = about;
  row.subject = Subject::missing;
  row.answer = Answer::note;
  row.remark = "sizes of the " + whose + " were not measured: " + sizes;
  row.missing = static_cast<std::uint64_t>(std::ranges::count_if(
      missing, [&](std::uint64_t size) { return !terms.counted || terms.counted->holds(size); }));
  return row;
}

}  // namespace railgauge::verdict
