#include "predict/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "fabric/sizing.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::predict {
namespace {

/// One step: every rank sends all it has to the one `by` ranks further on.
schedule::Schedule shift(schedule::Rank ranks, schedule::Rank by) {
  schedule::Schedule made;
  made.name = "shift";
  made.collective = schedule::Collective::sendrecv;
  made.ranks = ranks;
  made.steps = 1;
  made.cost = {.rounds = 1, .messages = 1, .depth = 1};
  made.rule = [=](schedule::Rank rank, schedule::Step /*step*/, schedule::Ops& ops) {
    ops.push_back({schedule::Action::send, (rank + by) % ranks, {0, 1}});
  };
  return made;
}

/// 8,192 NICs, 64 spines; all flows cross: 64 hosts on are another pod.
Profile shifted(const Routing& routing, double oversubscription = 1) {
  static const auto kSchedule = shift(8192, 512);
  const auto fabric =
      fabric::sized({.hosts = 1024, .oversubscription = oversubscription, .hosts_per_leaf = 64})
          .fabric;
  return profile_of(kSchedule, fabric, {.hosts = 1024}, routing);
}

TEST(Profile, OfAShiftIsThatOfTheClosedForms) {
  const Profile hashed = shifted({.balance = Balance::ecmp});
  EXPECT_NEAR(hashed.aggregate, 0.632, 0.01);  // 1 - 1/e
  EXPECT_NEAR(hashed.step_efficiency(), 0.155, 0.01);
  EXPECT_NEAR(hashed.hash_step, 0.155, 0.001);
  const Profile four = shifted({.balance = Balance::ecmp, .queue_pairs = 4});
  EXPECT_NEAR(four.aggregate, 0.892, 0.01);
  EXPECT_NEAR(four.step_efficiency(), 0.298, 0.01);
  const Profile sprayed = shifted({.balance = Balance::spray});
  EXPECT_DOUBLE_EQ(sprayed.step_efficiency(), 1);
  EXPECT_DOUBLE_EQ(sprayed.aggregate, 1);
}

TEST(Profile, OfTwoSitesIsThatOfTheWan) {
  const auto fabric = fabric::sized({.generator = "multi-site",
                                     .hosts = 64,
                                     .nics = 1,
                                     .hosts_per_leaf = 8,
                                     .wan = {4, 400},
                                     .wan_delay_us = 5000})
                          .fabric;
  const double wan = fabric::real(parts_of(fabric).core_links);
  const auto of = [&](schedule::Rank by) {
    return profile_of(shift(64, by), fabric, {.hosts = 64, .per_host = 1},
                      {.balance = Balance::spray});
  };
  const Profile across = of(32);  // every flow
  EXPECT_NEAR(across.step_efficiency(), wan / 32, 1e-9);
  EXPECT_DOUBLE_EQ(latency_us(across.waits, {}), 5005);
  EXPECT_NE(across.worst.find("link from pod"), std::string::npos) << across.worst;
  const Profile next = of(1);  // one of each site
  EXPECT_DOUBLE_EQ(next.step_efficiency(), 1);
  EXPECT_DOUBLE_EQ(latency_us(next.waits, {}), 5005);
  const auto near = profile_of(shift(32, 1), fabric, {.hosts = 32, .per_host = 1}, {});
  EXPECT_DOUBLE_EQ(latency_us(near.waits, {}), 5);
}

TEST(Profile, OfADragonflyIsThatOfItsGroups) {
  const auto fabric = fabric::sized({.generator = "dragonfly+",
                                     .hosts = 512,
                                     .nics = 1,
                                     .leaf = {16, 400},
                                     .spine = {16, 400}})
                          .fabric;
  const auto of = [&](schedule::Rank by, const Routing& routing) {
    return profile_of(shift(512, by), fabric, {.hosts = 512, .per_host = 1}, routing)
        .step_efficiency();
  };
  // Of the 64 of a group all to the next one, over 8 links.
  EXPECT_NEAR(of(64, {.balance = Balance::spray}), 8.0 / 64, 1e-9);
  EXPECT_DOUBLE_EQ(of(8, {.balance = Balance::spray}), 1);  // one leaf of 8 leaves the group
  EXPECT_NEAR(of(64, {.balance = Balance::spray, .dead_spines = 1}), 7.0 / 64, 1e-9);
  EXPECT_LE(of(64, {.balance = Balance::ecmp}), 8.0 / 64);
}

TEST(Profile, Of63Of64SpinesDependsOnTheBalance) {
  EXPECT_NEAR(shifted({.balance = Balance::spray, .dead_spines = 1}).step_efficiency(), 0.984,
              5e-4);
  const Profile pinned = shifted({.balance = Balance::pinned, .dead_spines = 1});
  EXPECT_DOUBLE_EQ(pinned.step_efficiency(), 0.5);
  EXPECT_NEAR(pinned.aggregate, 0.984, 5e-4);
  EXPECT_DOUBLE_EQ(shifted({.balance = Balance::pinned}).step_efficiency(), 1);
  const Profile hashed = shifted({.balance = Balance::ecmp, .dead_spines = 1});
  EXPECT_NEAR(hashed.step_efficiency(), 0.155, 0.01);
  EXPECT_NEAR(hashed.aggregate, 0.630, 0.01);
}

TEST(Profile, OfAdaptiveLeavesIsEvenOnAShift) {
  EXPECT_DOUBLE_EQ(shifted({.balance = Balance::adaptive}).step_efficiency(), 1);
}

TEST(Profile, PaysForOversubscriptionAsFarAsItCrosses) {
  EXPECT_NEAR(shifted({.balance = Balance::spray}, 2).step_efficiency(), 0.5, 1e-9);
  EXPECT_NEAR(shifted({.balance = Balance::spray}, 4).step_efficiency(), 0.25, 1e-9);
}

TEST(Profile, OfAnOrderedRingDoesNotNoticeTheSpines) {
  const auto fabric =
      fabric::sized({.hosts = 1024, .oversubscription = 4, .hosts_per_leaf = 64}).fabric;
  const auto ring = schedule::hierarchical_all_reduce({8192, 0, 8}, schedule::Along::ring);
  const Profile ordered = profile_of(ring, fabric, {.hosts = 1024}, {.balance = Balance::ecmp});
  EXPECT_DOUBLE_EQ(ordered.step_efficiency(), 1);
  const Profile scattered =
      profile_of(ring, fabric, {.hosts = 1024, .order = Order::random}, {.balance = Balance::ecmp});
  EXPECT_LT(scattered.step_efficiency(), 0.2);
  EXPECT_EQ(ordered.classes, scattered.classes);
  EXPECT_LT(ordered.classes, 20);  // of 2,060 steps
}

TEST(Profile, NamesTheWorstLinkAndWhatItCarries) {
  const Profile pinned = shifted({.balance = Balance::pinned, .dead_spines = 1});
  EXPECT_EQ(pinned.worst,
            "leaf0-0 uplink 1 (to spine1) carries 2 flow(s) in step 0, 2 times what the busiest "
            "NIC or NVLink port needs");
}

TEST(Profile, OfManyMessagesAtOnceIsEvenedOut) {
  const auto fabric = fabric::sized({.hosts = 128, .nics = 1, .leaf = {32, 400}}).fabric;
  const auto pairwise = schedule::pairwise_all_to_all(128);
  const Profile profile =
      profile_of(pairwise, fabric, {.hosts = 128, .per_host = 1}, {.balance = Balance::ecmp});
  EXPECT_NEAR(profile.step_efficiency(), profile.hash_step, 0.03);
  EXPECT_GT(profile.hash_step, 0.6);  // of a single step: 0.2
}

/// What the busiest rank sends or receives, step by step or in all, without classes of steps.
double counted_parts(const schedule::Schedule& schedule, bool overlapped) {
  std::vector<double> sent(schedule.ranks);
  std::vector<double> received(schedule.ranks);
  double sum = 0;
  const auto busiest = [&] {
    return std::max(*std::ranges::max_element(sent), *std::ranges::max_element(received));
  };
  for (schedule::Step step = 0; step < schedule.steps; ++step) {
    for (schedule::Rank rank = 0; rank < schedule.ranks; ++rank) {
      for (const schedule::Op& op : schedule.ops(rank, step)) {
        if (op.action != schedule::Action::send || op.peer == rank) continue;
        sent[rank] += static_cast<double>(op.blocks.count) / schedule.blocks;
        received[op.peer] += static_cast<double>(op.blocks.count) / schedule.blocks;
      }
    }
    if (overlapped) continue;
    sum += busiest();
    std::ranges::fill(sent, 0.0);
    std::ranges::fill(received, 0.0);
  }
  return overlapped ? busiest() : sum;
}

/// More ranks than are sampled to tell steps apart.
TEST(Profile, OfEveryAlgorithmMovesWhatItsOpsSay) {
  constexpr schedule::Rank kRanks = 180;
  const auto fabric = fabric::sized({.hosts = kRanks, .nics = 1}).fabric;
  const double rate = 50'000 * fabric::payload_fraction();
  for (const auto& algorithm : schedule::algorithms()) {
    const auto made = algorithm.make({kRanks, 7, 1});
    const bool overlapped = made.cost.rounds > made.cost.messages || made.cost.depth == 1;
    const Profile profile =
        profile_of(made, fabric, {.hosts = kRanks, .per_host = 1}, {.balance = Balance::spray});
    EXPECT_NEAR(profile.ideal_us_per_byte * rate, counted_parts(made, overlapped), 1e-6)
        << schedule::name(algorithm.collective) << " " << algorithm.name;
  }
}

/// Messages of up to 512 ranges, 2.1 million in a step: those of a few hosts tell the others'.
TEST(Profile, OfManyRangesIsThatOfTheClosedForm) {
  constexpr fabric::Count kHosts = 512;
  const auto* const gather =
      schedule::find_algorithm(schedule::Collective::all_gather, "hierarchical");
  const auto fabric = fabric::sized({.hosts = kHosts, .spine = {1024, 400}}).fabric;
  const Profile profile = profile_of(gather->make({kHosts * 8, 0, 8}), fabric, {.hosts = kHosts},
                                     {.balance = Balance::spray});
  const double nic_us = (kHosts - 1.0) / kHosts / 8 / (50'000 * fabric::payload_fraction());
  EXPECT_NEAR(profile.us_per_byte, nic_us + 7.0 / 8 / 450'000, 1e-9 * nic_us);
}

/// Of two ranks of a host, only the first sends the same on all hosts.
TEST(Profile, OfManyRangesThatDifferCountsEveryMessageOnce) {
  constexpr schedule::Block kRanges = 1U << 18U;
  schedule::Schedule made;
  made.collective = schedule::Collective::sendrecv;
  made.ranks = 8;
  made.blocks = 2 * kRanges;
  made.steps = 1;
  made.cost = {.rounds = 1, .messages = 1, .depth = 1};
  made.rule = [](schedule::Rank rank, schedule::Step, schedule::Ops& ops) {
    const schedule::Rank peer = rank % 2 == 0 ? (rank + 2) % 8 : rank ^ 2U;
    for (schedule::Block i = 0; i < kRanges; ++i)
      ops.push_back({schedule::Action::send, peer, {2 * i, 1}});
  };
  const auto fabric = fabric::sized({.hosts = 4, .nics = 2}).fabric;
  const Profile profile =
      profile_of(made, fabric, {.hosts = 4, .per_host = 2}, {.balance = Balance::spray});
  EXPECT_NEAR(profile.us_per_byte * 50'000 * fabric::payload_fraction(), 0.5, 1e-9);
}

/// log2(p) steps of half of all blocks each, in hundreds of ranges.
TEST(Profile, OfAHypercubeOfManyRangesIsThatOfTheClosedForm) {
  constexpr fabric::Count kRanks = 4096;
  const auto* const cube = schedule::find_algorithm(schedule::Collective::all_to_all, "hypercube");
  const auto fabric = fabric::sized({.hosts = kRanks, .nics = 1, .spine = {512, 400}}).fabric;
  const Ranks ranks{.hosts = kRanks, .per_host = 1};
  const Profile profile =
      profile_of(cube->make({kRanks, 0, 1}), fabric, ranks, {.balance = Balance::spray});
  EXPECT_NEAR(profile.us_per_byte * 50'000 * fabric::payload_fraction(), 12 * 0.5, 1e-9);
}

TEST(Profile, OfStripedRanksUsesAllTheirNics) {
  const auto ring = schedule::ring_all_reduce(8);
  const auto of = [&](fabric::Count hosts, fabric::Count nics, fabric::Count each) {
    const auto fabric = fabric::sized({.hosts = hosts, .nics = nics}).fabric;
    const Ranks ranks{.hosts = hosts, .per_host = 8 / hosts, .nics_each = each};
    return profile_of(ring, fabric, ranks, {.balance = Balance::spray}).us_per_byte;
  };
  const double one = of(8, 2, 1);
  EXPECT_DOUBLE_EQ(of(8, 2, 2), one / 2);
  EXPECT_DOUBLE_EQ(of(8, 4, 4), one / 4);
  EXPECT_DOUBLE_EQ(of(4, 2, 2), one / 2);  // a ring leaves a host once
}

TEST(Profile, OfRanksThatShareAHostByNicsIsThatOfHosts) {
  const auto ring = schedule::ring_all_reduce(8);
  const auto of = [&](fabric::Count hosts, bool by_nics) {
    const auto fabric = fabric::sized({.hosts = hosts, .nics = 8 / hosts}).fabric;
    const Ranks ranks{.hosts = hosts, .per_host = 8 / hosts};
    const Routing routing{.balance = Balance::spray, .inside_by_nics = by_nics};
    return profile_of(ring, fabric, ranks, routing);
  };
  EXPECT_DOUBLE_EQ(of(1, true).us_per_byte, of(8, false).us_per_byte);
  EXPECT_DOUBLE_EQ(latency_us(of(1, true).waits, {}), latency_us(of(8, false).waits, {}));
  EXPECT_LT(of(1, false).us_per_byte, of(8, false).us_per_byte / 5);  // over NVLink
}

TEST(Profile, OfSampledStepsIsThatOfAllIfStepsAreAlike) {
  const auto fabric = fabric::sized({.hosts = 1024, .nics = 1}).fabric;
  const auto pairwise = schedule::pairwise_all_to_all(1024);
  const Profile profile =
      profile_of(pairwise, fabric, {.hosts = 1024, .per_host = 1}, {.balance = Balance::spray});
  EXPECT_EQ(profile.classes, 1024);
  EXPECT_NEAR(profile.ideal_us_per_byte, 1023.0 / 1024 / (50'000 * fabric::payload_fraction()),
              1e-12);
}

}  // namespace
}  // namespace railgauge::predict
