#include "executor/delivery.hpp"

#include <gtest/gtest.h>

#include "schedule/algorithms.hpp"

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

}  // namespace
}  // namespace railgauge::executor
