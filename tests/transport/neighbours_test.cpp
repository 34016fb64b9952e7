#include "transport/neighbours.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "transport/in_process.hpp"
#include "transport/neighbour_rounds.hpp"

namespace railgauge::transport {
namespace {

using std::chrono::milliseconds;

TEST(ExchangeWithNeighbours, BringsEachWhatIsForIt) {
  for (const Rank ranks : {1U, 2U, 3U, 5U, 8U, 13U}) {
    InProcessFabric fabric(ranks);
    std::vector<std::string> wrong(ranks);
    std::vector<std::thread> threads;
    for (Rank rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] { wrong[rank] = exchange_in_rounds(*fabric.exchange(rank)); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<std::string>(ranks));
  }
}

/// On one thread: that of a rank without neighbours, while the others have not even begun.
TEST(ExchangeWithNeighbours, WaitsForNobodyElse) {
  InProcessFabric fabric(3);
  EXPECT_TRUE(fabric.exchange(2)->exchange_with({}, {}).empty());
  std::thread other([&] {
    const std::vector<Bytes> own{{std::byte{1}}};
    EXPECT_EQ(fabric.exchange(1)->exchange_with(std::vector<Rank>{0}, own).at(0).size(), 0U);
  });
  const std::vector<Bytes> own{{}};
  EXPECT_EQ(fabric.exchange(0)->exchange_with(std::vector<Rank>{1}, own).at(0).size(), 1U);
  other.join();
}

TEST(ExchangeWithNeighbours, EndsAtTheDeadlineIfAPeerDoesNotNameUs) {
  InProcessFabric fabric(3, milliseconds(10));
  EXPECT_TRUE(fabric.exchange(1)->exchange_with({}, {}).empty());  // names nobody
  try {
    fabric.exchange(0)->exchange_with(std::vector<Rank>{1}, std::vector<Bytes>(1));
    ADD_FAILURE() << "answered by nobody";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "rank 1 does not answer rank 0");
  }
}

TEST(Neighbours, AreThePeersOfChannelsEachOnce) {
  const std::vector<ChannelRequest> channels{{7, 0}, {3, 0}, {7, 1}, {7, 0}};
  const auto neighbours = neighbours_of(channels);
  EXPECT_EQ(ranks_of(neighbours), (std::vector<Rank>{7, 3}));
  EXPECT_EQ(neighbours.at(0).channels, (std::vector<Channel>{0, 2, 3}));
  EXPECT_EQ(neighbours.at(1).channels, (std::vector<Channel>{1}));
  EXPECT_TRUE(neighbours_of({}).empty());
}

TEST(Neighbours, PairTheirChannelsRailByRailInOrder) {
  EXPECT_EQ(pair_up(0, {0, 1, 0}, 1, {1, 0, 0}), (std::vector<std::size_t>{1, 0, 2}));
  EXPECT_TRUE(pair_up(0, {}, 1, {}).empty());
}

/// Either of them says so, whichever has more.
TEST(Neighbours, HaveToHaveAsManyChannelsOnARail) {
  const auto refusal = [](const std::vector<unsigned>& ours, const std::vector<unsigned>& theirs) {
    try {
      (void)pair_up(4, ours, 9, theirs);
      return std::string("none");
    } catch (const std::logic_error& error) {
      return std::string(error.what());
    }
  };
  const std::string begin = "ranks 4 and 9 do not agree how many channels they have on rail ";
  EXPECT_EQ(refusal({0, 2}, {2}), begin + "0: 1 and 0");
  EXPECT_EQ(refusal({0}, {0, 2, 2}), begin + "2: 0 and 2");
  EXPECT_EQ(refusal({0, 2}, {2, 0}), "none");
}

}  // namespace
}  // namespace railgauge::transport
