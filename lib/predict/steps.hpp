#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.hpp"

namespace railgauge::predict {

/// Steps in which the same ranks send the same to the same peers.
struct StepClass {
  schedule::Step step = 0;
  double rounds = 0;  // steps like it
  double times = 0;   // that its load counts: more than that if it stands for larger steps
  double volume = 0;  // of the sampled ranks
  double ops = 0;     // of a sampled rank, on average
};

/// Steps that are looked at as one, because nothing in them waits for each other; or a single one.
struct Round {
  std::vector<StepClass> steps{};
  double rounds = 0;
  double times = 1;
};

/// What one rank sends to one peer in a step.
struct Message {
  schedule::Rank peer = 0;
  double part = 0;  // of a rank's data
};

/// The messages of one step of one rank: sends of several ranges to a peer are one.
class Sends {
 public:
  explicit Sends(const schedule::Schedule& schedule) : schedule_(schedule) {}

  const std::vector<Message>& of(schedule::Rank rank, schedule::Step step);

  /// Of the rank looked at last.
  [[nodiscard]] std::size_t ops() const { return ops_.size(); }

  /// A hash of whom the rank looked at last receives from; 0: from nobody.
  [[nodiscard]] std::uint64_t received() const { return received_; }

 private:
  const schedule::Schedule& schedule_;
  std::uint64_t received_ = 0;
  schedule::Ops ops_{};
  std::vector<Message> messages_{};
};

struct Classes {
  std::vector<StepClass> all{};
  double messages_per_rank = 0;  // of a step, on average
};

/// Steps in which the sampled ranks send the same to the same peers, and receive from the same. One
/// in which they do neither is like no other.
[[nodiscard]] Classes classes_of(const schedule::Schedule& schedule);

/// Of a pipeline, where a rank may be active in a few steps that no sample sees.
[[nodiscard]] std::vector<StepClass> all_steps(const schedule::Schedule& schedule);

/// Evenly as many of them as there is time for, each for its share of all.
[[nodiscard]] std::vector<StepClass> affordable(std::vector<StepClass> all, double most);

/// Steps that overlap are one round.
[[nodiscard]] std::vector<Round> rounds_of(const std::vector<StepClass>& steps, bool overlapped);

}  // namespace railgauge::predict
