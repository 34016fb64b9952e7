#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/transport.hpp"

namespace railgauge::executor {

/// One chunk that was timed on its way to a peer. Times are of CLOCK_MONOTONIC: `arrived` is the
/// peer's, of another clock if the peer is on another host.
struct EdgeSample {
  using Time = std::chrono::steady_clock::time_point;
  Time posted{};     // here
  Time arrived{};    // there, when the peer polled its notification; epoch: not known
  Time completed{};  // here, when its completion was polled; epoch: not known
  std::uint32_t bytes = 0;
};

/// When single chunks of every channel were posted, arrived and were acknowledged: what tells a
/// slow connection from the many that wait for it. One chunk of each channel in each direction is
/// timed in a run; beyond kMost runs, in every second, every fourth, ..., so that few times stand
/// for many runs. Both ends choose alike which chunk that is, without a word about it.
///
/// Costs per channel and run: three readings of the clock, and a completion that small chunks would
/// not have asked for. Nothing allocates but prepare().
class EdgeSamples {
 public:
  static constexpr std::uint32_t kMost = 64;                           // runs
  static constexpr std::size_t kBytes = kMost * sizeof(std::int64_t);  // of arrivals()

  explicit EdgeSamples(std::size_t channels);

  /// How many chunks a run sends and receives on a channel, from the next restart() on.
  void prepare(transport::Channel channel, std::uint32_t sends, std::uint32_t arrivals);
  /// The next run is the first of those to be timed. Forgets all samples. Alike on all ranks.
  void restart();
  void begin_run();

  /// Whether the chunk that is sent next, after `sent` others of this run, is timed.
  [[nodiscard]] bool wants(transport::Channel channel, std::uint32_t sent) const {
    return channels_[channel].send_at == sent;
  }
  /// It has been posted as the `write`-th write of the channel.
  void posted(transport::Channel channel, std::uint64_t write, std::uint32_t bytes);
  /// So many writes of the channel are complete.
  void completed(transport::Channel channel, std::uint64_t writes) {
    if (channels_[channel].pending != 0 && writes >= channels_[channel].pending) complete(channel);
  }
  /// A chunk has arrived, after `before` others of this run.
  void arrived(transport::Channel channel, std::uint32_t before) {
    if (channels_[channel].arrive_at == before) arrive(channel, slot_);
  }
  /// The same of the run that comes next here.
  void arrived_early(transport::Channel channel, std::uint32_t before) {
    if (channels_[channel].early_at == before) arrive(channel, early_slot_);
  }

  /// [slot] Nanoseconds since the epoch of the clock; 0: none.
  [[nodiscard]] std::span<const std::int64_t> arrivals(transport::Channel channel) const;
  /// Samples of what was sent on the channel, with what the peer's arrivals() were. Allocates.
  [[nodiscard]] std::vector<EdgeSample> of(transport::Channel channel,
                                           std::span<const std::int64_t> arrivals) const;

 private:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};

  struct Progress {
    std::uint32_t sends = 0;
    std::uint32_t arrives = 0;
    std::uint32_t send_at = kNever;    // of this run
    std::uint32_t arrive_at = kNever;  // the same
    std::uint32_t early_at = kNever;   // of the next run
    std::uint32_t pending_slot = 0;
    std::uint64_t pending = 0;  // the number of the write that is awaited; 0: none
  };

  [[nodiscard]] static std::uint32_t slot_of(std::uint32_t run, std::uint32_t stride);
  [[nodiscard]] static std::uint32_t chosen(std::uint32_t run, std::uint32_t chunks);
  void thin_out();
  void complete(transport::Channel channel);
  void arrive(transport::Channel channel, std::uint32_t slot);

  std::vector<Progress> channels_;
  std::vector<EdgeSample> sent_;       // [channel][slot]
  std::vector<std::int64_t> arrived_;  // [channel][slot]
  std::uint32_t run_ = kNever;         // since restart()
  std::uint32_t stride_ = 1;
  std::uint32_t slot_ = kNever;        // of this run; kNever: it is not timed
  std::uint32_t early_slot_ = kNever;  // of the next
};

}  // namespace railgauge::executor
