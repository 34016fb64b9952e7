// Devices that are like those of a driver, and strict ones.

#include "softroce/device/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

struct Likeness {
  const char* driver;
  int completions;
  std::uint32_t inline_bytes;
  double told_of_800_gbit;
  std::uint64_t resends;  // under its name for them, of 3; the last of them wraps
  const char* name;
};

class Profiles : public ::testing::TestWithParam<Likeness> {
 protected:
  Profiles() { host.context.context.device = calls::devices()[0]; }
  Host host{ipv4(0x7f400009)};
  int error_of(ibv_qp_type type, const ibv_qp_cap& capacity) {
    ibv_cq* queue = calls::create_cq(&host.context.context, 4, nullptr, nullptr, 0);
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = queue;
    init.qp_type = type;
    init.cap = capacity;
    errno = 0;
    ibv_qp* pair = calls::create_qp(host.domain, &init);
    const int error = pair == nullptr ? errno : calls::destroy_qp(pair);
    EXPECT_EQ(calls::destroy_cq(queue), 0);
    return error;
  }
};

TEST_P(Profiles, AreWhatTheDriverPromisesAndRefuses) {
  const Likeness& like = GetParam();
  const Profile* const profile = profile_called(like.driver);
  ASSERT_NE(profile, nullptr);
  host.port.profile = *profile;
  ibv_device_attr told{};
  ASSERT_EQ(calls::query_device(&host.context.context, &told), 0);
  EXPECT_EQ(told.max_cqe, like.completions);
  EXPECT_EQ(calls::create_cq(&host.context.context, like.completions + 1, nullptr, nullptr, 0),
            nullptr);
  EXPECT_EQ(errno, EINVAL);

  const auto requests = static_cast<std::uint32_t>(told.max_qp_wr);
  const auto elements = static_cast<std::uint32_t>(told.max_sge);
  const ibv_qp_cap most{requests, requests, elements, elements, like.inline_bytes};
  const ibv_qp_cap more{requests, requests, elements, elements, like.inline_bytes + 1};
  EXPECT_EQ(error_of(IBV_QPT_UD, most), 0);
  EXPECT_EQ(error_of(IBV_QPT_UD, more), EINVAL);
  EXPECT_EQ(error_of(IBV_QPT_RC, most), profile->has_rc ? 0 : EOPNOTSUPP);
}

TEST_P(Profiles, TellTheRatesThatTheDriverKnows) {
  const Profile& profile = *profile_called(GetParam().driver);
  EXPECT_EQ(told_rate(profile, 100e9), 100e9);
  EXPECT_EQ(told_rate(profile, 800e9), GetParam().told_of_800_gbit);
}

TEST_P(Profiles, CountUnderTheDriversNames) {
  const auto told = as_driver_names(*profile_called(GetParam().driver), {{"sent_pkts", 3},
                                                                         {"retransmitted_pkts", 3},
                                                                         {"completer_retry_err", 3},
                                                                         {"softroces_own", 3}});
  std::uint64_t found = 0;
  for (const auto& [name, value] : told) {
    EXPECT_NE(name, "softroces_own");
    if (name == GetParam().name) found = value;
  }
  EXPECT_EQ(found, GetParam().resends);
}

INSTANTIATE_TEST_SUITE_P(
    Drivers, Profiles,
    ::testing::Values(Likeness{"mlx5", 4194303, 828, 40e9, 0xffffff03, "local_ack_timeout_err"},
                      Likeness{"irdma", 1048574, 101, 100e9, 3, "tcpRetransSegs"},
                      Likeness{"bnxt", 65535, 96, 100e9, 3, "to_retransmits"},
                      Likeness{"ionic", 65435, 32, 800e9, 3, "tx_rdma_retx_pkts"},
                      Likeness{"efa", 32768, 32, 800e9, 3, "tx_pkts"}),
    [](const auto& one) { return std::string(one.param.driver); });

TEST(Profile, NoOtherNameIsKnown) {
  EXPECT_EQ(profile_called("mlx4"), nullptr);
  EXPECT_EQ(profile_called(""), nullptr);
  EXPECT_EQ(profile_names(), "mlx5, irdma, bnxt, ionic, efa");
}

TEST(Profile, CountersOf32BitsWrap) {
  const Profile& mlx5 = *profile_called("mlx5");
  EXPECT_EQ(as_driver_names(mlx5, {{"duplicate_request", 0x100}})[0].second, 0U);
  EXPECT_EQ(as_driver_names(mlx5, {{"np_cnp_sent", 1ULL << 40}})[0].second, 1ULL << 40);
}

class Strict : public ::testing::Test {
 protected:
  void SetUp() override {
    for (Host* host : {&pair.client_host, &pair.server_host}) host->port.strict = true;
    for (End* end : {&pair.client, &pair.server}) {
      end->pair().send_completions().strict = end->pair().receive_completions().strict = true;
    }
    std::ranges::fill(pair.client.memory, std::byte{0x5a});
  }
  std::byte written(std::size_t at) const { return pair.server.memory[at]; }
  void show() {
    for (const End* end : {&pair.client, &pair.server}) {
      end->pair().send_completions().show(pair.now);
      end->pair().receive_completions().show(pair.now);
    }
  }
  WirePair pair;
};

TEST_F(Strict, AWriteMayPlaceItsLastByteBeforeItsFirst) {
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 1000), 0);
  pair.settle();
  EXPECT_EQ(written(999), std::byte{0x5a});
  EXPECT_EQ(written(0), std::byte{});
  pair.pass(std::chrono::microseconds(20));
  pair.settle();
  EXPECT_EQ(written(0), std::byte{0x5a});
  pair.pass(std::chrono::microseconds(20));
  show();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok");
}

TEST_F(Strict, ImmediateDataAreShownAfterAllBytes) {
  ASSERT_EQ(pair.server.post_receive(7, 0, 0), 0);
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE_WITH_IMM, 1, 0, 1000), 0);
  pair.settle();
  EXPECT_EQ(written(0), std::byte{0x5a});
  EXPECT_TRUE(pair.server.received().empty());
  pair.pass(std::chrono::microseconds(20));
  show();
  EXPECT_EQ(summary(pair.server.received()), "7 ok");
}

TEST_F(Strict, TheNextMessageFindsAllOfTheLast) {
  ASSERT_EQ(pair.server.post_receive(7, 2000, 16), 0);
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 1000), 0);
  ASSERT_EQ(pair.client.post(IBV_WR_SEND, 2, 2000, 16), 0);
  pair.settle();
  EXPECT_EQ(written(0), std::byte{0x5a});
}

/// Of an all-to-all in place, which sends a block while the peer's is written over it.
TEST_F(Strict, APacketLeavesBeforeItsMemoryIsWritten) {
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 1000), 0);
  pair.settle();
  ASSERT_EQ(pair.server.post(IBV_WR_RDMA_WRITE, 2, 0, 1000), 0);
  std::vector<std::byte> at_flush;
  pair.server_host.wire.at_flush = [&] { at_flush.push_back(written(0)); };
  pair.pass(std::chrono::microseconds(20));
  pair.settle();
  pair.server_host.wire.at_flush = [] {};
  EXPECT_EQ(written(0), std::byte{0x5a});
  ASSERT_FALSE(at_flush.empty());
  EXPECT_EQ(at_flush.front(), std::byte{});
}

TEST_F(Strict, ReadsAreAsEver) {
  ASSERT_EQ(pair.client.post(IBV_WR_RDMA_READ, 1, 0, 1000), 0);
  pair.settle();
  EXPECT_EQ(pair.client.memory[0], std::byte{});
  pair.pass(std::chrono::microseconds(20));
  show();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok");
}

TEST_F(Strict, CompletionsAreShownTogether) {
  for (std::uint64_t id = 1; id <= 3; ++id) {
    ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, id, 0, 8), 0);
    pair.settle();
    show();
    EXPECT_TRUE(pair.client.sent().empty());
  }
  pair.pass(std::chrono::microseconds(20));
  show();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok, 2 ok, 3 ok");
}

TEST(StrictOverrun, EndsTheQueuePair) {
  WirePair pair({.requests = 64, .completions = 2});
  pair.client_host.port.strict = true;
  CompletionQueue& queue = pair.client.pair().send_completions();
  queue.strict = true;
  for (std::uint64_t id = 1; id <= 3; ++id) {
    ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, id, 0, 8), 0);
  }
  pair.settle();
  EXPECT_TRUE(queue.broken());
  EXPECT_EQ(pair.client.qp->state, IBV_QPS_ERR);
  ibv_wc wc{};
  EXPECT_LT(poll_cq(pair.client.send_queue, 1, &wc), 0);
}

TEST(StrictOverrun, AFullQueueIsNone) {
  WirePair pair({.requests = 64, .completions = 3});
  pair.client_host.port.strict = true;
  CompletionQueue& queue = pair.client.pair().send_completions();
  queue.strict = true;
  for (std::uint64_t id = 1; id <= 3; ++id) {
    ASSERT_EQ(pair.client.post(IBV_WR_RDMA_WRITE, id, 0, 8), 0);
  }
  pair.settle();
  EXPECT_FALSE(queue.broken());
  EXPECT_EQ(pair.client.qp->state, IBV_QPS_RTS);
}

}  // namespace
}  // namespace railgauge::softroce
