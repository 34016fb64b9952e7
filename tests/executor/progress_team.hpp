#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "executor/progress_threads.hpp"
#include "executor/rank_transports.hpp"
#include "schedule/algorithms.hpp"
#include "transport/in_process.hpp"

namespace railgauge::executor {

// Ranks with several progress threads each, for tests over any wire.

using schedule::Collective;

inline constexpr ExecutorSettings kSettings{128, 2};
inline constexpr float kUntouched = -7;

/// The wire of each share, of one rank.
using Connect = std::function<std::unique_ptr<transport::Transport>(
    unsigned share, transport::Exchange& exchange, std::span<const transport::ChannelRequest>)>;

/// Each rank on a thread of its own; they tell each other things over `fabric`.
inline void run_ranks(transport::InProcessFabric& fabric, Rank ranks,
                      const std::function<void(transport::Exchange&)>& body) {
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] { body(*fabric.exchange(rank)); });
  }
  for (std::thread& thread : threads) thread.join();
}

inline std::vector<reduce::Reduction> reductions_for(unsigned threads,
                                                     const schedule::Schedule& schedule) {
  const auto op =
      schedule.collective == Collective::barrier ? reduce::Operator::max : reduce::Operator::sum;
  return {threads, reduce::reduction(reduce::ElementType::float32, op, schedule.ranks)};
}

inline Layout layout_of(const schedule::Schedule& schedule, std::size_t count) {
  switch (schedule.collective) {
    case Collective::all_reduce:
    case Collective::reduce:
    case Collective::broadcast: return Layout::whole(count, schedule.blocks);
    default: return Layout::each(count, schedule.blocks);
  }
}

/// One rank, with its progress threads and its memory.
class Member {
 public:
  Member(const Connect& connect, unsigned threads, transport::Exchange& exchange,
         const schedule::Schedule& schedule, const Stripes& stripes, std::size_t largest)
      : exchange_(exchange),
        schedule_(schedule),
        transports_(connected(connect, threads, exchange, schedule, stripes)),
        threads_(transports_.views(), stripes.rails, kSettings),
        stripes_(stripes),
        reductions_(reductions_for(threads, schedule)) {
    const Layout layout = layout_of(schedule, largest);
    const std::size_t bytes = layout.elements() * sizeof(float);
    regions_.output = threads_.allocate(bytes);
    regions_.input = threads_.allocate(bytes);
    regions_.scratch = threads_.allocate(scratch_bytes(schedule, layout, sizeof(float)));
  }

  ProgressThreads& threads() { return threads_; }

  void load(std::size_t count) {
    layout_ = layout_of(schedule_, count);
    threads_.load(
        schedule_, exchange_.rank(), [this](Rank) { return layout_; }, sizeof(float), stripes_);
  }

  void fill(int run) {
    for (std::size_t i = 0; i < layout_.elements(); ++i) {
      output()[i] = kUntouched;
      input()[i] =
          static_cast<float>((i * 7 + exchange_.rank() * 13 + static_cast<std::size_t>(run)) % 97);
    }
  }

  Outcome run(const RunLimits& limits = {std::chrono::steady_clock::now() +
                                         std::chrono::seconds(60)}) {
    return threads_.run(reductions_, regions_, limits);
  }

  void tell_times() {
    const Outcome outcome =
        threads_.exchange_samples({std::chrono::steady_clock::now() + std::chrono::seconds(60)});
    EXPECT_EQ(outcome.ending, Ending::done) << outcome.report();
  }

  [[nodiscard]] std::vector<float> result() const {
    return {output(), output() + layout_.elements()};
  }
  void meet() { exchange_.all_gather({}); }

 private:
  static RankTransports connected(const Connect& connect, unsigned threads,
                                  transport::Exchange& exchange, const schedule::Schedule& schedule,
                                  const Stripes& stripes) {
    RankTransports transports;
    for (unsigned share = 0; share < threads; ++share) {
      const Stripes part = RailShare{share, threads}.part_of(stripes);
      transports.add(connect(share, exchange, channels_of(schedule, exchange.rank(), part)));
    }
    return transports;
  }

  [[nodiscard]] float* output() const { return reinterpret_cast<float*>(regions_.output.data); }
  [[nodiscard]] float* input() const { return reinterpret_cast<float*>(regions_.input.data); }

  transport::Exchange& exchange_;
  const schedule::Schedule& schedule_;
  RankTransports transports_;
  ProgressThreads threads_;
  Stripes stripes_;
  std::vector<reduce::Reduction> reductions_;
  Regions regions_;
  Layout layout_ = Layout::whole(0, 1);
};

using Results = std::vector<std::vector<float>>;  // [rank] all sizes and runs, one after the other

/// Every size several times in a row, so that what a run leaves behind shows, and then, as in a
/// benchmark, the times of its chunks: also those of threads that had nothing to do in it.
inline std::vector<float> results_of_rank(Member& member, const std::vector<std::size_t>& counts) {
  std::vector<float> results;
  for (const std::size_t count : counts) {
    member.load(count);
    for (int run = 0; run < 2; ++run) {
      member.fill(run);
      member.meet();
      const Outcome outcome = member.run();
      EXPECT_EQ(outcome.ending, Ending::done) << outcome.report();
      const std::vector<float> result = member.result();
      results.insert(results.end(), result.begin(), result.end());
      member.meet();  // nobody goes on while a peer may still send to it
    }
    member.tell_times();
  }
  member.meet();
  return results;
}

inline Results results_of(const Connect& connect, transport::InProcessFabric& fabric,
                          unsigned threads, const schedule::Schedule& schedule,
                          const Stripes& stripes, const std::vector<std::size_t>& counts) {
  Results results(schedule.ranks);
  run_ranks(fabric, schedule.ranks, [&](transport::Exchange& exchange) {
    Member member(connect, threads, exchange, schedule, stripes, std::ranges::max(counts));
    results[exchange.rank()] = results_of_rank(member, counts);
  });
  return results;
}

}  // namespace railgauge::executor
