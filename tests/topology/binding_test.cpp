#include "topology/binding.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "topology/hwloc_map.hpp"

namespace railgauge::topology {
namespace {

using Sentences = std::vector<std::string>;

/// Binds in a process of its own, so that no other test is bound.
TEST(BindingDeathTest, BindsThisProcessAndWhatItStarts) {
  const auto bound = [] {
    const int cpu = *allowed_here().rbegin();
    const Placement wanted{.cpus = {cpu}};
    if (!bind_here(wanted).empty()) _exit(3);
    bool right = misplaced(wanted, where_am_i(), {}).empty();
    std::thread([&] { right = right && allowed_here() == CpuSet{cpu}; }).join();
    right = right && where_am_i().ran == CpuSet{cpu};
    _exit(right ? 0 : 1);
  };
  EXPECT_EXIT(bound(), ::testing::ExitedWithCode(0), "");
}

TEST(BindingDeathTest, BindsMemoryWhereThatIsAllowed) {
  const auto bound = [] {
    const Sentences undone = bind_here({.memory_node = 0});
    for (const std::string& one : undone) std::fprintf(stderr, "%s\n", one.c_str());
    std::vector<std::byte> memory(std::size_t{1} << 20U, std::byte{1});
    const auto nodes = nodes_of_memory(memory);
    // A container may forbid both; then it says so, or nothing.
    _exit(undone.empty() && !nodes.empty() && nodes != std::set<int>{0} ? 1 : 0);
  };
  EXPECT_EXIT(bound(), ::testing::ExitedWithCode(0), "");
}

TEST(BindingDeathTest, SaysWhatItCannotDo) {
  const auto bound = [] {
    const Sentences undone = bind_here({.cpus = {60000}});
    _exit(undone.size() == 1 && undone[0].starts_with("cannot bind to cpus 60000: ") ? 0 : 1);
  };
  EXPECT_EXIT(bound(), ::testing::ExitedWithCode(0), "");
}

/// A thread that sleeps is where it last ran, which says nothing about its binding.
TEST(BindingDeathTest, DoesNotMindThreadsThatSleep) {
  const auto bound = [] {
    const CpuSet allowed = allowed_here();
    std::promise<void> end;
    std::thread sleeper([until = end.get_future()]() mutable { until.wait(); });
    bool right = true;
    for (const int cpu : allowed) {  // one of them is not where it sleeps
      const Placement wanted{.cpus = {cpu}};
      right = right && bind_here(wanted).empty() && misplaced(wanted, where_am_i(), {}).empty();
    }
    end.set_value();
    sleeper.join();
    _exit(right ? 0 : 1);
  };
  EXPECT_EXIT(bound(), ::testing::ExitedWithCode(0), "");
}

TEST(Binding, LeavesWhatIsNotPlacedAsItIs) {
  const Whereabouts before = where_am_i();
  EXPECT_EQ(bind_here({}), Sentences{});
  EXPECT_EQ(where_am_i().bound, before.bound);
  EXPECT_FALSE(before.ran.empty());
}

TEST(Binding, IsComparedWithThePlacement) {
  const Placement wanted{.cpus = {0, 1}, .memory_node = 0};
  EXPECT_EQ(misplaced(wanted, {.bound = {0, 1}, .ran = {1}}, {0}), Sentences{});
  EXPECT_EQ(misplaced(wanted, {.bound = {0, 1, 2}, .ran = {2}}, {0, 1}),
            (Sentences{"its threads may run on cpus 0-2, not only on 0-1",
                       "it was seen on cpus 2, but belongs on 0-1",
                       "its memory is on NUMA nodes 0-1, but belongs on 0"}));
  EXPECT_EQ(misplaced({}, {.bound = {0, 1, 2}, .ran = {2}}, {0, 1}), Sentences{});
}

}  // namespace
}  // namespace railgauge::topology
