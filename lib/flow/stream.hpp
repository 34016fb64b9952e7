#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "flow/figures.hpp"
#include "flow/nic.hpp"
#include "flow/plan.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::flow {

using Clock = std::chrono::steady_clock;

/// One way of a bandwidth test, at its sender: writes of one size over all queue pairs, each with a
/// window of its own. The window opens by one with every acknowledgement, so that a very slow link
/// is not given more than it carries in time. Nothing waits or throws; what posts returns 0 or an
/// errno value.
class Stream {
 public:
  /// All of them have to outlive it. Completions of queue pair q have the id `first_id` + q.
  Stream(const Plan& plan, Nic& nic, std::vector<verbs::QueuePair>& pairs,
         const verbs::RemoteMemory& there, std::uint64_t first_id);

  int begin();
  /// A write of that queue pair was acknowledged.
  int acknowledged(std::size_t pair);
  /// It has posted all there is to post, and all was acknowledged.
  [[nodiscard]] bool done() const { return done_all_ > 0 && done_all_ == posted_all_ && !posts(); }
  [[nodiscard]] const Figures& figures() const { return figures_; }

 private:
  struct Window {
    std::uint64_t posted = 0;
    std::uint64_t done = 0;
    std::array<Clock::time_point, kMostWindow> posted_at{};  // by number, modulo
  };

  [[nodiscard]] bool posts() const;
  int fill(std::size_t pair);

  const Plan& plan_;
  Nic& nic_;
  std::vector<verbs::QueuePair>& pairs_;
  verbs::RemoteSlice there_;
  std::uint64_t first_id_;
  std::vector<Window> windows_;
  Clock::time_point began_{};
  Clock::time_point now_{};
  std::uint64_t posted_all_ = 0;
  std::uint64_t done_all_ = 0;
  Figures figures_{};
};

}  // namespace railgauge::flow
