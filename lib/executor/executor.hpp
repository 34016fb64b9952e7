#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "executor/edge_samples.hpp"
#include "executor/offload.hpp"
#include "executor/plan.hpp"
#include "executor/progress.hpp"
#include "reduce/reduction.hpp"
#include "transport/transport.hpp"

namespace railgauge::executor {

/// No write of an executor with chunks of this size is longer.
[[nodiscard]] constexpr std::size_t longest_write(std::uint32_t chunk_bytes) {
  constexpr std::size_t kOneHopChunks = 4;  // with nothing to overlap, more only mean more messages
  return kOneHopChunks * chunk_bytes;
}

struct ExecutorSettings {
  /// Data travel in chunks of this many bytes: small enough that the reduction of one overlaps the
  /// transfer of the next, large enough to make the overhead per chunk negligible. Four times as
  /// large for algorithms that only move data in one hop.
  std::uint32_t chunk_bytes = 64 * 1024;
  /// Chunks in flight on a channel: one landing slot each. Bounds what a lossy path must
  /// retransmit. At least eight where no slot is needed and the algorithm only moves data in one
  /// hop.
  std::uint32_t window = 4;
  /// Offer the processor to others after every poll that finds nothing: what is awaited may need
  /// it. For ranks that share memory and are more than their processors. Elsewhere it takes time.
  bool yields = false;
  /// Copies and combines instead of this processor: for memory of a device. All ranks have one, or
  /// none. Outlives the executor.
  Offload* offload = nullptr;
};

enum class Ending : std::uint8_t {
  done,
  deadline,  // the deadline passed
  failed,    // the transport reported a failure
  stopped,   // the caller asked to stop
  device,    // the offload's device reported a failure
};

/// A value, because a fabric under test is expected to fail.
struct Outcome {
  Ending ending = Ending::done;
  /// How long this rank did nothing but wait for others.
  std::chrono::nanoseconds waited{0};
  /// For how long it was kept from polling while it waited: stopped, throttled or preempted, for a
  /// millisecond or more at a time.
  std::chrono::nanoseconds descheduled{0};
  /// For how long it slept, with what it was descheduled.
  std::chrono::nanoseconds slept{0};
  // Unless done:
  std::string why{};    // what failed
  std::string waits{};  // what this rank waits for, a line for each channel, behind a line feed
  std::vector<finding::Finding> faults{};  // the transport's

  [[nodiscard]] std::string report() const { return why + waits; }
};

/// How long a run may take.
struct RunLimits {
  std::chrono::steady_clock::time_point deadline;
  /// Called every few milliseconds of waiting and every few thousand polls; true ends the run. Must
  /// not throw.
  std::function<bool()> stop = [] { return false; };
};

/// The memory that a collective works on: each with the same region number and offset on all ranks.
/// `output` may be `input` unless the collective needs separate buffers; `scratch` is needed if
/// scratch_bytes() says so.
struct Regions {
  transport::Region output;
  transport::Region input;
  transport::Region scratch;
};

/// Payload that a rank has written on a channel since the executor was constructed.
struct Traffic {
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;
};

/// Runs plans over a transport, one at a time, on the caller's thread.
///
/// With an Offload, copying and combining are handed over to it, and other channels go on
/// meanwhile; what an op needs of another is there once that has ended.
///
/// Flow control: a chunk is written only after the peer has granted it a place. A chunk that will
/// be combined, or belongs to a small op, lands in one of `window` slots; any other goes straight
/// to its destination. Slots are free between runs, so at the end of one the peer is told what it
/// may send in the next: the first message of a run needs no round trip. If two ranks exchange only
/// a few small chunks, the channel is preauthorized: from the second run of a plan on it needs no
/// grants at all. It has slots for two runs, and a rank that has received the peer's chunks of one
/// run knows that the slots of the run before are free.
///
/// A run returns when this rank's output is complete and its buffers are the caller's again: what
/// it has sent has been acknowledged or copied into the transport's own memory. Allocates in the
/// constructor and in load(), not in run().
class Executor {
 public:
  /// Collective. `transport` must outlive the executor.
  Executor(transport::Transport& transport, const ExecutorSettings& settings);

  /// Collective: all ranks call load() and run() in the same order. Sets the plan for the runs to
  /// come, in place of the one before.
  void load(Plan plan);

  /// Collective, with plans of the same schedule and layout on all ranks. After any outcome but
  /// done the executor is unusable.
  [[nodiscard]] Outcome run(const reduce::Reduction& reduction, const Regions& regions,
                            const RunLimits& limits);

  /// A run in turns, for a thread that drives several executors: begin(), then take_turn() until
  /// the run is done or has failed. `reduction` has to last as long. A turn never waits.
  enum class Turn : std::uint8_t { busy, idle, done, failed };
  void begin(const reduce::Reduction& reduction, const Regions& regions);
  [[nodiscard]] Turn take_turn();
  /// What becomes of a run that its caller ends before it is done.
  [[nodiscard]] Outcome ended(Ending ending);

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] Traffic traffic(transport::Channel channel) const;
  /// [rail] From the start of the last run until the last message over the rail was sent or had
  /// arrived, if that run completed; 0: the plan has none over it.
  [[nodiscard]] std::span<const std::chrono::nanoseconds> rail_times() const { return rail_times_; }

  /// Collective: tells every peer when its chunks arrived here. Ends as run() does.
  [[nodiscard]] Outcome exchange_samples(const RunLimits& limits);
  /// Of what this rank sent on the channel since load(); without exchange, of
  /// unknown arrival.
  [[nodiscard]] std::vector<EdgeSample> samples(transport::Channel channel) const;

 private:
  void start();
  void begin_exchange();
  transport::Channel tell_arrivals(transport::Channel from);
  [[nodiscard]] bool told_by_all() const;
  [[nodiscard]] std::size_t own_times(transport::Channel channel) const {
    return (channels_.size() + channel) * EdgeSamples::kBytes;
  }
  [[nodiscard]] std::uint32_t chunks_of(const std::vector<std::uint32_t>& ops) const;
  bool take_events();
  void take(const transport::Event& event);
  void take_notification(transport::Channel number, const Notification& notification);
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
  [[nodiscard]] bool copied_on_post(const PlannedOp& op) const;
  [[nodiscard]] std::uint32_t leading_chunks(const std::vector<std::uint32_t>& ops,
                                             Cursor& after) const;
  [[nodiscard]] bool can_preauthorize(transport::Channel channel) const;
  void copy(std::byte* to, const std::byte* from, std::size_t bytes);
  void see_arrivals();
  void end_work(const Work& work);
  bool take_works();
  [[nodiscard]] Turn done();
  void settle(const Work& work);
  void settle(std::uint32_t op, std::size_t elements);
  void count_ops_of_rails();
  void finish(const PlannedOp& op);
  [[nodiscard]] bool ready(const PlannedOp& op, std::size_t elements) const;
  [[nodiscard]] std::size_t chunk(const PlannedOp& op, std::size_t at) const;
  [[nodiscard]] std::size_t slot_offset(transport::Channel ours, transport::Channel theirs,
                                        std::uint32_t chunk) const;
  [[nodiscard]] std::size_t offset(const PlannedOp& op, std::size_t place) const;
  [[nodiscard]] const transport::Region& region(Buffer buffer) const {
    return regions_[static_cast<std::size_t>(buffer)];
  }
  [[nodiscard]] std::string fault();
  [[nodiscard]] Outcome exchange_ended(Ending ending, const std::string& why) const;
  [[nodiscard]] Outcome ended(Ending ending, std::string why) const;

  transport::Transport& transport_;
  std::size_t chunk_bytes_;
  std::size_t channel_bytes_;       // of landing slots for each channel
  std::size_t chunk_elements_ = 0;  // this and the next two depend on the plan
  std::size_t slot_bytes_;
  std::uint32_t window_;           // chunks in flight on a channel while the last lands in a slot
  std::uint32_t straight_window_;  // while it does not
  Offload* offload_;
  WorksUnderWay works_;  // handed over to it, in order
  transport::Region landing_;
  transport::Region arrival_times_;  // [channel] of peers, then [channel] of ours
  EdgeSamples samples_;
  std::uint64_t exchanges_ = 0;
  Plan plan_;
  std::vector<ChannelProgress> channels_;
  std::vector<bool> preauthorized_;   // [channel] see above
  std::uint32_t run_ = 0;             // counts every run and every plan, alike on all ranks
  std::vector<std::size_t> settled_;  // [op] elements, from its beginning, that later ops may use
  std::vector<std::uint64_t> last_write_;  // [op] the number of a finished send's last write
  std::size_t unsettled_ops_ = 0;
  std::vector<unsigned> rails_;            // [channel]
  std::vector<std::size_t> ops_of_rails_;  // [rail] that move data over it
  std::vector<std::size_t> unsettled_of_rails_;
  std::vector<std::chrono::nanoseconds> rail_times_;
  std::chrono::steady_clock::time_point begin_;  // of the run
  Cursor copy_;
  std::vector<transport::Channel> from_farthest_;  // all channels, those of the next rank last
  std::vector<transport::Channel> to_look_at_;  // channels that may be able to proceed, each once
  std::vector<bool> listed_;                    // [channel] whether it is among them
  std::array<transport::Event, 32> events_;     // of the last poll
  transport::Event failure_;
  std::array<transport::Region, kBuffers> regions_;
  const reduce::Reduction* reduction_ = nullptr;  // of the run
  bool yields_;
  bool first_of_plan_ = true;
  bool failed_ = false;
  bool in_place_ = false;
  bool may_copy_ = false;  // in the next turn
  bool unseen_ = false;    // peers have written where the offload works, and it has not been told
};

}  // namespace railgauge::executor
