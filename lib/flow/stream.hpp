#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "measure/histogram.hpp"

#include "flow/nic.hpp"
#include "flow/plan.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::flow {

/// What came of one direction of a test, as its sender saw it.
struct Figures {
  std::string reason{};  ///< why it did not come to its end, a sentence; empty: it did
  /// Of a direction that fails because of their size: payload of the largest packets that pass, and
  /// of those that do not; else 0.
  std::uint32_t passed_packet_bytes = 0;
  std::uint32_t lost_packet_bytes = 0;
  std::uint64_t messages = 0;  ///< acknowledged, and in time; of latencies without those to warm up
  std::uint64_t bytes = 0;     ///< of them
  double seconds = 0;          ///< from the first post to the last acknowledgement
  double cpu_share = 1;        ///< of that, in which the thread of the sender ran
  /// Of bandwidth, from the post of a message to its acknowledgement, behind others before them;
  /// else the latency. Mode::connect: of its pings; what else there is, is of its messages. Of
  /// those that one completion acknowledged each has the time of the last, which was behind most
  /// others.
  measure::Histogram times{};

  /// 1e9 bytes; 0 if nothing was acknowledged.
  [[nodiscard]] double gigabytes_per_second() const {
    constexpr double kBytesPerGigabyte = 1e9;
    return seconds > 0 ? static_cast<double>(bytes) / kBytesPerGigabyte / seconds : 0;
  }
};

using Clock = std::chrono::steady_clock;

/// One direction of a bandwidth test, at its sender: writes of one size over all queue pairs, each
/// with a window of its own. The window opens by one with every acknowledgement, so that a very
/// slow link is not given more than it carries in time. What there is room for is posted at once.
/// Where messages take less than kShort each, one of kSignalEvery asks for a completion, at most a
/// quarter of the window; of a plan with a rate each does, since each is timed from when it was
/// due. Nothing waits or throws; what posts returns 0 or an errno value.
class Stream {
 public:
  /// With 64 KiB: above 26 Gb/s. What comes more seldom costs too little to lump it together.
  static constexpr std::chrono::microseconds kShort{20};
  static constexpr std::uint64_t kSignalEvery = 8;

  /// All of them have to outlive it. Completions of queue pair q have the id `first_id` + q.
  Stream(const Plan& plan, Nic& nic, std::span<verbs::QueuePair> pairs,
         const verbs::RemoteSlice& there, std::uint64_t first_id);

  int begin();
  /// A completion of that queue pair has acknowledged what was posted up to it.
  void acknowledged(std::size_t pair, Clock::time_point now);
  /// Posts what there is room for since, and what has become due. To be called after all of the
  /// completions of a poll, and all the time if the plan has a rate.
  int look(Clock::time_point now);
  [[nodiscard]] bool begun() const { return posted_all_ > 0; }
  /// It has posted all there is to post, and all was acknowledged.
  [[nodiscard]] bool done() const { return done_all_ > 0 && done_all_ == posted_all_ && !posts(); }
  [[nodiscard]] const Figures& figures() const { return figures_; }

 private:
  /// What one completion acknowledges.
  struct Signal {
    Clock::time_point posted_at{};  // the last of them
    std::uint64_t messages = 0;
  };
  struct Window {
    std::uint64_t posted = 0;
    std::uint64_t done = 0;
    std::uint64_t signals = 0;                  // asked for
    std::uint64_t completions = 0;              // of them
    std::array<Signal, kMostWindow> waiting{};  // by number of the signal, modulo

    [[nodiscard]] std::uint64_t room(std::uint64_t most) const {
      return std::min(most, 1 + done) - (posted - done);
    }
  };

  [[nodiscard]] bool posts() const;
  [[nodiscard]] bool has_rate() const { return plan_.gigabytes_per_second > 0; }
  /// When the next message is due.
  [[nodiscard]] Clock::time_point due() const;
  [[nodiscard]] std::uint64_t signal_every() const;
  int fill();
  int fill(std::size_t pair);

  const Plan& plan_;
  Nic& nic_;
  std::span<verbs::QueuePair> pairs_;
  verbs::RemoteSlice there_;
  std::uint64_t first_id_;
  std::vector<Window> windows_;
  Clock::time_point began_{};
  Clock::time_point now_{};
  bool has_room_ = false;  // since something was acknowledged
  std::uint64_t posted_all_ = 0;
  std::uint64_t done_all_ = 0;
  Figures figures_{};
};

}  // namespace railgauge::flow
