#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <ostream>

#include "schedule/counted_cost.hpp"
#include "schedule/proof.hpp"

namespace railgauge::schedule {

using Maker = Schedule (*)(Rank);

inline void expect_proved(const Schedule& schedule) {
  EXPECT_EQ(disproof(schedule), std::nullopt)
      << schedule.name << " " << name(schedule.collective) << ", " << schedule.ranks
      << " ranks, root " << schedule.root;
}

/// The numbers of ranks that are neither small nor all powers of two, up to 1,024. With a sanitizer
/// fewer, which find the same.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::initializer_list<Rank> kManyRanks = {65, 100};
#else
inline constexpr std::initializer_list<Rank> kManyRanks = {65, 100, 127, 128, 255, 256, 257, 1024};
#endif

/// For the messages of tests.
inline std::ostream& operator<<(std::ostream& out, const Cost& cost) {
  return out << "{rounds " << cost.rounds << ", messages " << cost.messages << ", sent "
             << cost.blocks_sent << ", received " << cost.blocks_received << ", reduced "
             << cost.blocks_reduced << ", depth " << cost.depth << "}";
}

/// Costs what its closed form says, counted op by op.
inline void expect_cost(const Schedule& schedule) {
  EXPECT_EQ(counted(schedule), schedule.cost)
      << schedule.name << " " << name(schedule.collective) << ", " << schedule.ranks
      << " ranks, root " << schedule.root;
}

/// Costs no more than its closed form says, which adds up its parts.
inline void expect_cost_at_most(const Schedule& schedule) {
  const Cost found = counted(schedule);
  const Cost& stated = schedule.cost;
  const bool within = found.rounds <= stated.rounds && found.messages <= stated.messages &&
                      found.blocks_sent <= stated.blocks_sent &&
                      found.blocks_received <= stated.blocks_received &&
                      found.blocks_reduced <= stated.blocks_reduced && found.depth <= stated.depth;
  EXPECT_TRUE(within) << schedule.name << " " << name(schedule.collective) << ", " << schedule.ranks
                      << " ranks: " << found << " but " << stated;
}

/// Sends no more than the bus factor of the collective says.
inline void expect_least_bytes(const Schedule& schedule) {
  const double sent = static_cast<double>(schedule.cost.blocks_sent) / schedule.blocks;
  EXPECT_DOUBLE_EQ(sent, bus_factor(schedule.collective, schedule.ranks))
      << schedule.name << ", " << schedule.ranks << " ranks";
}

}  // namespace railgauge::schedule
