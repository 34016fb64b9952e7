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

}  // namespace
}  // namespace railgauge::transport
