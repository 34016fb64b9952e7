#pragma once

#include <infiniband/verbs.h>

#include <deque>
#include <vector>

#include "softroce/device/context.hpp"
#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

struct CompletionQueue;

/// Where a program waits for completion events.
struct CompletionChannel : ibv_comp_channel {
  Signal signal;
  std::deque<CompletionQueue*> waiting;
};

/// A completion with its time, for ibv_wc_read_completion_ts().
struct Completion {
  ibv_wc wc{};
  std::uint64_t stamp_ns = 0;
};

/// One completion queue. It is always an ibv_cq_ex, so that one type serves both interfaces.
struct CompletionQueue : ibv_cq_ex {
  std::vector<Completion> ring;
  std::uint64_t taken =
      0;  ///< entries [taken, added) wait, at their number modulo the size of the ring
  std::uint64_t added = 0;
  Completion current;  ///< what the extended interface reads
  bool tells_time_of_day = false;
  std::uint64_t current_day_ns = 0;  ///< the time of day of `current`, if that was asked for
  bool overrun = false;
  bool strict = false;      ///< Port::strict: entries are shown late, several at a time
  std::uint64_t shown = 0;  ///< entries before this one
  Time show_at = Time::max();
  bool armed = false;
  bool armed_for_solicited = false;
  unsigned users = 0;  ///< queue pairs
  EventCount channel_events;
  EventCount async_events;
  unsigned moderation_count = 0;  ///< completions per event; 0 and 1: each one
  nanoseconds moderation_period{};
  unsigned unannounced = 0;
  Time announce_at = Time::max();

  ibv_cq* verbs() { return ibv_cq_ex_to_cq(this); }
  CompletionChannel* events() const { return static_cast<CompletionChannel*>(channel); }
  /// That can be taken.
  std::size_t size() const { return static_cast<std::size_t>(shown - taken); }
  /// It has lost a completion, and nothing comes out of it any more.
  bool broken() const { return strict && overrun; }

  /// Adds one, and an event if the program asked for it. Raises IBV_EVENT_CQ_ERR if full: the
  /// completion is lost, and the queue is then in error (InfiniBand volume 1, 10.2.7).
  void add(const ibv_wc& wc, bool solicited, Time now);
  bool take(Completion& out);
  /// Removes the completions of a queue pair that is being reset or destroyed.
  void forget(std::uint32_t queue_pair);
  /// Shows the entries whose time has come.
  void show(Time now);
  /// Announces a moderated event whose period has passed, or entries that are shown late.
  void announce_when_due(Time now);
  void resize(std::size_t entries);

 private:
  void announce();
};

}  // namespace railgauge::softroce
