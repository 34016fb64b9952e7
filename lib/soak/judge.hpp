#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "soak/header.hpp"
#include "soak/window.hpp"

namespace railgauge::soak {

/// What a soak is held to.
struct Terms {
  /// Any event of these fails the soak: operators accept no loss in the class that carries RoCE.
  std::set<EventKind> fail{
      EventKind::loss, EventKind::retransmission, EventKind::corruption, EventKind::wrong_data,
      EventKind::flap, EventKind::speed_change,   EventKind::fault};
  /// A share of windows, those of gaps among them, that may lack counters or time. If more do, what
  /// did not fail is inconclusive.
  double most_unknown = 0.01;
};

/// What a soak is worth so far: PASS, FAIL or INCONCLUSIVE, with the windows that decide. It is
/// told all that a record has, in its order, live or read again. Memory is O(events that decide).
class Judge {
 public:
  /// The header is not kept.
  explicit Judge(const Header& header, Terms terms = {});

  void take(const Window& window);
  void take(const Event& event);
  void take(const Gap& gap);

  /// Of what was taken so far. A window lacks counters if a port's could not be read; it lacks time
  /// if it is less than half or more than twice as long as the header says, or nothing ran in it.
  /// The bound on the bit error rate is the rule of three, 3 / bits (95 % confidence), of the bits
  /// of whole windows; there is none if a bit was wrong or a packet lost.
  [[nodiscard]] Judgement judgement() const;

 private:
  void decide(std::uint64_t window, const std::string& reason);

  Terms terms_;
  double window_s_;
  Judgement so_far_{};
  std::uint64_t windows_without_time_ = 0;
  std::uint64_t lost_windows_ = 0;
  std::uint64_t verified_ = 0;
  std::uint64_t failures_ = 0;
  std::map<EventKind, std::uint64_t> events_{};
  std::optional<Event> first_{};  // that failed the soak
  bool errors_ = false;
};

}  // namespace railgauge::soak
