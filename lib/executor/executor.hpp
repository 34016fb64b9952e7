#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "executor/notification.hpp"
#include "executor/plan.hpp"
#include "executor/progress.hpp"
#include "reduce/reduction.hpp"
#include "transport/transport.hpp"

namespace railgauge::executor {

struct ExecutorSettings {
  /// Data travel in chunks of this many bytes: small enough that the reduction of one overlaps the
  /// flight of the next, large enough that a packet's worth of overhead does not show. Four times
  /// as large where nobody combines data or passes them on.
  std::uint32_t chunk_bytes = 64 * 1024;
  /// Chunks under way on a channel: one landing slot each. Bounds what a lossy path has to send
  /// again. Where none is needed, and nobody passes data on, at least eight.
  std::uint32_t window = 4;
};

enum class Ending : std::uint8_t {
  done,
  deadline,  // the deadline passed
  failed,    // the transport reported a failure
  stopped,   // the caller asked to stop
};

/// A value, because failing is what a fabric under test does.
struct Outcome {
  Ending ending = Ending::done;
  /// For how long this rank had nothing to do but wait for others.
  std::chrono::nanoseconds waited{0};
  std::string report{};  // unless done: what failed, and for every channel what this rank waits for
};

/// How long a run may take.
struct RunLimits {
  std::chrono::steady_clock::time_point deadline;
  /// Asked every few milliseconds of waiting, and every few thousand polls; true ends the run. Must
  /// not throw.
  std::function<bool()> stop = [] { return false; };
};

/// The memory that a collective works on: of one region number and offset each on all ranks.
/// `output` may be `input` unless the collective has them apart; `scratch` is needed where
/// scratch_bytes() says so.
struct Regions {
  transport::Region output;
  transport::Region input;
  transport::Region scratch;
};

/// Payload that a rank has written on a channel since the executor was made; notices have none.
struct Traffic {
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;
};

/// Runs plans over a transport, one at a time, on the caller's thread.
///
/// Flow control: a chunk is written only after the peer has granted it a place. A chunk to be
/// combined, or of a small op, lands in one of `window` slots; any other goes straight to its
/// place. Slots are free between runs, so at the end of one the peer is told what it may send in
/// the next: a run's first message does not have to be asked for. Where two ranks exchange a few
/// small chunks they do without being told, from the second run of a plan on: such a channel stands
/// open. It has slots for two runs, and whoever has had the peer's chunks of one run knows that
/// those of the run before are free.
///
/// A run returns when this rank's output is complete and its buffers are the caller's again: what
/// it has sent has been acknowledged, or was taken into the transport's own memory at once.
/// Allocates in the constructor and in load(), not in run().
class Executor {
 public:
  /// Collective. `transport` has to outlive the executor.
  Executor(transport::Transport& transport, const ExecutorSettings& settings);

  /// Collective: all ranks make the same calls of load() and run() in the same order. Takes a plan
  /// for the runs to come; drops the one before.
  void load(Plan plan);

  /// Collective, with plans of the same schedule and layout on all ranks. After an outcome other
  /// than done the executor is of no more use.
  [[nodiscard]] Outcome run(const reduce::Reduction& reduction, const Regions& regions,
                            const RunLimits& limits);

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] Traffic traffic(transport::Channel channel) const;
  /// [stripe of the plan] From the last run's start until this rank was done with it, if that run
  /// came to its end. What is slow about a rail is slow about its stripes.
  [[nodiscard]] std::span<const std::chrono::nanoseconds> stripe_times() const {
    return stripe_times_;
  }

 private:
  void start();
  bool take_events();
  void take(const transport::Event& event);
  void take_notification(ChannelProgress& channel, const Notification& notification) const;
  void advance();
  bool copy_some();
  void advance_sends(transport::Channel channel);
  void advance_grants(transport::Channel channel);
  void advance_arrivals(transport::Channel channel);
  void look_at(transport::Channel channel);
  void acknowledge(transport::Channel channel, std::uint64_t completed);
  void announce(transport::Channel channel);
  void promise(transport::Channel channel);
  void notify(transport::Channel channel, const Notification& notification);
  void post_chunk(transport::Channel channel, const PlannedOp& op, std::size_t at,
                  std::size_t elements);
  void apply(transport::Channel channel, const PlannedOp& op, std::size_t at, std::size_t elements);
  [[nodiscard]] bool lands_in_slot(const PlannedOp& op) const;
  [[nodiscard]] bool copy_threshold(const PlannedOp& op) const;
  [[nodiscard]] std::uint32_t leading_chunks(const std::vector<std::uint32_t>& ops,
                                             Cursor& after) const;
  [[nodiscard]] bool can_preauthorize(transport::Channel channel) const;
  void settle(std::uint32_t op, std::size_t elements);
  void finish(std::uint32_t stripe);
  [[nodiscard]] bool ready(const PlannedOp& op, std::size_t elements) const;
  [[nodiscard]] std::size_t chunk(const PlannedOp& op, std::size_t at) const;
  [[nodiscard]] std::size_t slot_offset(transport::Channel ours, transport::Channel theirs,
                                        std::uint32_t chunk) const;
  [[nodiscard]] std::size_t offset(const PlannedOp& op, std::size_t place) const;
  [[nodiscard]] const transport::Region& region(Buffer buffer) const {
    return regions_[static_cast<std::size_t>(buffer)];
  }
  [[nodiscard]] Outcome ended(Ending ending, const std::string& why) const;

  transport::Transport& transport_;
  std::size_t chunk_bytes_;
  std::size_t channel_bytes_;      // of landing slots for each channel
  std::size_t slot_bytes_;         // these two depend on the plan
  std::uint32_t window_;           // chunks under way on a channel while the last lands in a slot
  std::uint32_t straight_window_;  // while it does not
  transport::Region landing_;
  Plan plan_;
  std::vector<ChannelProgress> channels_;
  std::vector<bool> open_;  // [channel] whether it stands open; see above
  bool first_of_plan_ = true;
  std::uint32_t run_ = 0;             // counts on with every run and every plan, alike on all ranks
  std::vector<std::size_t> settled_;  // [op] elements, from its begin, that later ops may use
  std::vector<std::uint64_t> last_write_;  // [op] the number of a finished send's last write
  std::size_t unsettled_ops_ = 0;
  std::vector<std::size_t> unsettled_of_stripe_;
  std::vector<std::chrono::nanoseconds> stripe_times_;
  std::chrono::steady_clock::time_point begin_;  // of the run
  Cursor copy_;
  std::vector<transport::Channel> to_look_at_;  // channels that may go on, each once
  std::vector<bool> listed_;                    // [channel] whether it is among them
  transport::Event failure_;
  bool failed_ = false;
  std::array<transport::Region, kBuffers> regions_;
  bool in_place_ = false;
  const reduce::Reduction* reduction_ = nullptr;  // of the run
};

}  // namespace railgauge::executor
