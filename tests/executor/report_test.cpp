#include "executor/report.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "executor/executor.hpp"
#include "executor/null_transport.hpp"
#include "schedule/algorithms.hpp"
#include "transport/wire.hpp"

namespace railgauge::executor {
namespace {

/// The peer and the rail by which rank `rank` gets each element of its output; rail 9 for none.
std::vector<transport::ChannelRequest> deliveries(const Schedule& schedule, Rank rank,
                                                  const Layout& layout, const Stripes& stripes) {
  const auto channels = channels_of(schedule, rank, stripes);
  const Plan plan = make_plan(schedule, rank, layout, 4, stripes, channels);
  std::vector<transport::ChannelRequest> by;
  for (std::size_t i = 0; i < layout.elements(); ++i) {
    const auto channel = delivered_by(plan, i);
    by.push_back(channel ? channels[*channel] : transport::ChannelRequest{0, 9});
  }
  return by;
}

TEST(Delivery, InARingIsByTheRankBefore) {
  for (const auto& by :
       deliveries(schedule::ring_all_reduce(3), 1, Layout::whole(30, 3), Stripes{})) {
    EXPECT_EQ(by, (transport::ChannelRequest{0, 0}));
  }
}

TEST(Delivery, OfStripesIsByTheirRails) {
  const auto by = deliveries(schedule::ring_all_reduce(2), 0, Layout::whole(40, 2), {2, 1, 0});
  for (std::size_t i = 0; i < by.size(); ++i) {
    EXPECT_EQ(by[i], (transport::ChannelRequest{1, i < 20 ? 0U : 1U})) << i;
  }
}

/// As which block each element of the output is carried.
std::vector<schedule::Block> carried(const Schedule& schedule, const Layout& layout,
                                     const Stripes& stripes) {
  const auto channels = channels_of(schedule, 0, stripes);
  const Plan plan = make_plan(schedule, 0, layout, 4, stripes, channels);
  std::vector<schedule::Block> blocks;
  for (std::size_t i = 0; i < layout.elements(); ++i)
    blocks.push_back(carried_as(plan, schedule.blocks, i).value_or(9));
  EXPECT_FALSE(carried_as(plan, schedule.blocks, layout.elements()));
  return blocks;
}

TEST(CarriedAs, AVectorsStripesHaveBlocksOfTheirOwn) {
  EXPECT_EQ(carried(schedule::ring_all_reduce(3), Layout::whole(12, 3), {2, 1, 0}),
            (std::vector<schedule::Block>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
}

TEST(CarriedAs, BlocksOfRanksAreCutIntoStripes) {
  EXPECT_EQ(carried(schedule::ring_all_gather(3), Layout::each(4, 3), {2, 1, 0}),
            (std::vector<schedule::Block>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(Delivery, OfOnesOwnIsByNobody) {
  const auto by = deliveries(schedule::ring_all_gather(3), 1, Layout::each(4, 3), Stripes{});
  for (std::size_t i = 0; i < by.size(); ++i) {
    EXPECT_EQ(by[i].rail, i / 4 == 1 ? 9U : 0U) << i;
  }
}

TEST(Delivery, ByScratchIsNotKnown) {
  const auto bruck =
      schedule::find_algorithm(schedule::Collective::all_to_all, "bruck")->make({4, 0, 1});
  for (const auto& by : deliveries(bruck, 0, Layout::each(4, 4), Stripes{})) EXPECT_EQ(by.rail, 9U);
}

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using transport::InProcessFabric;
using transport::RankContext;

/// One all-reduce of 4 KiB on three ranks after `harm` was done to the fabric.
std::vector<Outcome> outcomes_after(const std::function<void(transport::Wire&)>& harm,
                                    milliseconds limit, const std::function<bool()>& stop) {
  std::vector<Outcome> outcomes(3);
  transport::run_ranks(3, [&](RankContext& context) {
    const schedule::Schedule schedule = schedule::ring_all_reduce(3);
    const auto wire =
        context.wire.join(context.exchange, channels_of(schedule, context.rank, Stripes{}));
    Executor executor(*wire, {});
    const auto region = wire->allocate(1024 * sizeof(float));
    executor.load(
        make_plan(schedule, context.rank, Layout::whole(1024, 3), 4, {}, wire->channels()));
    if (context.rank == 0) harm(context.wire);
    context.exchange.all_gather({});
    outcomes[context.rank] =
        executor.run(reduce::reduction(reduce::ElementType::float32, reduce::Operator::sum, 3),
                     {region, region, {}}, {steady_clock::now() + limit, stop});
    context.exchange.all_gather({});
  });
  return outcomes;
}

TEST(SeveredWire, EndsAtTheDeadlineAndSaysWhatEveryRankWaitsFor) {
  const auto outcomes = outcomes_after([](transport::Wire& wire) { wire.sever(1, 2); },
                                       milliseconds(200), [] { return false; });
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.ending, Ending::deadline);
  EXPECT_NE(outcomes[2].report().find("waits for step 1 of 4 (ring, block 0, 0 of 1364 bytes) from "
                                      "rank 2 to rank 1 on rail 0"),
            std::string::npos)
      << outcomes[2].report();
}

TEST(SeveredWire, EndsAtOnceWhenTheTransportFails) {
  const auto begin = steady_clock::now();
  const auto others_stop = [&] { return steady_clock::now() > begin + milliseconds(500); };
  const auto outcomes = outcomes_after([](transport::Wire& wire) { wire.fail(1, 2); },
                                       milliseconds(60'000), others_stop);
  EXPECT_EQ(outcomes[1].ending, Ending::failed);
  EXPECT_EQ(outcomes[1].report().find("the wire was cut (rank 1 to rank 2 on rail 0"), 0U)
      << outcomes[1].report();
  EXPECT_EQ(outcomes[2].ending, Ending::stopped);
}

constexpr Stripes kTwoRails{2, 1, 0};

/// Its second channel fails some polls after the first.
class TwoFailures final : public transport::NullTransport {
 public:
  TwoFailures() : NullTransport(2, channels_of(schedule::ring_all_reduce(2), 0, kTwoRails)) {}
  [[nodiscard]] std::size_t poll(std::span<transport::Event> events) noexcept override {
    ++polls_;
    if (polls_ != 1 && polls_ != kSecond) return 0;
    events[0] = {transport::Event::Kind::failed, polls_ == 1 ? 0U : 1U, 0};
    return 1;
  }
  [[nodiscard]] bool in_flight() const noexcept override { return polls_ < kSecond; }
  [[nodiscard]] std::vector<finding::Finding> faults() const override {
    return std::vector<finding::Finding>(polls_ < kSecond ? 1 : 2);
  }

 private:
  static constexpr int kSecond = 5;
  int polls_ = 0;
};

TEST(Executor, ReportsEveryChannelThatFailsOnceNothingIsInFlight) {
  TwoFailures wire;
  Executor executor(wire, {});
  const auto region = wire.allocate(1024 * sizeof(float));
  executor.load(make_plan(schedule::ring_all_reduce(2), 0, Layout::whole(1024, 2), 4, kTwoRails,
                          wire.channels()));
  const auto outcome = executor.run(
      reduce::reduction(reduce::ElementType::float32, reduce::Operator::sum, 2),
      {region, region, {}}, {steady_clock::now() + milliseconds(60'000), [] { return false; }});
  EXPECT_EQ(outcome.ending, Ending::failed);
  EXPECT_EQ(outcome.faults.size(), 2U);
}

TEST(SeveredWire, StopsWhenTold) {
  const auto begin = steady_clock::now();
  const auto outcomes =
      outcomes_after([](transport::Wire& wire) { wire.sever(1, 2); }, milliseconds(60'000),
                     [&] { return steady_clock::now() > begin + milliseconds(100); });
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.ending, Ending::stopped);
}

}  // namespace
}  // namespace railgauge::executor
