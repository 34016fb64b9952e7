#include "executor/progress_threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "executor/null_transport.hpp"
#include "executor/progress_team.hpp"

namespace railgauge::executor {
namespace {

using transport::InProcessFabric;

/// In-process wires, one for each share.
class Team {
 public:
  Team(Rank ranks, unsigned threads) : ranks_(ranks) {
    for (unsigned share = 0; share < threads; ++share) {
      fabrics_.push_back(std::make_unique<InProcessFabric>(ranks));
    }
  }

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(fabrics_.size()); }
  InProcessFabric& wire(unsigned share) { return *fabrics_[share]; }
  Connect connect() {
    return [this](unsigned share, transport::Exchange& exchange,
                  std::span<const transport::ChannelRequest> channels) {
      return wire(share).join(exchange, channels);
    };
  }
  void run(const std::function<void(transport::Exchange&)>& body) {
    run_ranks(wire(0), ranks_, body);
  }

 private:
  Rank ranks_;
  std::vector<std::unique_ptr<InProcessFabric>> fabrics_;
};

Results results_of(const schedule::Schedule& schedule, const Stripes& stripes, unsigned threads,
                   const std::vector<std::size_t>& counts) {
  Team team(schedule.ranks, threads);
  return results_of(team.connect(), team.wire(0), threads, schedule, stripes, counts);
}

std::vector<std::size_t> counts_for(const schedule::Schedule& schedule) {
  if (schedule.collective == Collective::barrier) return {1};
  const std::size_t n = schedule.ranks;
  if (layout_of(schedule, 1).elements() == 1) return {0, 1, n - 1, n, n + 1, 1000};
  return {0, 1, 33, 200};
}

class ProgressThreadsOnRanks : public testing::TestWithParam<Rank> {};

/// The stripes are the same, whoever carries them: so is every bit of the result.
TEST_P(ProgressThreadsOnRanks, DoWhatOneDoes) {
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) {
    const schedule::Schedule schedule = algorithm.make({GetParam(), GetParam() / 2, 1});
    for (unsigned rails = GetParam() < 5 ? 2 : 3; rails <= 3; ++rails) {
      const Stripes stripes{rails, rails == 2 ? 2U : 1U, 0};
      const Results wanted = results_of(schedule, stripes, 1, counts_for(schedule));
      for (unsigned threads = 2; threads <= rails; ++threads) {
        EXPECT_EQ(results_of(schedule, stripes, threads, counts_for(schedule)), wanted)
            << schedule.name << " " << schedule::name(schedule.collective) << ", " << rails
            << " rails, " << threads << " threads";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ProgressThreadsOnRanks, testing::Values(1, 2, 3, 5, 8));

TEST(ProgressThreads, ReduceRight) {
  for (const unsigned threads : {1U, 2U, 3U}) {
    const schedule::Schedule schedule = schedule::ring_all_reduce(3);
    const Results results = results_of(schedule, {3, 1, 0}, threads, {1000});
    for (const std::vector<float>& result : results) {
      for (std::size_t i = 0; i < 1000; ++i) {
        float sum = 0;
        for (std::size_t rank = 0; rank < 3; ++rank) {
          sum += static_cast<float>((i * 7 + rank * 13) % 97);
        }
        ASSERT_EQ(result[i], sum) << i;
      }
    }
  }
}

/// Data for one stripe are the caller's: the others have nothing to do, and are not asked.
TEST(ProgressThreads, TakeTurnsWithOneStripeAndSeveral) {
  const schedule::Schedule schedule = schedule::ring_all_reduce(2);
  const Stripes stripes{2, 2, 16};
  const std::vector<std::size_t> counts{1, 1000, 2, 500, 1};
  EXPECT_EQ(results_of(schedule, stripes, 2, counts), results_of(schedule, stripes, 1, counts));
}

/// How many samples each thread has on all its channels; `threads` as in RailShare.
std::vector<std::size_t> samples_of_threads(const ProgressThreads& all) {
  std::vector<std::size_t> samples(all.threads());
  for (transport::Channel channel = 0; channel < all.channels().size(); ++channel) {
    samples[all.channels()[channel].rail % all.threads()] += all.samples(channel).size();
  }
  return samples;
}

/// A thread that has no stripe does not run its plan, but ranks tell each other times on its
/// channels as well, where completions of the plan before may still come in.
TEST(ProgressThreads, TellTimesOfAPlanThatTheyDidNotRun) {
  for (const schedule::Algorithm& algorithm : schedule::algorithms()) {
    const schedule::Schedule schedule = algorithm.make({5, 0, 1});
    if (schedule.collective == Collective::barrier) continue;
    const Stripes stripes{2, 1, 64};
    Team team(schedule.ranks, 2);
    team.run([&](transport::Exchange& exchange) {
      Member member(team.connect(), team.threads(), exchange, schedule, stripes, 100);
      for (int turn = 0; turn < 3; ++turn) {
        for (const std::size_t count : {100, 1}) {
          member.load(count);
          member.fill(turn);
          member.meet();
          const Outcome outcome = member.run();
          EXPECT_EQ(outcome.ending, Ending::done) << outcome.report();
          member.meet();
          // In every other turn not between the sizes, so that what the large one left is there.
          if (count > 1 && turn % 2 == 0) continue;
          member.tell_times();
          const auto samples = samples_of_threads(member.threads());
          EXPECT_EQ(samples[1], count == 1 ? 0 : samples[0]) << schedule.name;
          member.meet();
        }
      }
    });
  }
}

TEST(ProgressThreads, NumberChannelsOverAllRails) {
  const schedule::Schedule schedule = schedule::ring_all_reduce(2);
  const Stripes stripes{3, 2, 0};
  Team team(2, 2);
  team.run([&](transport::Exchange& exchange) {
    Member member(team.connect(), team.threads(), exchange, schedule, stripes, 1200);
    member.load(1200);
    member.fill(0);
    member.meet();
    EXPECT_EQ(member.run().ending, Ending::done);
    ProgressThreads& threads = member.threads();
    EXPECT_EQ(threads.channels().size(), channels_of(schedule, exchange.rank(), stripes).size());
    std::vector<std::uint64_t> sent(stripes.rails);
    for (transport::Channel channel = 0; channel < threads.channels().size(); ++channel) {
      sent[threads.channels()[channel].rail] += threads.traffic(channel).bytes;
      EXPECT_NE(threads.describe(channel), "");
    }
    const std::vector<std::uint64_t> even(3, 2 * 600 / 3 * sizeof(float));
    EXPECT_EQ(sent, even);
    EXPECT_EQ(threads.rail_times().size(), stripes.rails);
    for (const auto time : threads.rail_times()) EXPECT_GT(time.count(), 0);
    // Each sixth of the vector is a stripe, and they take turns on the rails.
    std::vector<unsigned> rails;
    for (std::size_t stripe = 0; stripe < stripes.count(); ++stripe) {
      std::set<unsigned> found;
      for (std::size_t at = stripe * 200; at < stripe * 200 + 200; at += 50) {
        const auto channel = threads.delivered_by(at);
        if (channel) found.insert(threads.channels()[*channel].rail);
        EXPECT_TRUE(threads.carried_as(schedule.blocks, at).has_value());
      }
      EXPECT_EQ(found.size(), 1U);
      if (!found.empty()) rails.push_back(*found.begin());
    }
    EXPECT_EQ(rails, (std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
    EXPECT_EQ(threads.carried_as(schedule.blocks, 1200), std::nullopt);
    EXPECT_EQ(threads.delivered_by(1200), std::nullopt);
    member.meet();
  });
}

TEST(ProgressThreads, SettleOnTheirOwnThreadsOnce) {
  const schedule::Schedule schedule = schedule::ring_all_reduce(1);
  const Stripes stripes{3, 1, 0};
  Team team(1, 3);
  team.run([&](transport::Exchange& exchange) {
    std::vector<std::unique_ptr<transport::Transport>> transports;
    for (unsigned i = 0; i < 3; ++i) transports.push_back(team.wire(i).join(exchange, {}));
    std::mutex mutex;
    std::set<std::pair<unsigned, std::thread::id>> settled;
    {
      const ProgressThreads threads({transports[0].get(), transports[1].get(), transports[2].get()},
                                    stripes.rails, kSettings, [&](unsigned share) {
                                      const std::scoped_lock lock(mutex);
                                      settled.emplace(share, std::this_thread::get_id());
                                    });
      EXPECT_EQ(threads.threads(), 3U);
      const std::scoped_lock lock(mutex);
      EXPECT_EQ(settled.size(), 2U) << "they settle before the constructor returns";
    }
    ASSERT_EQ(settled.size(), 2U);
    EXPECT_EQ(settled.begin()->first, 1U);
    EXPECT_EQ(settled.rbegin()->first, 2U);
    EXPECT_NE(settled.begin()->second, settled.rbegin()->second);
  });
}

/// Says when it goes.
class NotedTransport final : public transport::NullTransport {
 public:
  NotedTransport(int number, std::vector<int>& gone)
      : NullTransport(1, {}), number_(number), gone_(gone) {}
  NotedTransport(const NotedTransport&) = delete;
  NotedTransport& operator=(const NotedTransport&) = delete;
  ~NotedTransport() override { gone_.push_back(number_); }

 private:
  int number_;
  std::vector<int>& gone_;
};

/// While one is there, peers can write into memory that is the first's.
TEST(RankTransports, TheFirstGoesLast) {
  std::vector<int> gone;
  {
    RankTransports made;
    for (const int number : {0, 1, 2}) made.add(std::make_unique<NotedTransport>(number, gone));
    const RankTransports kept = std::move(made);
    EXPECT_EQ(kept.size(), 3U);
    EXPECT_EQ(kept.views().size(), 3U);
    EXPECT_EQ(gone, std::vector<int>{});
  }
  EXPECT_EQ(gone, (std::vector<int>{2, 1, 0}));
}

TEST(ProgressThreads, RefuseMoreThanThereAreRails) {
  Team team(1, 2);
  team.run([&](transport::Exchange& exchange) {
    const auto first = team.wire(0).join(exchange, {});
    const auto second = team.wire(1).join(exchange, {});
    EXPECT_THROW(ProgressThreads({first.get(), second.get()}, 1, kSettings), std::invalid_argument);
    EXPECT_THROW(ProgressThreads({}, 1, kSettings), std::invalid_argument);
  });
}

/// One rail fails, the caller's or another thread's: the run of all ends, and says which it was.
TEST(ProgressThreads, EndTogetherWhenARailFails) {
  for (const unsigned failing : {0U, 1U, 2U}) {
    const schedule::Schedule schedule = schedule::ring_all_reduce(2);
    const Stripes stripes{3, 1, 0};
    Team team(2, 3);
    team.run([&](transport::Exchange& exchange) {
      Member member(team.connect(), team.threads(), exchange, schedule, stripes, 30000);
      member.load(30000);
      member.fill(0);
      member.meet();
      if (exchange.rank() == 0) team.wire(failing).fail(0, 1);
      member.meet();
      // The peer is told nothing: it waits until its caller says that another rank has failed.
      std::atomic<int> looks = 0;
      const RunLimits limits{std::chrono::steady_clock::now() + std::chrono::seconds(60),
                             [&] { return exchange.rank() == 1 && ++looks > 3; }};
      const Outcome outcome = member.run(limits);
      if (exchange.rank() == 0) {
        EXPECT_EQ(outcome.ending, Ending::failed);
        EXPECT_EQ(outcome.report().find("the wire was cut"), 0U) << outcome.report();
      } else {
        EXPECT_EQ(outcome.ending, Ending::stopped);
        EXPECT_EQ(outcome.report().find("told to stop\nwaits for "), 0U) << outcome.report();
      }
      member.meet();
    });
  }
}

/// A rail that is silent, whose thread alone still waits, while the caller is done.
TEST(ProgressThreads, EndAtTheDeadlineWithWhatEachWaitsFor) {
  const schedule::Schedule schedule = schedule::ring_all_reduce(2);
  const Stripes stripes{3, 1, 0};
  Team team(2, 3);
  team.wire(1).sever(0, 1);
  team.wire(2).sever(0, 1);
  team.run([&](transport::Exchange& exchange) {
    Member member(team.connect(), team.threads(), exchange, schedule, stripes, 3000);
    member.load(3000);
    member.fill(0);
    member.meet();
    const Outcome outcome = member.run({std::chrono::steady_clock::now()});
    EXPECT_EQ(outcome.ending, Ending::deadline);
    EXPECT_EQ(outcome.report().find("the deadline passed\n"), 0U) << outcome.report();
    const auto lines = std::ranges::count(outcome.report(), '\n');
    EXPECT_GE(lines, 2) << outcome.report();
    member.meet();
  });
}

/// Who waits for other threads only is told to stop all the same, and by its own thread.
TEST(ProgressThreads, StopWhileTheCallerOnlyWaitsForOthers) {
  const schedule::Schedule schedule = schedule::ring_all_reduce(2);
  const Stripes stripes{2, 1, 0};
  Team team(2, 2);
  team.wire(1).sever(0, 1);
  team.wire(1).sever(1, 0);
  team.run([&](transport::Exchange& exchange) {
    Member member(team.connect(), team.threads(), exchange, schedule, stripes, 2000);
    member.load(2000);
    member.fill(0);
    member.meet();
    const auto caller = std::this_thread::get_id();
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    const Outcome outcome =
        member.run({std::chrono::steady_clock::now() + std::chrono::seconds(60), [&] {
                      EXPECT_EQ(std::this_thread::get_id(), caller);
                      return std::chrono::steady_clock::now() > end;
                    }});
    EXPECT_EQ(outcome.ending, Ending::stopped);
    EXPECT_EQ(outcome.report().find("told to stop\nwaits for "), 0U) << outcome.report();
    EXPECT_GT(outcome.waited.count(), 0);
    EXPECT_GT(outcome.slept.count(), 0);
    member.meet();
  });
}

}  // namespace
}  // namespace railgauge::executor
