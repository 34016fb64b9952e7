#pragma once

#include <poll.h>

#include <vector>

#include "transport/transport.hpp"

namespace railgauge::transport {

/// A transport that a thread can sleep on beside others.
class Pollable : public Transport {
 public:
  /// What becomes readable when there may be something to poll, for poll(2). It does not change.
  [[nodiscard]] virtual std::vector<pollfd> sleepers() const = 0;
  /// Sees to it that whatever comes from now on is told to the sleepers. False: something has come
  /// already, so do not sleep.
  virtual bool arm() noexcept = 0;
  /// After arm(), slept or not.
  virtual void disarm() noexcept = 0;
};

/// ppoll() until one is readable, or for `limit`.
inline void sleep_on(std::vector<pollfd>& sleepers, std::chrono::microseconds limit) noexcept {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  const timespec time{seconds.count(), (limit - seconds).count() * 1000};
  ::ppoll(sleepers.data(), sleepers.size(), &time, nullptr);
}

}  // namespace railgauge::transport
