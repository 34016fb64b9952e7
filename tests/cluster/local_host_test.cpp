#include "cluster/local_host.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "transport/in_process.hpp"

namespace railgauge::cluster {
namespace {

using transport::Rank;

/// What each rank gets, and how many have read.
struct Read {
  std::vector<std::string> texts;
  int readings = 0;
};

/// A reading is the rank that made it.
Read read_on(const std::vector<std::string>& hosts) {
  const auto ranks = static_cast<Rank>(hosts.size());
  transport::InProcessFabric fabric(ranks);
  Read read{std::vector<std::string>(ranks)};
  std::atomic<int> readings = 0;
  const auto run = [&](Rank rank) {
    const auto exchange = fabric.exchange(rank);
    read.texts[rank] = hwloc_of_host(*exchange, hosts[rank], [&] {
      ++readings;
      return "by " + std::to_string(rank);
    });
  };
  std::vector<std::jthread> threads;
  for (Rank rank = 0; rank < ranks; ++rank) threads.emplace_back(run, rank);
  threads.clear();
  read.readings = readings;
  return read;
}

TEST(HwlocOfHost, IsReadByTheFirstRankOfEachHost) {
  const Read read = read_on({"a", "b", "a", "b", "b", "c"});
  EXPECT_EQ(read.texts, (std::vector<std::string>{"by 0", "by 1", "by 0", "by 1", "by 1", "by 5"}));
  EXPECT_EQ(read.readings, 3);
}

TEST(HwlocOfHost, OfARankAloneIsItsOwn) {
  EXPECT_EQ(read_on({"a"}).texts, std::vector<std::string>{"by 0"});
}

TEST(HwlocOfHost, ThrowsWhatReadingThrows) {
  transport::InProcessFabric fabric(1);
  const auto exchange = fabric.exchange(0);
  const auto fail = []() -> std::string { throw std::runtime_error("hwloc cannot"); };
  EXPECT_THROW((void)hwloc_of_host(*exchange, "a", fail), std::runtime_error);
}

}  // namespace
}  // namespace railgauge::cluster
