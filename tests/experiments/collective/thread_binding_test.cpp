#include "experiments/collective/thread_binding.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace railgauge::runner {
namespace {

using topology::CpuSet;

TEST(ThreadBinding, BindsEachToItsPlaceAndSaysNothing) {
  std::vector<CpuSet> bound;
  ThreadBinding binding({{0}, {4, 5}, {6}}, [&](const CpuSet& cpus) {
    bound.push_back(cpus);
    return "";
  });
  binding.settle(1);
  binding.settle(2);
  EXPECT_EQ(bound, (std::vector<CpuSet>{{4, 5}, {6}}));
  EXPECT_EQ(binding.failure(), "");
}

TEST(ThreadBinding, LeavesAThreadWithoutAPlaceWhereItIs) {
  ThreadBinding binding({{}, {}}, [](const CpuSet&) -> std::string { return "not asked"; });
  binding.settle(1);
  EXPECT_EQ(binding.failure(), "");
}

TEST(ThreadBinding, RemembersWhyItFailed) {
  ThreadBinding binding({{0}, {1}, {2}}, [](const CpuSet& cpus) -> std::string {
    return cpus == CpuSet{2} ? "cannot bind a thread to cpus 2: Operation not permitted" : "";
  });
  binding.settle(1);
  EXPECT_EQ(binding.failure(), "");
  binding.settle(2);
  EXPECT_EQ(binding.failure(), "cannot bind a thread to cpus 2: Operation not permitted");
}

/// On a thread of its own an exception would end the process.
TEST(ThreadBinding, OutlivesWhatIsThrown) {
  ThreadBinding binding({{0}, {1}}, [](const CpuSet&) -> std::string {
    throw std::runtime_error("hwloc cannot read the topology");
  });
  binding.settle(1);
  EXPECT_EQ(binding.failure(), "cannot bind a thread: hwloc cannot read the topology");
}

TEST(UnboundThreads, AreOneLineForAllRanks) {
  EXPECT_EQ(unbound_threads({"", ""}), "");
  EXPECT_EQ(unbound_threads({"", "rank 1: no"}),
            "rank 1: no; progress threads stay where their rank is");
  EXPECT_EQ(unbound_threads({"rank 0: no", "", "rank 2: no", "rank 3: no"}),
            "rank 0: no; progress threads stay where their rank is (so on 2 more of the ranks)");
}

}  // namespace
}  // namespace railgauge::runner
