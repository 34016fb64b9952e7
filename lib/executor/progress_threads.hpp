#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "executor/executor.hpp"

namespace railgauge::executor {

/// One rank's runs by several progress threads: each drives its share of the rails, with a
/// transport and an executor of its own. A stripe is carried by one of them from beginning to end,
/// and no stripe waits for another, so in a run they have nothing to tell each other: they share
/// the buffers, of which each writes what is its own, and no lock. All ranks have as many threads.
///
/// The calling thread drives the first share. The others spin for some microseconds after a run and
/// then sleep; data too small for a second stripe leave them asleep, and cost what they cost with
/// one thread. With one share there is no thread but the caller's, and nothing is added to what an
/// executor does.
///
/// What ends one share's run badly ends all. Channels are numbered over all shares, and rails are
/// those of all. Allocates in the constructor and in load(), not in run().
class ProgressThreads {
 public:
  /// Collective. The i-th transport has the channels of share i of `rails`, at most one share a
  /// rail, and outlives this. `settle` is called on each thread but the caller's, with the number
  /// of its share, before the constructor returns: to bind it. It must not throw. `offloads`: none,
  /// or one for each share, in place of the settings' one.
  ProgressThreads(const std::vector<transport::Transport*>& transports, unsigned rails,
                  const ExecutorSettings& settings,
                  const std::function<void(unsigned)>& settle = {},
                  const std::vector<Offload*>& offloads = {});
  /// Stops and joins the threads.
  ~ProgressThreads();
  ProgressThreads(const ProgressThreads&) = delete;
  ProgressThreads& operator=(const ProgressThreads&) = delete;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(shares_.size()); }

  /// Collective: memory that all transports have registered, each as the same region.
  transport::Region allocate(std::size_t bytes);
  /// Collective: the same of a device's, which the caller has allocated.
  transport::Region share_device(const transport::DeviceMemory& memory);

  /// Collective, as Executor::load(): the plan of each share. `stripes` are those of the
  /// constructor, but for the peers to which fewer rails lead.
  void load(const Schedule& schedule, Rank rank, const std::function<Layout(Rank)>& layout_of,
            std::size_t element_bytes, const Stripes& stripes);

  /// Collective, as Executor::run(), by as many threads as have a stripe. `reductions`: one for
  /// each, which may differ in the threads that help. `limits.stop` is called on this thread only.
  /// The rank waited for as long as the thread that was busy longest did, and was descheduled as
  /// long as the one that was longest; it slept as long as this one did.
  [[nodiscard]] Outcome run(std::span<const reduce::Reduction> reductions, const Regions& regions,
                            const RunLimits& limits);
  /// [rail] As Executor::rail_times().
  [[nodiscard]] std::span<const std::chrono::nanoseconds> rail_times();

  /// As those of the executor.
  [[nodiscard]] Outcome exchange_samples(const RunLimits& limits);
  [[nodiscard]] std::span<const transport::ChannelRequest> channels() const { return channels_; }
  [[nodiscard]] Traffic traffic(transport::Channel channel) const;
  [[nodiscard]] std::vector<EdgeSample> samples(transport::Channel channel) const;
  [[nodiscard]] std::string describe(transport::Channel channel) const;

  /// As in report.hpp.
  [[nodiscard]] std::optional<transport::Channel> delivered_by(std::size_t element) const;
  [[nodiscard]] std::optional<schedule::Block> carried_as(schedule::Block blocks,
                                                          std::size_t element) const;

 private:
  /// What one thread drives. The thread writes it during a run, this one between runs.
  struct alignas(64) Share {
    Share(RailShare of_rails, transport::Transport& over, const ExecutorSettings& settings)
        : rails(of_rails), transport(over), executor(over, settings) {}

    RailShare rails;
    transport::Transport& transport;
    Executor executor;
    Outcome outcome{};
    std::chrono::nanoseconds busy{0};  // in the last run, not waiting
    transport::Channel first_channel = 0;
    std::atomic<std::uint32_t> runs{0};  // handed to its thread; publishes what the run is about
    std::thread thread{};                // of all but the first
  };
  /// Where a channel is.
  struct Place {
    const Share& share;
    transport::Channel channel;
  };

  void start(Share& share, const std::function<void(unsigned)>& settle);
  void await_settled();
  void stop();
  void work(Share& share) noexcept;
  void run_share(Share& share, const RunLimits& limits);
  [[nodiscard]] bool has_work(const Share& share) const;
  void hand_out();
  std::chrono::nanoseconds await_others();
  void end_all(unsigned cause);
  [[nodiscard]] Outcome merged(std::chrono::nanoseconds elapsed) const;
  [[nodiscard]] Place place_of(transport::Channel channel) const;

  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  std::vector<std::unique_ptr<Share>> shares_;
  std::vector<transport::ChannelRequest> channels_;
  std::vector<std::chrono::nanoseconds> rail_times_;
  // Of the run; read by all, written between runs.
  std::span<const reduce::Reduction> reductions_;
  Regions regions_;
  const RunLimits* limits_ = nullptr;
  bool leave_ = false;
  std::atomic<std::uint32_t> at_work_{0};      // threads, but this one
  std::atomic<std::uint32_t> cause_{kNobody};  // the share that ended badly first
};

}  // namespace railgauge::executor
