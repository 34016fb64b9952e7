#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "soak/counter_watch.hpp"
#include "soak/places.hpp"
#include "soak/rank_watch.hpp"
#include "soak/time_watch.hpp"

namespace railgauge::soak {

/// That a soak can find.
inline constexpr std::array kCauses{
    finding::Cause::packet_loss,   finding::Cause::retransmission, finding::Cause::corruption,
    finding::Cause::wrong_data,    finding::Cause::link_down,      finding::Cause::link_speed,
    finding::Cause::latency,       finding::Cause::bandwidth,      finding::Cause::slow_processor,
    finding::Cause::descheduled,   finding::Cause::counter_reset,  finding::Cause::other,
    finding::Cause::host_restarted};

/// Words of those that fail a soak unless the operator chooses others: errors, but for what is
/// compared with its own past only, since other jobs slow down a healthy fabric.
[[nodiscard]] std::vector<std::string> failing_causes();

/// Finds what happens in a soak, window by window: in counters (loss, flaps, resets), and in times,
/// each port, rail and rank being compared with the others of its window and with its own past.
/// A slowdown of all at once is not found: there is nothing to compare it with (jct_ratio shows
/// it). The same windows give the same findings, live or read again. Memory is O(ports).
///
/// What counters show is a finding of its window. What times show is known some windows later, and
/// `when` has the window in which it began; there is none before a past of ten windows. Of software
/// devices, whose times are those of a busy machine, time-outs and repetitions are no finding,
/// times have to be far out for longer, and the past is of thirty windows.
class Watcher {
 public:
  /// Of that fabric; the header is not kept.
  explicit Watcher(const Header& header)
      : fail_on_(header.fail_on.begin(), header.fail_on.end()), places_(header) {}
  ~Watcher() = default;
  // Parts of it point to others.
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// What was found with this window. Windows come in the order of their numbers.
  [[nodiscard]] std::vector<finding::Finding> take(const Window& window);

  /// Whether packets are missing that the next windows will show to be lost, or late.
  [[nodiscard]] bool misses_packets() const { return counters_.misses_packets(); }

  /// A run goes on after this gap: a host that was restarted meanwhile is a finding. A run that
  /// resumes a record gives its windows and gaps to a new watcher first, for their past.
  [[nodiscard]] std::vector<finding::Finding> take(const Gap& gap);

 private:
  [[nodiscard]] std::vector<finding::Finding> found(const Window& window);
  [[nodiscard]] std::vector<finding::Finding> settled(std::vector<finding::Finding> findings) const;

  std::set<std::string> fail_on_;
  Places places_;
  CounterWatch counters_{places_};
  TimeWatch times_{places_};
  RankWatch ranks_{places_};
};

}  // namespace railgauge::soak
