#include "topology/cpu_set.hpp"

#include <gtest/gtest.h>

namespace railgauge::topology {
namespace {

TEST(CpuSet, IsReadFromAListOfTheKernel) {
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11"), (CpuSet{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list("7"), (CpuSet{7}));
  EXPECT_EQ(parse_cpu_list(""), CpuSet{});
}

TEST(CpuSet, IsNotReadFromAnythingElse) {
  for (const char* text : {"-1", "a", "1-", "3-1", "1,,2", "1,", ",", "1 2", "0-99999999"}) {
    EXPECT_EQ(parse_cpu_list(text), std::nullopt) << text;
  }
}

TEST(CpuSet, IsWrittenAsTheKernelDoes) {
  EXPECT_EQ(cpu_list({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
  EXPECT_EQ(cpu_list({5}), "5");
  EXPECT_EQ(cpu_list({}), "");
}

TEST(CpuSet, HasACommonPart) {
  EXPECT_EQ(common({0, 1, 2}, {1, 2, 3}), (CpuSet{1, 2}));
  EXPECT_EQ(common({0}, {1}), CpuSet{});
}

TEST(HasToShare, OnlyProgramsThatAreMoreThanTheirCpus) {
  EXPECT_FALSE(has_to_share(0, {{0, 1}}));
  EXPECT_FALSE(has_to_share(0, {{0, 1}, {0, 1}}));
  EXPECT_TRUE(has_to_share(2, {{0, 1}, {0, 1}, {0, 1}}));
  EXPECT_FALSE(has_to_share(0, {{0}, {1}}));
  EXPECT_TRUE(has_to_share(0, {{0}, {0}, {1, 2, 3}}));
  EXPECT_FALSE(has_to_share(2, {{0}, {0}, {1, 2, 3}})) << "the others keep to themselves";
}

}  // namespace
}  // namespace railgauge::topology
