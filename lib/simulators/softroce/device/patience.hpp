#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "softroce/device/port.hpp"

namespace railgauge::softroce {

/// How long a requester has waited in vain. What counts are the waits that it meant to make, each
/// of which ended with a retransmission (InfiniBand volume 1, 9.7.6.1.3), not what the clock says:
/// a process that was stopped, or a machine that stood still, has asked nobody in the meantime.
///
/// Nor does a peer on this host fail to answer while what it was sent waits unread in its socket:
/// it is stopped, or waits for a processor. A NIC answers for such a process, so a soft device
/// waits.
class Patience {
 public:
  /// An answer came, or there is nothing to wait for.
  void satisfied() { *this = Patience{}; }
  void wait(Time from, nanoseconds time);
  /// The wait is over, or is replaced by another one: counts the part of it that has passed.
  void stop(Time now);
  nanoseconds waited() const { return waited_; }

  /// What waits at the peer's, looked at after each of the last waits, so that a peer that read the
  /// last retransmission but had no time to answer it is asked again. If anything waits, no more
  /// than `most` has been waited in vain.
  void consider(const std::optional<Backlog>& peer, nanoseconds most);
  /// The peer did not run when it was last looked at: there is no point in asking often.
  bool peer_stands_still() const { return unread_ > 0; }

 private:
  // A peer that reads, but for other queue pairs only, is forgiven so often.
  static constexpr unsigned kReprieves = 16;

  Time from_{};
  nanoseconds time_{};
  nanoseconds waited_{};
  std::uint32_t unread_ = 0;
  unsigned reprieves_ = 0;
};

inline void Patience::wait(Time from, nanoseconds time) {
  from_ = from;
  time_ = time;
}

inline void Patience::stop(Time now) {
  waited_ += std::clamp<nanoseconds>(now - from_, nanoseconds{0}, time_);
  time_ = nanoseconds{0};
}

inline void Patience::consider(const std::optional<Backlog>& peer, nanoseconds most) {
  const std::uint32_t before = std::exchange(unread_, peer ? peer->waiting_bytes : 0);
  if (unread_ < before) ++reprieves_;
  if (unread_ > 0 && reprieves_ <= kReprieves) waited_ = std::min(waited_, most);
}

}  // namespace railgauge::softroce
