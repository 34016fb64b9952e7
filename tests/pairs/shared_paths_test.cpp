#include "pairs/shared_paths.hpp"

#include <gtest/gtest.h>

namespace railgauge::pairs {
namespace {

using Hops = std::vector<std::optional<std::string>>;

std::string text(const std::vector<Hops>& paths) {
  std::vector<results::PairPath> all;
  for (const Hops& hops : paths) all.push_back({.hops = hops});
  return shared_path_text(all);
}

const Hops kFirst{"leaf0", "spine0", "leaf1"};
const Hops kSecond{"leaf0", "spine1", "leaf1"};

TEST(SharedPaths, AreOfTheMostQueuePairs) {
  EXPECT_EQ(text({kFirst, kSecond, kFirst, kFirst}), "3 of 4 queue pairs share a path");
  EXPECT_EQ(text({kSecond, kSecond}), "2 of 2 queue pairs share a path");
}

TEST(SharedPaths, AreNoneOfDifferentOnes) {
  EXPECT_EQ(text({kFirst, kSecond}), "");
  EXPECT_EQ(text({kFirst}), "");
  EXPECT_EQ(text({}), "");
}

TEST(SharedPaths, AreNoneWhereASwitchIsNotKnown) {
  const Hops unknown{"leaf0", std::nullopt, "leaf1"};
  EXPECT_EQ(text({unknown, unknown}), "");
}

TEST(SharedPaths, AreNoneOverOneSwitch) {
  EXPECT_EQ(text({{"leaf0"}, {"leaf0"}}), "");
}

}  // namespace
}  // namespace railgauge::pairs
