#include "verdict/against.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "measure/sizes.hpp"
#include "telemetry/meaning.hpp"
#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"

namespace railgauge::verdict {
namespace {

using finding::Direction;
using telemetry::Counted;

constexpr double kMillion = 1e6;

/// Of a class, the counter that moved most.
struct Most {
  std::string name{};
  std::int64_t by = 0;
  Direction direction = Direction::both;
};

/// Of every class of which a port has a counter. One that was reset says nothing.
std::map<Counted, Most> most_of(const CounterDeltas& port, bool software) {
  std::map<Counted, Most> all;
  for (const auto& [name, by] : port.deltas) {
    const auto meaning = telemetry::meaning_of(name);
    if (!meaning || meaning->microseconds || by < 0) continue;
    if (software && telemetry::is_of_busy_machine(*meaning)) continue;
    Most& most = all[meaning->counted];
    if (most.name.empty() || by > most.by) most = {name, by, meaning->direction};
  }
  return all;
}

std::optional<double> packets(const CounterDeltas& port, Direction direction) {
  const auto found = telemetry::packets(
      port.deltas, direction == Direction::receive ? Direction::receive : Direction::transmit);
  if (!found || *found <= 0) return std::nullopt;
  return static_cast<double>(*found);
}

std::string in_words(const CounterDeltas& port, Counted counted, const Most& most) {
  std::string text = port.port;
  text.append(" ").append(telemetry::word(counted));
  return text + ": " + most.name + " " + std::to_string(most.by);
}

finding::Cause cause_of(Counted counted) {
  using finding::Cause;
  switch (counted) {
    case Counted::loss:
    case Counted::exhausted: return Cause::packet_loss;
    case Counted::corruption:
    case Counted::physical:
    case Counted::corrected: return Cause::corruption;
    case Counted::repetition: return Cause::retransmission;
    case Counted::congestion:
    case Counted::ignored_cnp: return Cause::congestion;
    case Counted::pause: return Cause::pause;
    case Counted::link: return Cause::link_down;
    case Counted::oversize: return Cause::mtu;
    case Counted::traffic:
    case Counted::host:
    case Counted::not_ready:
    case Counted::protocol: break;
  }
  return Cause::other;
}

/// Empty if the port keeps to the limit.
std::optional<Row> row_of(const CounterDeltas& port, Counted counted, const Most& most,
                          double limit) {
  if (most.by == 0 || (limit > 0 && most.by <= kFewEvents)) return std::nullopt;
  Row row{.subject = Subject::counter,
          .unit = "per million packets",
          .theirs = limit,
          .answer = Answer::failed,
          .remark = in_words(port, counted, most),
          .cause = cause_of(counted),
          .where = port.where};
  const auto of = packets(port, most.direction);
  if (of) {
    row.ours = static_cast<double>(most.by) * kMillion / *of;
    if (*row.ours <= limit) return std::nullopt;
    row.remark += " of " + std::to_string(static_cast<std::int64_t>(*of)) + " packets";
  } else if (limit > 0) {
    row.answer = Answer::open;
    row.remark += ": of how many packets is not counted";
  }
  return row;
}

}  // namespace

Rows against_counter_limits(const RunSet& run_set, const Policy& policy) {
  if (policy.max_per_million_packets.empty()) return {};
  Rows all;
  int asked = 0;
  for (const CounterDeltas& port : run_set.ports) {
    const std::map<Counted, Most> most = most_of(port, run_set.software);
    for (const auto& [counted, limit] : policy.max_per_million_packets) {
      if (!most.contains(counted)) continue;
      ++asked;
      auto row = row_of(port, counted, most.at(counted), limit);
      if (row) all.push_back(std::move(*row));
    }
  }
  if (all.empty()) {
    all.push_back({.subject = Subject::counter,
                   .answer = asked > 0 ? Answer::passed : Answer::open,
                   .remark = asked > 0 ? "no port counted more than it may"
                                       : "no port has counters that are known"});
  }
  for (Row& row : all) row.criterion = "policy " + policy.name;
  return all;
}

namespace {

constexpr double kPercent = 100;

bool is_about(const Rule& rule, const Run& run) {
  return (rule.collective.empty() || rule.collective == run.collective) &&
         (!rule.nodes || rule.nodes == run.nodes) &&
         (!rule.nics_per_node || rule.nics_per_node == run.nics_per_node) &&
         (!rule.line_rate_gigabits_per_second ||
          rule.line_rate_gigabits_per_second == run.line_rate_gigabits_per_second);
}

/// The points of a curve whose sizes a rule is about: those that it names, else those that count.
Curve sized(const Rule& rule, const std::optional<CountedSizes>& counted, Curve curve) {
  if (rule.from_bytes || rule.to_bytes) {
    return within(std::move(curve),
                  {rule.from_bytes.value_or(0), rule.to_bytes.value_or(UINT64_MAX)});
  }
  std::erase_if(curve.points, [&](const Point& point) {
    return counted && !counted->holds(point.size_bytes.value_or(0));
  });
  return curve;
}

/// One rule and one curve that it is about.
class Question {
 public:
  Question(const Policy& policy, const Rule& rule, const Run& run, const Curve& curve)
      : about_(about("policy " + policy.name, run, curve)),
        counted_(policy.counted),
        rule_(rule),
        run_(run),
        curve_(sized(rule, counted_, curve)) {
    about_.remark = rule.says;
  }

  Rows rows() {
    if (rule_.min_line_rate_percent) bandwidth(*rule_.min_line_rate_percent / kPercent);
    if (rule_.max_p999_over_p50) tail(*rule_.max_p999_over_p50, "times p50", times_median);
    if (rule_.max_p999_ms) tail(*rule_.max_p999_ms, "ms", milliseconds);
    if (rule_.max_dip_percent) dip(*rule_.max_dip_percent / kPercent);
    if (rule_.max_rail_imbalance_percent) rails(*rule_.max_rail_imbalance_percent);
    return std::move(rows_);
  }

 private:
  void bandwidth(double share) {
    const bool each = rule_.from_bytes || rule_.to_bytes;
    if (each) {
      for (const Point& point : curve_.points) size(point, share);
      return;
    }
    const Curve curve = counted_ ? within(curve_, counted_->bandwidth) : curve_;
    add(line_rate_row(about_.criterion, run_, curve, share));
  }

  void add(Row row) {
    row.remark = row.remark.empty() ? rule_.says : rule_.says + ": " + row.remark;
    rows_.push_back(std::move(row));
  }

  void size(const Point& point, double share) {
    Row row = about_;
    row.subject = Subject::size;
    row.algorithm = point.algorithm;
    row.unit = "GB/s";
    row.size_bytes = point.size_bytes;
    row.ours = point.busbw_gigabytes_per_second;
    row.remark.clear();
    hold_to_line_rate(row, run_, curve_, share);
    add(std::move(row));
  }

  /// Of the 99.9th percentile, in a unit: the worst size only, the others are no news.
  void tail(double most, std::string_view unit, double (*measure)(const Point&)) {
    if (curve_.points.empty()) return;
    Row row = about_;
    row.subject = Subject::tail;
    row.unit = unit;
    row.theirs = most;
    for (const Point& point : curve_.points) {
      const double longer = point.p999_us ? measure(point) : 0;
      if (longer <= row.ours.value_or(0)) continue;
      row.ours = longer;
      row.algorithm = point.algorithm;
      row.size_bytes = point.size_bytes;
    }
    if (row.ours) {
      row.ratio = most / *row.ours;
      row.answer = *row.ours > most ? Answer::failed : Answer::passed;
    } else {
      row.remark += ": the document has no p99.9";
    }
    rows_.push_back(row);
  }

  static double times_median(const Point& point) {
    return *point.p999_us / point.time_us.value_or(0);
  }
  static double milliseconds(const Point& point) { return *point.p999_us / 1e3; }

  void dip(double most) {
    if (curve_.points.empty()) return;
    Row row = about_;
    row.subject = Subject::dip;
    row.answer = Answer::passed;
    const std::vector<Dip> dips = dips_of(curve_, most);
    if (!dips.empty()) {
      const auto real = std::ranges::find(dips, "", &Dip::excuse);
      const Dip& first = real == dips.end() ? dips.front() : *real;
      row.algorithm = first.algorithm;
      row.size_bytes = first.size_bytes;
      row.unit = first.unit;
      row.ours = first.value;
      row.answer = first.excuse.empty() ? Answer::failed : Answer::open;
      row.excuse = first.excuse;
      row.remark += ": " + in_words(first) + "; " + std::to_string(dips.size()) +
                    (dips.size() == 1 ? " such size" : " such sizes");
    }
    rows_.push_back(row);
  }

  /// Of a run on one rail there is nothing to ask.
  void rails(double most) {
    const Point* worst = most_out_of_balance(curve_);
    if (worst == nullptr) return;
    Row row = about_;
    row.subject = Subject::rail;
    row.algorithm = worst->algorithm;
    row.size_bytes = worst->size_bytes;
    row.unit = "% more";
    row.ours = worst->slowest_rail->percent;
    row.theirs = most;
    row.answer = *row.ours > most ? Answer::failed : Answer::passed;
    row.remark += ": " + in_words(*worst->slowest_rail);
    row.where = {.scope = finding::Scope::rail, .at = {.rail = worst->slowest_rail->rail}};
    rows_.push_back(row);
  }

  Row about_;
  const std::optional<CountedSizes>& counted_;
  const Rule& rule_;
  const Run& run_;
  Curve curve_;
  Rows rows_{};
};

/// A policy that asks for bandwidth, but not of this run, leaves its bandwidth open: that a tail is
/// short is no answer to it.
void ask_of_curve(const Policy& policy, const Run& run, const Curve& curve, Rows& all) {
  const auto asks_bandwidth = [](const Rule& rule) {
    return rule.min_line_rate_percent.has_value();
  };
  bool asked = false;
  bool bandwidth = std::ranges::none_of(policy.rules, asks_bandwidth);
  for (const Rule& rule : policy.rules) {
    if (!is_about(rule, run)) continue;
    const Rows found = Question(policy, rule, run, curve).rows();
    append(all, found);
    asked = asked || !found.empty();
    bandwidth = bandwidth || asks_bandwidth(rule);
  }
  if (asked && bandwidth) return;
  Row row = about("policy " + policy.name, run, curve);
  row.subject = bandwidth ? Subject::run : Subject::plateau;
  row.remark = std::string("no rule is about ") + (bandwidth ? "" : "the bandwidth of ") +
               "this collective on such NICs";
  all.push_back(row);
}

/// To the rules of a policy for hardware software devices have no answer, whatever they do.
Rows of_software(const Policy& policy) {
  return {{.criterion = "policy " + policy.name,
           .subject = Subject::plateau,
           .remark = "its rules are for hardware, and these are software devices"}};
}

void ask_of_counters(const RunSet& run_set, const Policy& policy, Rows& all) {
  if (policy.counters_that_stay.empty()) return;
  Row about{.criterion = "policy " + policy.name, .subject = Subject::counter, .theirs = 0};
  int counted = 0;
  for (const CounterDeltas& port : run_set.ports) {
    for (const std::string& name : policy.counters_that_stay) {
      const auto found = port.deltas.find(name);
      if (found == port.deltas.end()) continue;
      ++counted;
      if (found->second == 0) continue;
      Row& row = all.emplace_back(about);
      row.ours = static_cast<double>(found->second);
      row.answer = Answer::failed;
      row.remark = port.port + " " + name;
      row.where = port.where;
    }
  }
  const bool moved = std::ranges::any_of(all, [&](const Row& row) {
    return row.subject == Subject::counter && row.answer == Answer::failed;
  });
  if (moved) return;
  if (counted > 0) about.ours = 0;
  about.answer = counted > 0 ? Answer::passed : Answer::open;
  about.remark = std::to_string(counted) + " counters that have to stay";
  all.push_back(about);
}

}  // namespace

Rows against_policy(const RunSet& run_set, const Policy& policy) {
  Rows all;
  if (policy.hardware_only && run_set.software) {
    all = of_software(policy);
  } else if (!policy.rules.empty()) {
    for (const Run& run : run_set.runs) {
      for (const Curve& curve : curves_of(run)) ask_of_curve(policy, run, curve, all);
    }
  }
  append(all, against_counter_limits(run_set, policy));
  ask_of_counters(run_set, policy, all);
  return all;
}

}  // namespace railgauge::verdict
