#pragma once

#include <gtest/gtest.h>

#include <initializer_list>

#include "schedule/proof.hpp"

namespace railgauge::schedule {

using Maker = Schedule (*)(Rank);

inline void expect_proved(const Schedule& schedule) {
  EXPECT_EQ(disproof(schedule), std::nullopt)
      << schedule.name << ", " << schedule.ranks << " ranks";
}

/// The numbers of ranks that are neither small nor all powers of two, up to 1,024.
inline constexpr std::initializer_list<Rank> kManyRanks = {65, 100, 127, 128, 255, 256, 257, 1024};

/// Costs what its header says, counted op by op.
inline void expect_cost(const Schedule& schedule) {
  EXPECT_EQ(counted(schedule), schedule.cost)
      << schedule.name << ", " << schedule.ranks << " ranks";
}

/// Sends as little as anybody can: what the bus bandwidth is reckoned with.
inline void expect_least_bytes(const Schedule& schedule) {
  const double sent = static_cast<double>(schedule.cost.blocks_sent) / schedule.blocks;
  EXPECT_DOUBLE_EQ(sent, bus_factor(schedule.collective, schedule.ranks))
      << schedule.name << ", " << schedule.ranks << " ranks";
}

}  // namespace railgauge::schedule
