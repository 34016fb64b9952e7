#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <string>

#include "executor/offload.hpp"
#include "reduce/reduction.hpp"

namespace railgauge::executor {

/// Does what it is told as late as it may: one piece of work at every third question whether it is
/// done. Who does not wait finds what was there before.
class LazyOffload final : public Offload {
 public:
  explicit LazyOffload(const reduce::Reduction& reduction) : reduction_(reduction) {}

  void reach(std::span<std::byte> /*memory*/) override {}
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) noexcept override {
    start([=] { std::memmove(to, from, bytes); });
  }
  void combine(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count,
               bool completes) noexcept override {
    start([this, out, a, b, count, completes] {
      completes ? reduction_.complete(out, a, b, count) : reduction_.combine(out, a, b, count);
    });
  }
  [[nodiscard]] std::uint64_t started() const noexcept override { return started_; }
  [[nodiscard]] std::uint64_t done() noexcept override {
    constexpr int kLooks = 3;
    if (!works_.empty() && ++looks_ % kLooks == 0) {
      works_.front()();
      works_.pop_front();
    }
    return started_ - works_.size();
  }
  void see_arrivals() noexcept override { ++flushes; }
  [[nodiscard]] bool failed() const noexcept override { return started_ > fails_after; }
  [[nodiscard]] std::string fault() const override { return "the device fell off the bus"; }

  std::uint64_t fails_after = std::numeric_limits<std::uint64_t>::max();
  int flushes = 0;

 private:
  void start(std::function<void()> work) {
    works_.push_back(std::move(work));
    ++started_;
  }

  reduce::Reduction reduction_;
  std::deque<std::function<void()>> works_;
  std::uint64_t started_ = 0;
  int looks_ = 0;
};

}  // namespace railgauge::executor
