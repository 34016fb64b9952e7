// Memory windows between two queue pairs: binding, access, invalidation (InfiniBand volume
// 1, 10.6.7 and 9.4.1.1.3).

#include <gtest/gtest.h>

#include <cerrno>

#include "softroce/device/queue_pair.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

constexpr unsigned kAnyAccess =
    IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
constexpr std::uint32_t kBytes = 1024;

/// The server binds windows to a region that itself grants nothing to peers.
class Windows : public ::testing::Test {
 protected:
  void TearDown() override {
    for (ibv_mw* window : windows) EXPECT_EQ(ibv_dealloc_mw(window), 0);
    EXPECT_EQ(calls::dereg_mr(region), 0);
  }

  ibv_mw* window(ibv_mw_type type) {
    windows.push_back(ibv_alloc_mw(pair.server_host.domain, type));
    return windows.back();
  }
  ibv_mw_bind_info info(std::uint64_t length = kBytes, unsigned access = kAnyAccess) const {
    return {region, address(), length, access};
  }
  int bind(ibv_mw* to, std::uint64_t id, const ibv_mw_bind_info& how) const {
    if (to->type == IBV_MW_TYPE_1) {
      ibv_mw_bind request{id, IBV_SEND_SIGNALED, how};
      return ibv_bind_mw(pair.server.qp, to, &request);
    }
    ibv_send_wr request{};
    request.wr_id = id;
    request.opcode = IBV_WR_BIND_MW;
    request.send_flags = IBV_SEND_SIGNALED;
    request.bind_mw.mw = to;
    request.bind_mw.rkey = ibv_inc_rkey(to->rkey);
    request.bind_mw.bind_info = how;
    return post(pair.server, request);
  }
  int invalidate(const End& on, std::uint64_t id, std::uint32_t key,
                 ibv_wr_opcode opcode = IBV_WR_LOCAL_INV) const {
    ibv_send_wr request{};
    request.wr_id = id;
    request.opcode = opcode;
    request.send_flags = IBV_SEND_SIGNALED;
    request.invalidate_rkey = key;
    return post(on, request);
  }
  static int post(const End& on, ibv_send_wr& request) {
    ibv_send_wr* bad = nullptr;
    return post_send(on.qp, &request, &bad);
  }
  std::string client_does(ibv_wr_opcode opcode, std::uint32_t key, std::uint32_t length = 8) {
    pair.client.remote_key = key;
    pair.client.post(opcode, 9, 0, length);
    pair.settle();
    return summary(pair.client.sent());
  }
  std::uint64_t address() const {
    return reinterpret_cast<std::uintptr_t>(pair.server.memory.data());
  }

  WirePair pair;
  ibv_mr* region = calls::reg_mr(pair.server_host.domain, pair.server.memory.data(), kBytes,
                                 address(), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
  std::vector<ibv_mw*> windows;
};

TEST_F(Windows, GiveAccessWhileTheyAreBound) {
  for (const ibv_mw_type type : {IBV_MW_TYPE_1, IBV_MW_TYPE_2}) {
    ibv_mw* bound = window(type);
    EXPECT_EQ(bound->pd, pair.server_host.domain);
    EXPECT_EQ(bound->type, type);
    const std::uint32_t before = bound->rkey;
    ASSERT_EQ(bind(bound, 1, info()), 0);
    EXPECT_NE(bound->rkey, before);
    const auto completions = pair.server.sent();
    ASSERT_EQ(summary(completions), "1 ok");
    EXPECT_EQ(completions[0].opcode, IBV_WC_BIND_MW);
    EXPECT_EQ(client_does(IBV_WR_RDMA_WRITE, bound->rkey), "9 ok");
    EXPECT_EQ(client_does(IBV_WR_RDMA_READ, bound->rkey, kBytes), "9 ok");
    EXPECT_EQ(client_does(IBV_WR_ATOMIC_FETCH_AND_ADD, bound->rkey), "9 ok");
  }
  EXPECT_EQ(client_does(IBV_WR_RDMA_READ, region->rkey), "9 remote access");
}

TEST_F(Windows, OfTypeOneEndWithLengthZero) {
  ibv_mw* bound = window(IBV_MW_TYPE_1);
  ASSERT_EQ(bind(bound, 1, info()), 0);
  const std::uint32_t key = bound->rkey;
  ASSERT_EQ(bind(bound, 2, {nullptr, 0, 0, 0}), 0);
  EXPECT_EQ(summary(pair.server.sent()), "1 ok, 2 ok");
  EXPECT_EQ(client_does(IBV_WR_RDMA_READ, key), "9 remote access");
}

TEST_F(Windows, OfTypeTwoEndWithALocalInvalidation) {
  ibv_mw* bound = window(IBV_MW_TYPE_2);
  ASSERT_EQ(bind(bound, 1, info()), 0);
  ASSERT_EQ(invalidate(pair.server, 2, bound->rkey), 0);
  const auto completions = pair.server.sent();
  ASSERT_EQ(summary(completions), "1 ok, 2 ok");
  EXPECT_EQ(completions[1].opcode, IBV_WC_LOCAL_INV);
  EXPECT_EQ(client_does(IBV_WR_RDMA_READ, bound->rkey), "9 remote access");
}

TEST_F(Windows, OfTypeTwoEndWithTheMessageThatSaysSo) {
  ibv_mw* bound = window(IBV_MW_TYPE_2);
  ASSERT_EQ(bind(bound, 1, info()), 0);
  pair.server.post_receive(2, 0, 64);
  ASSERT_EQ(invalidate(pair.client, 3, bound->rkey, IBV_WR_SEND_WITH_INV), 0);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "3 ok");
  const auto completions = pair.server.received();
  ASSERT_EQ(summary(completions), "2 ok");
  EXPECT_EQ(completions[0].wc_flags, unsigned{IBV_WC_WITH_INV});
  EXPECT_EQ(completions[0].invalidated_rkey, bound->rkey);
  EXPECT_EQ(client_does(IBV_WR_RDMA_READ, bound->rkey), "9 remote access");
}

/// Class J of 9.9.3.1: the receive fails, the queue pair too, and the peer is not told.
void cannot_be_invalidated_by_the_peer(WirePair& pair, std::uint32_t key) {
  pair.server.post_receive(1, 0, 64);
  ibv_send_wr request{};
  request.wr_id = 2;
  request.opcode = IBV_WR_SEND_WITH_INV;
  request.invalidate_rkey = key;
  pair.client.post(request);
  const Flight sent = pair.client_host.sends();
  pair.to_server(sent);
  EXPECT_EQ(summary(pair.server_host.sends()), "");
  const auto completions = pair.server.received();
  ASSERT_EQ(summary(completions), "1 memory management");
  EXPECT_EQ(completions[0].wc_flags, 0U);
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_ERR);
  EXPECT_EQ(pair.client.qp->state, IBV_QPS_RTS);
  EXPECT_EQ(pair.server_host.events(), std::vector{IBV_EVENT_QP_ACCESS_ERR});
}

TEST_F(Windows, OfTypeOneAreNotForThePeerToEnd) {
  ibv_mw* bound = window(IBV_MW_TYPE_1);
  ASSERT_EQ(bind(bound, 1, info()), 0);
  cannot_be_invalidated_by_the_peer(pair, bound->rkey);
}

TEST_F(Windows, ThatAreNotBoundCannotBeEnded) {
  cannot_be_invalidated_by_the_peer(pair, window(IBV_MW_TYPE_2)->rkey);
}

TEST_F(Windows, RegionsAreNotForThePeerToEnd) {
  cannot_be_invalidated_by_the_peer(pair, region->rkey);
}

/// What came before the message whose invalidation fails is acknowledged all the same.
TEST_F(Windows, AFailedInvalidationLeavesWhatWasBeforeIt) {
  pair.server.post_receive(1, 0, 64);
  pair.server.post_receive(2, 0, 64);
  pair.client.post(IBV_WR_SEND, 3, 0, 8);
  ASSERT_EQ(invalidate(pair.client, 4, region->rkey, IBV_WR_SEND_WITH_INV), 0);
  pair.to_server(pair.client_host.sends());
  const Flight answers = pair.server_host.sends();
  EXPECT_EQ(summary(answers), "ACK 100");
  pair.to_client(answers);
  EXPECT_EQ(summary(pair.client.sent()), "3 ok");
}

TEST_F(Windows, ThatMayNotBeBoundAreAnErrorOfTheRequest) {
  ibv_mw* out_of_range = window(IBV_MW_TYPE_2);
  ASSERT_EQ(bind(out_of_range, 1, info(kBytes + 1)), 0);
  ASSERT_EQ(bind(window(IBV_MW_TYPE_2), 2, info()), 0);
  EXPECT_EQ(summary(pair.server.sent()), "1 memory management, 2 flushed");
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_ERR);
}

TEST_F(Windows, ThatAreNotBoundCannotBeInvalidatedHereEither) {
  ASSERT_EQ(invalidate(pair.server, 1, window(IBV_MW_TYPE_2)->rkey), 0);
  EXPECT_EQ(summary(pair.server.sent()), "1 memory management");
}

TEST_F(Windows, AreBoundByTheVerbOfTheirType) {
  ibv_mw* first = window(IBV_MW_TYPE_1);
  ibv_send_wr request{};
  request.opcode = IBV_WR_BIND_MW;
  request.bind_mw.mw = first;
  request.bind_mw.bind_info = info();
  errno = 0;
  EXPECT_EQ(post(pair.server, request), EINVAL);
  EXPECT_EQ(errno, EINVAL);
  ibv_mw_bind second{1, IBV_SEND_SIGNALED, info()};
  EXPECT_EQ(ibv_bind_mw(pair.server.qp, window(IBV_MW_TYPE_2), &second), EINVAL);
}

TEST_F(Windows, OfAnotherDeviceAreRefused) {
  ibv_mw* foreign = ibv_alloc_mw(pair.client_host.domain, IBV_MW_TYPE_2);
  EXPECT_EQ(bind(foreign, 1, info()), EINVAL);
  EXPECT_EQ(ibv_dealloc_mw(foreign), 0);
}

TEST_F(Windows, AreBoundInTurn) {
  ibv_mw* bound = window(IBV_MW_TYPE_2);
  pair.server.post(IBV_WR_RDMA_WRITE, 1, 0, 600);
  ASSERT_EQ(bind(bound, 2, info()), 0);
  pair.server.post(IBV_WR_RDMA_WRITE, 3, 0, 1);
  EXPECT_EQ(summary(pair.server_host.sends()), "WRITE_FIRST 100, WRITE_MIDDLE 101, WRITE_LAST 102");
  EXPECT_EQ(summary(pair.server.sent()), "");
  pair.to_server(Packet{.operation = Operation::acknowledge, .psn = 102, .syndrome = 0x1f});
  EXPECT_EQ(summary(pair.server_host.sends()), "WRITE_ONLY 103");
  EXPECT_EQ(summary(pair.server.sent()), "1 ok, 2 ok");
}

TEST_F(Windows, ThatAreGoneWhenTheirTurnComesAreNotBound) {
  ibv_mw* gone = window(IBV_MW_TYPE_2);
  pair.server.post(IBV_WR_RDMA_WRITE, 1, 0, 1);
  const Flight write = pair.server_host.sends();
  ASSERT_EQ(bind(gone, 2, info()), 0);
  windows.clear();
  ASSERT_EQ(ibv_dealloc_mw(gone), 0);
  pair.to_client(write);
  pair.settle();
  EXPECT_EQ(summary(pair.server.sent()), "1 ok, 2 memory management");
}

TEST_F(Windows, KeepTheirRegionAsItIs) {
  ibv_mw* bound = window(IBV_MW_TYPE_2);
  ASSERT_EQ(bind(bound, 1, info()), 0);
  errno = 0;
  EXPECT_EQ(calls::dereg_mr(region), EBUSY);
  EXPECT_EQ(errno, EBUSY);
  EXPECT_EQ(calls::rereg_mr(region, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0, 0),
            IBV_REREG_MR_ERR_CMD);
  EXPECT_EQ(client_does(IBV_WR_RDMA_READ, bound->rkey), "9 ok");
  const std::uint32_t key = bound->rkey;
  EXPECT_EQ(ibv_dealloc_mw(bound), 0);  // it may be deallocated while it is bound
  windows.clear();
  EXPECT_EQ(client_does(IBV_WR_RDMA_READ, key), "9 remote access");
}

TEST_F(Windows, OfADestroyedQueuePairCanStillBeDeallocated) {
  ibv_mw* bound = window(IBV_MW_TYPE_2);
  {
    End other(pair.server_host, {});
    other.connect(pair.client);
    ibv_send_wr request{};
    request.opcode = IBV_WR_BIND_MW;
    request.bind_mw = {bound, bound->rkey + 1, info()};
    ASSERT_EQ(post(other, request), 0);
  }
  EXPECT_EQ(calls::dereg_mr(region), EBUSY);
  EXPECT_EQ(client_does(IBV_WR_RDMA_READ, bound->rkey), "9 remote access");
}

TEST_F(Windows, TheExtendedInterfaceBindsThemToo) {
  ibv_mw* bound = window(IBV_MW_TYPE_2);
  ibv_qp_ex* qp = calls::qp_to_qp_ex(pair.server.qp);
  const ibv_mw_bind_info how = info();
  const std::uint32_t key = ibv_inc_rkey(bound->rkey);
  ibv_wr_start(qp);
  qp->wr_id = 1;
  qp->wr_flags = IBV_SEND_SIGNALED;
  ibv_wr_bind_mw(qp, bound, key, &how);
  ASSERT_EQ(ibv_wr_complete(qp), 0);
  EXPECT_EQ(summary(pair.server.sent()), "1 ok");
  EXPECT_EQ(bound->rkey, key);
  EXPECT_EQ(client_does(IBV_WR_RDMA_WRITE, key), "9 ok");
  ibv_wr_start(qp);
  ibv_wr_bind_mw(qp, window(IBV_MW_TYPE_1), 1, &how);
  EXPECT_EQ(ibv_wr_complete(qp), EINVAL);
}

TEST_F(Windows, AreOfOneOfTwoTypesInAKnownDomain) {
  errno = 0;
  EXPECT_EQ(ibv_alloc_mw(pair.server_host.domain, static_cast<ibv_mw_type>(3)), nullptr);
  EXPECT_EQ(errno, EINVAL);
}

TEST(WindowsOfDatagrams, AreNotBound) {
  Options options;
  options.type = IBV_QPT_UD;
  WirePair pair(options);
  ibv_mw* one = ibv_alloc_mw(pair.server_host.domain, IBV_MW_TYPE_1);
  ibv_mw_bind request{1, IBV_SEND_SIGNALED, {pair.server.region, 0, 1, 0}};
  EXPECT_EQ(ibv_bind_mw(pair.server.qp, one, &request), EINVAL);
  EXPECT_EQ(ibv_dealloc_mw(one), 0);
}

}  // namespace
}  // namespace railgauge::softroce
