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
  /// Others are said, and decide nothing.
  std::set<EventKind> fail{
      EventKind::loss, EventKind::retransmission, EventKind::corruption, EventKind::wrong_data,
      EventKind::flap, EventKind::speed_change,   EventKind::fault};
  /// A share of windows, those of gaps among them, that may lack counters or time. If more do, what
  /// did not fail is inconclusive.
  double most_unknown = 0.01;
};

/// What a soak is worth so far: PASS, FAIL or INCONCLUSIVE, with the windows that decide. It is
/// told all that a record has, in its order, live or read again. Memory is bounded: of the windows
/// that decide it keeps the first thousand.
class Judge {
 public:
  /// The header is not kept.
  explicit Judge(const Header& header, Terms terms = {});

  void take(const Window& window);
  void take(const Event& event);
  void take(const Gap& gap);

  /// Of what was taken so far. A window lacks counters if those of a port could not be read; it
  /// lacks time if it is less than half, or by two seconds more than twice, as long as the header
  /// says, or nothing ran in it. Without a window, or if nothing was verified, there is no PASS.
  /// The bound on the bit error rate is the rule of three, 3 / bits at 95 % confidence, of what
  /// rails carried in windows that have all counters; there is none once a packet was lost or
  /// falsified, or data were wrong.
  [[nodiscard]] Judgement judgement() const;

 private:
  [[nodiscard]] double unknown_share() const;
  [[nodiscard]] std::vector<std::string> reasons(Verdict verdict) const;
  [[nodiscard]] std::vector<std::string> failures() const;
  [[nodiscard]] std::vector<std::string> doubts() const;
  [[nodiscard]] std::string notes() const;
  [[nodiscard]] std::string drain_reason() const;

  Terms terms_;
  double window_s_;
  std::uint64_t windows_ = 0;
  std::uint64_t without_counters_ = 0;
  std::uint64_t without_time_ = 0;
  std::uint64_t unknown_ = 0;  // windows without one or the other
  std::uint64_t lost_ = 0;     // in gaps
  std::uint64_t verified_ = 0;
  std::uint64_t bits_ = 0;
  bool errors_ = false;  // of bits or packets
  std::map<EventKind, std::uint64_t> events_;
  std::map<EventKind, Event> first_;        // of each kind
  std::set<std::uint64_t> failed_windows_;  // the first of them
  std::set<std::uint64_t> unknown_windows_;
};

}  // namespace railgauge::soak
