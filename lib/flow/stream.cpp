#include "flow/stream.hpp"

#include <algorithm>

namespace railgauge::flow {

Stream::Stream(const Plan& plan, Nic& nic, std::span<verbs::QueuePair> pairs,
               const verbs::RemoteMemory& there, std::uint64_t first_id)
    : plan_(plan),
      nic_(nic),
      pairs_(pairs),
      there_{there.address + Nic::kPayload, there.key},
      first_id_(first_id),
      windows_(pairs.size()) {}

int Stream::begin() {
  began_ = now_ = Clock::now();
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    if (const int error = fill(pair); error != 0) return error;
  }
  return 0;
}

bool Stream::posts() const {
  if (plan_.iterations > 0) return posted_all_ < plan_.iterations;
  return posted_all_ == 0 || now_ - began_ < plan_.time;
}

Clock::time_point Stream::due() const {
  if (!has_rate()) return now_;
  const double bytes = static_cast<double>(posted_all_) * plan_.message_bytes;
  const std::chrono::duration<double, std::nano> after(bytes / plan_.gigabytes_per_second);
  return began_ + std::chrono::duration_cast<Clock::duration>(after);
}

int Stream::look() {
  if (!has_rate() || !begun()) return 0;
  now_ = Clock::now();
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    if (const int error = fill(pair); error != 0) return error;
  }
  return 0;
}

int Stream::fill(std::size_t pair) {
  Window& window = windows_[pair];
  const auto most = static_cast<std::uint64_t>(plan_.window);
  while (posts() && due() <= now_ &&
         window.posted - window.done < std::min(most, 1 + window.done)) {
    window.posted_at[window.posted % kMostWindow] = due();
    const int error = pairs_[pair].write({.from = nic_.slice(Nic::kPayload, plan_.message_bytes),
                                          .to = there_,
                                          .id = first_id_ + pair});
    if (error != 0) return error;
    ++window.posted;
    ++posted_all_;
  }
  return 0;
}

int Stream::acknowledged(std::size_t pair) {
  Window& window = windows_[pair];
  now_ = Clock::now();
  figures_.times.record(now_ - window.posted_at[window.done % kMostWindow]);
  ++window.done;
  ++done_all_;
  ++figures_.messages;
  figures_.bytes += plan_.message_bytes;
  figures_.seconds = std::chrono::duration<double>(now_ - began_).count();
  return fill(pair);
}

}  // namespace railgauge::flow
