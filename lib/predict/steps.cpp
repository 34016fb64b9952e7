#include "predict/steps.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace railgauge::predict {

using schedule::Rank;
using schedule::Schedule;
using schedule::Step;

namespace {

constexpr double kMostSamples = 1e6;                // ops of ranks that steps are told apart by
constexpr double kFewOps = 2;                       // of a rank in most steps
constexpr std::uint64_t kPrime = 1099511628211ULL;  // FNV-1a

/// Ranks by which steps are told apart: both ends, the root, and others in between.
std::vector<Rank> samples_of(const Schedule& schedule) {
  double ops = 0;
  Sends sends(schedule);
  for (Step step = 0; step < schedule.steps; ++step) {
    sends.of(0, step);
    ops += std::max<double>(1, static_cast<double>(sends.ops()));
  }
  const double most = kMostSamples / std::max(1.0, ops / kFewOps);
  const auto count = static_cast<Rank>(std::clamp(most, 3.0, 64.0));
  std::vector<Rank> samples{0, schedule.root, schedule.ranks - 1};
  for (Rank at = 1; at < count; ++at) {
    samples.push_back(static_cast<Rank>(std::uint64_t{schedule.ranks} * at / count));
  }
  std::ranges::sort(samples);
  samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
  return samples;
}

}  // namespace

const std::vector<Message>& Sends::of(Rank rank, Step step) {
  ops_.clear();
  messages_.clear();
  schedule_.rule(rank, step, ops_);
  received_ = 0;
  for (const schedule::Op& op : ops_) {
    if (schedule::arrives(op.action)) received_ = (received_ ^ op.peer) * kPrime + 1;
    if (op.action != schedule::Action::send) continue;
    const double part = static_cast<double>(op.blocks.count) / schedule_.blocks;
    if (!messages_.empty() && messages_.back().peer == op.peer) {
      messages_.back().part += part;
    } else {
      messages_.push_back({op.peer, part});
    }
  }
  return messages_;
}

Classes classes_of(const Schedule& schedule) {
  const std::vector<Rank> samples = samples_of(schedule);
  Sends sends(schedule);
  std::unordered_map<std::uint64_t, std::size_t> known;
  Classes classes;
  double messages = 0;
  for (Step step = 0; step < schedule.steps; ++step) {
    double volume = 0;
    double ops = 0;
    bool active = false;
    std::uint64_t signature = 14695981039346656037ULL;
    for (const Rank rank : samples) {
      for (const Message& message : sends.of(rank, step)) {
        const auto part = static_cast<std::uint64_t>(std::llround(message.part * schedule.blocks));
        signature = (signature ^ (std::uint64_t{message.peer} << 32U | part)) * kPrime;
        volume += message.part;
        ++messages;
      }
      ops += static_cast<double>(sends.ops());
      active = active || volume > 0 || sends.received() != 0;
      signature = ((signature ^ rank) * kPrime ^ sends.received()) * kPrime;
    }
    if (!active) signature = (signature ^ step) * kPrime;
    const auto [found, is_new] = known.try_emplace(signature, classes.all.size());
    if (is_new) {
      classes.all.push_back({step, 0, 0, volume, ops / static_cast<double>(samples.size())});
    }
    ++classes.all[found->second].times;
    ++classes.all[found->second].rounds;
  }
  const auto looks = static_cast<double>(samples.size()) * std::max<double>(1, schedule.steps);
  classes.messages_per_rank = messages / looks;
  return classes;
}

std::vector<StepClass> all_steps(const Schedule& schedule) {
  std::vector<StepClass> steps(schedule.steps);
  for (Step step = 0; step < schedule.steps; ++step) steps[step] = {step, 1, 1};
  return steps;
}

std::vector<StepClass> affordable(std::vector<StepClass> all, double most) {
  const auto keep = static_cast<std::size_t>(std::max(1.0, most));
  if (all.size() <= keep) return all;
  std::vector<StepClass> kept;
  kept.reserve(keep);
  std::size_t next = 0;
  for (std::size_t at = 0; at < keep; ++at) {
    StepClass merged = all[at * all.size() / keep];
    merged.rounds = merged.times = 0;
    for (; next < (at + 1) * all.size() / keep; ++next) {
      merged.rounds += all[next].rounds;
      merged.times += all[next].times * (merged.volume > 0 ? all[next].volume / merged.volume : 1);
    }
    kept.push_back(merged);
  }
  return kept;
}

std::vector<Round> rounds_of(const std::vector<StepClass>& steps, bool overlapped) {
  std::vector<Round> rounds;
  rounds.reserve(steps.size());
  for (const StepClass& one : steps) {
    if (rounds.empty() || !overlapped) rounds.emplace_back();
    rounds.back().rounds += one.rounds;
    rounds.back().steps.push_back(one);
    if (overlapped) continue;
    rounds.back().times = one.times;
    rounds.back().steps.back().times = rounds.back().steps.back().rounds = 1;
  }
  return rounds;
}

}  // namespace railgauge::predict
