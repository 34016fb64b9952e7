#include "flow/stream.hpp"

#include <algorithm>

namespace railgauge::flow {

Stream::Stream(const Plan& plan, Nic& nic, std::span<verbs::QueuePair> pairs,
               const verbs::RemoteSlice& there, std::uint64_t first_id)
    : plan_(plan),
      nic_(nic),
      pairs_(pairs),
      there_(there),
      first_id_(first_id),
      windows_(pairs.size()) {}

int Stream::begin() {
  began_ = now_ = Clock::now();
  return fill();
}

bool Stream::posts() const {
  if (plan_.iterations > 0) return posted_all_ < plan_.iterations;
  return posted_all_ == 0 || now_ - began_ < plan_.time;
}

Clock::time_point Stream::due() const {
  if (!has_rate()) return now_;
  const std::uint64_t before = posted_all_ / plan_.burst * plan_.burst;
  const double bytes = static_cast<double>(before) * plan_.message_bytes;
  const std::chrono::duration<double, std::nano> after(bytes / plan_.gigabytes_per_second);
  return began_ + std::chrono::duration_cast<Clock::duration>(after);
}

int Stream::look(Clock::time_point now) {
  if (!begun() || !(has_room_ || has_rate())) return 0;
  now_ = now;
  return fill();
}

int Stream::fill() {
  has_room_ = false;
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    if (const int error = fill(pair); error != 0) return error;
  }
  return 0;
}

std::uint64_t Stream::signal_every() const {
  constexpr int kQuarter = 4;
  const auto most = static_cast<std::uint64_t>(std::max(1, plan_.window / kQuarter));
  const bool seldom = now_ - began_ >= kShort * done_all_;
  return has_rate() || seldom ? 1 : std::min(most, kSignalEvery);
}

int Stream::fill(std::size_t pair) {
  Window& window = windows_[pair];
  const std::uint64_t every = signal_every();
  std::uint64_t room = window.room(static_cast<std::uint64_t>(plan_.window));
  verbs::WriteChain chain;
  std::uint64_t unsignaled = 0;
  for (bool last = false; !last && room > 0 && posts() && due() <= now_;) {
    const Clock::time_point due_at = due();
    ++window.posted;
    ++posted_all_;
    --room;
    ++unsignaled;
    last = room == 0 || !posts() || due() > now_;
    const bool signaled = last || unsignaled == every;
    if (signaled) {
      window.waiting[window.signals++ % kMostWindow] = {due_at, unsignaled};
      unsignaled = 0;
    }
    chain.add({.from = nic_.payload(plan_.message_bytes),
               .to = there_,
               .id = first_id_ + pair,
               .signaled = signaled},
              {});
    if (!last && !chain.full()) continue;
    if (const int error = pairs_[pair].post(chain); error != 0) return error;
  }
  return 0;
}

void Stream::acknowledged(std::size_t pair, Clock::time_point now) {
  Window& window = windows_[pair];
  const Signal& signal = window.waiting[window.completions++ % kMostWindow];
  now_ = now;
  has_room_ = true;
  figures_.times.record(now - signal.posted_at, signal.messages);
  window.done += signal.messages;
  done_all_ += signal.messages;
  figures_.messages += signal.messages;
  figures_.bytes += signal.messages * plan_.message_bytes;
  figures_.seconds = std::chrono::duration<double>(now - began_).count();
}

}  // namespace railgauge::flow
