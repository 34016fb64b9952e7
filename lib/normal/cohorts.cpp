#include "normal/cohorts.hpp"

#include <algorithm>

#include "measure/statistics.hpp"
#include "normal/others.hpp"

namespace railgauge::normal {
namespace {

Cohorts::Kind kind_of(const Sample& sample) {
  return {sample.metric, sample.same_rail};
}

/// Not how many, on one subnet: its switches only bridge, and do not answer.
bool is_known(std::optional<int> switches) {
  return switches.value_or(0) > 0;
}

/// Sorts them, and finds the median of those that count.
void settle(Speeds& speeds, Basis basis, double fast_share) {
  std::vector<double>& sorted = speeds.sorted;
  if (sorted.empty()) return;
  std::ranges::sort(sorted);
  const double fast = fast_share * sorted[(sorted.size() - 1) * 9 / 10];
  std::vector<double> slowness;  // grows as times do
  for (const double speed : sorted) {
    if (!speeds.of_fast || speed >= fast) slowness.push_back(-speed);
  }
  speeds.members = slowness.size();
  speeds.median = basis == Basis::majority ? majority(sorted) : -measure::median(slowness);
}

/// "median of 14 fast pairs over 3 switches"
std::string text_of(const Speeds& like, const Sample& sample, std::optional<int> switches) {
  std::string text = "median of " + std::to_string(like.members) + (like.of_fast ? " fast" : "");
  text += like.members == 1 ? " pair" : " pairs";
  return text + (sample.same_rail ? "" : " across rails") + over_text(switches);
}

}  // namespace

Cohorts::Cohorts(const std::vector<Sample>& samples, Basis basis, double fast_share) {
  for (const Sample& sample : samples) {
    double& fastest = fastest_links_[kind_of(sample)];
    fastest = std::max(fastest, sample.link);
  }
  for (const Sample& sample : samples) add(sample, basis);
  for (auto& [name, speeds] : kinds_) settle(speeds, basis, fast_share);
  for (auto& [name, speeds] : over_switches_) settle(speeds, basis, fast_share);
}

void Cohorts::add(const Sample& sample, Basis basis) {
  const Kind name = kind_of(sample);
  const auto [first, is_new] = first_switches_.emplace(name, sample.switches);
  const bool by_fast = basis == Basis::fast_group;
  const bool alike = is_known(sample.switches) && sample.switches == first->second;
  Speeds& kind = kinds_[name];
  kind.of_fast = by_fast && (!sample.adds_up || (alike && (is_new || kind.of_fast)));
  if (sample.speed == 0) return;
  const double speed = link_scale(sample) * sample.speed;
  kind.sorted.push_back(speed);
  if (!sample.switches) return;
  Speeds& like = over_switches_[{sample.metric, sample.same_rail, *sample.switches}];
  like.of_fast = by_fast && (!sample.adds_up || is_known(sample.switches));
  like.sorted.push_back(speed);
}

const Speeds& Cohorts::of(const Sample& sample) const {
  if (sample.switches) {
    const auto found = over_switches_.find({sample.metric, sample.same_rail, *sample.switches});
    if (found != over_switches_.end() && found->second.comparable()) return found->second;
  }
  return kinds_.at(kind_of(sample));
}

double Cohorts::median_for(const Sample& sample) const {
  return of(sample).median / link_scale(sample);
}

Expectation Cohorts::expected(const Sample& sample) const {
  const Speeds& like = of(sample);
  if (like.sorted.empty()) return {};
  return {.value = median_for(sample),
          .n = like.members,
          .basis = like.of_fast ? Basis::fast_group : Basis::majority,
          .text = text_of(like, sample, switches_of(sample)) +
                  (link_scale(sample) > 1 ? ", scaled to the slower link" : "")};
}

/// How many times as fast as the sample's the fastest link of its kind is; 1 if that is not known.
double Cohorts::link_scale(const Sample& sample) const {
  constexpr double kSame = 1.01;  // links are known by figures that were rounded
  const double fastest = fastest_links_.at(kind_of(sample));
  return sample.link > 0 && fastest > kSame * sample.link ? fastest / sample.link : 1;
}

std::optional<int> Cohorts::switches_of(const Sample& sample) const {
  return &of(sample) == &kinds_.at(kind_of(sample)) ? std::nullopt : sample.switches;
}

std::string over_text(std::optional<int> switches) {
  if (switches.value_or(0) == 0) return "";
  return " over " + std::to_string(*switches) + (*switches == 1 ? " switch" : " switches");
}

}  // namespace railgauge::normal
