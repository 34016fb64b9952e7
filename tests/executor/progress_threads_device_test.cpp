// Over this host's own devices, each driven by a thread of its own.

#include <algorithm>
#include <memory>

#include "executor/progress_team.hpp"
#include "transport/verbs_transport.hpp"
#include "verbs/port.hpp"

namespace railgauge::executor {
namespace {

class ProgressThreadsDevice : public testing::Test {
 protected:
  void SetUp() override {
    std::erase_if(ports_, [](const verbs::Port& port) { return !port.usable(); });
    if (ports_.size() < 2) GTEST_SKIP() << "needs two RDMA devices";
    ports_.resize(2);
  }

  Results results(const schedule::Schedule& schedule, unsigned threads,
                  const std::vector<std::size_t>& counts) {
    transport::InProcessFabric fabric(schedule.ranks);
    const Connect connect = [&](unsigned share, transport::Exchange& exchange,
                                std::span<const transport::ChannelRequest> channels) {
      std::vector<verbs::Port> own;
      for (unsigned rail = share; rail < ports_.size(); rail += threads) {
        own.push_back(ports_[rail]);
      }
      return transport::connect_verbs(exchange, own, channels, {.queue_pairs = {}, .host = "here"});
    };
    const Stripes stripes{static_cast<unsigned>(ports_.size()), 1, 1024};
    return results_of(connect, fabric, threads, schedule, stripes, counts);
  }

  std::vector<verbs::Port> ports_ = verbs::find_ports();
};

/// A thread without a stripe meets completions that a device reports late, and only with others:
/// those of small writes, of the plan before.
TEST_F(ProgressThreadsDevice, TakeTurnsWithOneStripeAndSeveral) {
  const auto* algorithm = schedule::find_algorithm(Collective::all_reduce, "direct");
  ASSERT_NE(algorithm, nullptr);
  const schedule::Schedule schedule = algorithm->make({4, 0, 1});
  const std::vector<std::size_t> counts{1000, 1, 600, 2, 1000, 1, 20, 600, 3};
  EXPECT_EQ(results(schedule, 2, counts), results(schedule, 1, counts));
}

/// From data for one stripe, which the other threads sleep through, to several chunks a stripe.
TEST_F(ProgressThreadsDevice, DoWhatOneDoes) {
  for (const auto& [collective, name] :
       {std::pair{Collective::all_reduce, "ring"}, {Collective::all_to_all, "pairwise"}}) {
    const auto* algorithm = schedule::find_algorithm(collective, name);
    ASSERT_NE(algorithm, nullptr) << name;
    const schedule::Schedule schedule = algorithm->make({3, 1, 1});
    const std::vector<std::size_t> counts{1, 4000, 2, 40000, 0};
    EXPECT_EQ(results(schedule, 2, counts), results(schedule, 1, counts)) << name;
  }
}

}  // namespace
}  // namespace railgauge::executor
