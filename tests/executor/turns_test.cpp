// Several executors of a rank, driven by one thread in turns.

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "executor/progress_team.hpp"
#include "schedule/groups.hpp"

namespace railgauge::executor {
namespace {

using transport::InProcessFabric;

/// One all-reduce of some ranks: its wire, executor and memory on one of them.
class Reducing {
 public:
  Reducing(InProcessFabric& fabric, transport::Exchange& exchange, Rank rank,
           const std::vector<Rank>& members, std::size_t count)
      : schedule_(
            schedule::among(schedule::ring_all_reduce(static_cast<Rank>(members.size())), members)),
        members_(members),
        count_(count),
        wire_(fabric.join(exchange, channels_of(schedule_, rank, {}))),
        executor_(*wire_, kSettings),
        data_(wire_->allocate(count * sizeof(float))) {
    executor_.load(make_plan(schedule_, rank, Layout::whole(count, schedule_.blocks), sizeof(float),
                             {}, wire_->channels()));
  }

  void begin(float value) {
    std::fill_n(data(), count_, value);
    executor_.begin(reduction_, {data_, data_, {}});
  }
  Executor::Turn take_turn() { return executor_.take_turn(); }
  Outcome ended(Ending ending) { return executor_.ended(ending); }
  [[nodiscard]] bool is_all(float value) const {
    return std::all_of(data(), data() + count_, [&](float one) { return one == value; });
  }

 private:
  [[nodiscard]] float* data() const { return reinterpret_cast<float*>(data_.data); }

  schedule::Schedule schedule_;
  std::vector<Rank> members_;
  std::size_t count_;
  std::unique_ptr<transport::Transport> wire_;
  Executor executor_;
  transport::Region data_;
  reduce::Reduction reduction_ =
      reduce::reduction(reduce::ElementType::float32, reduce::Operator::sum, 8);
};

/// Until both are done, whichever is first.
bool run_both(Reducing& one, Reducing& other) {
  std::array<Reducing*, 2> left{&one, &other};
  while (left[0] != nullptr || left[1] != nullptr) {
    for (Reducing*& reducing : left) {
      if (reducing == nullptr) continue;
      const Executor::Turn turn = reducing->take_turn();
      if (turn == Executor::Turn::failed) return false;
      if (turn == Executor::Turn::idle) std::this_thread::yield();
      if (turn == Executor::Turn::done) reducing = nullptr;
    }
  }
  return true;
}

/// Ranks begin the two in different orders, which a thread that waits in one could not do.
TEST(Turns, OverlapCollectivesOfTwoGroups) {
  const Rank sizes[] = {1, 2, 3, 5, 6, 7, 8, 12, 13};
  for (const Rank ranks : sizes) {
    InProcessFabric of_all(ranks);
    InProcessFabric of_pairs(ranks);
    run_ranks(of_all, ranks, [&](transport::Exchange& exchange) {
      const Rank rank = exchange.rank();
      std::vector<Rank> all(ranks);
      for (Rank other = 0; other < ranks; ++other) all[other] = other;
      std::vector<Rank> pair{rank / 2 * 2};
      if (pair[0] + 1 < ranks) pair.push_back(pair[0] + 1);
      Reducing wide(of_all, exchange, rank, all, 1000);
      const auto paired = of_pairs.exchange(rank);
      Reducing narrow(of_pairs, *paired, rank, pair, 700);
      for (int run = 1; run < 4; ++run) {
        const auto value = static_cast<float>(run);
        if (rank % 2 == 0) {
          wide.begin(value);
          narrow.begin(value);
        } else {
          narrow.begin(value);
          wide.begin(value);
        }
        EXPECT_TRUE(run_both(wide, narrow));
        EXPECT_TRUE(wide.is_all(value * static_cast<float>(ranks))) << ranks;
        EXPECT_TRUE(narrow.is_all(value * static_cast<float>(pair.size()))) << ranks;
      }
      exchange.all_gather({});  // nobody goes while a peer may still send to it
    });
  }
}

TEST(Turns, SayWhatARunWaitsFor) {
  InProcessFabric fabric(2);
  run_ranks(fabric, 2, [&](transport::Exchange& exchange) {
    Reducing reducing(fabric, exchange, exchange.rank(), {0, 1}, 10);
    if (exchange.rank() == 0) {
      reducing.begin(1);
      while (reducing.take_turn() == Executor::Turn::busy) {
      }
      const Outcome outcome = reducing.ended(Ending::deadline);
      EXPECT_EQ(outcome.ending, Ending::deadline);
      EXPECT_NE(outcome.report().find("the deadline passed"), std::string::npos);
      EXPECT_NE(outcome.waits.find("rank 1"), std::string::npos) << outcome.waits;
    }
    exchange.all_gather({});
  });
}

}  // namespace
}  // namespace railgauge::executor
