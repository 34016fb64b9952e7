#pragma once

#include <memory>
#include <vector>

#include "soak/header.hpp"
#include "soak/window.hpp"

namespace railgauge::soak {

/// Sees what happens in a soak, window by window: in counters (loss, flaps, resets), and in times,
/// each port, rail and rank being held against the others of its window and against its own past.
/// What is slow everywhere at once is no event: there is nothing to hold it against (jct_ratio
/// shows it). The same windows give the same events, live or read again. Memory is O(ports).
///
/// What counters tell is an event of its window. What times tell is known some windows later, and
/// the event names the window in which it began; nothing is told before there is a past of ten
/// windows. Of software devices, whose times are those of a busy machine, time-outs and repetitions
/// are no event, times have to be out by far for longer, and the past is of thirty windows.
class Watcher {
 public:
  /// Of that fabric; the header is not kept.
  explicit Watcher(const Header& header);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  Watcher(Watcher&&) noexcept;
  Watcher& operator=(Watcher&&) noexcept;

  /// What came to light with this window. Windows come in the order of their numbers.
  [[nodiscard]] std::vector<Event> take(const Window& window);

  /// Whether packets are missing that the next windows will show to be lost, or late.
  [[nodiscard]] bool misses_packets() const;

  /// A run goes on after this gap: hosts that were started anew meanwhile are events. A run that
  /// resumes a record gives its windows and gaps to a new watcher first, for their past.
  [[nodiscard]] std::vector<Event> take(const Gap& gap);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace railgauge::soak
