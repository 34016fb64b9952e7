// What verbs return, what is in errno then, and that what ibv_query_device() promises is where they
// end.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <functional>
#include <vector>

#include "softroce/device/queue_pair.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

class VerbsErrors : public ::testing::Test {
 protected:
  /// The verb returns this error, and errno says the same.
  static void fails(int error, const std::function<int()>& verb) {
    errno = 0;
    EXPECT_EQ(verb(), error);
    EXPECT_EQ(errno, error);
  }
  static void is_null(int error, const std::function<const void*()>& verb) {
    errno = 0;
    EXPECT_EQ(verb(), nullptr);
    EXPECT_EQ(errno, error);
  }
  ibv_context* context() { return &pair.client_host.context.context; }
  ibv_pd* domain() const { return pair.client_host.domain; }
  Census& census() { return pair.client_host.port.census; }
  ibv_device_attr promised() {
    context()->device = calls::devices().front();
    ibv_device_attr attributes{};
    EXPECT_EQ(calls::query_device(context(), &attributes), 0);
    return attributes;
  }

  WirePair pair;
  std::array<std::byte, 64> bytes{};
  ibv_ah_attr towards_the_server = [this] {
    ibv_ah_attr attributes = pair.client.pair().attributes.ah_attr;
    attributes.port_num = 1;
    return attributes;
  }();
  ibv_mr* register_bytes() {
    return calls::reg_mr(domain(), bytes.data(), bytes.size(), 0, IBV_ACCESS_LOCAL_WRITE);
  }
};

TEST_F(VerbsErrors, AreInErrnoToo) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  fails(EINVAL, [&] { return calls::modify_qp(pair.client.qp, &attributes, IBV_QP_STATE); });
  fails(EBUSY, [&] { return calls::dealloc_pd(domain()); });
  fails(EBUSY, [&] { return calls::destroy_cq(pair.client.send_queue); });
  fails(EINVAL, [&] { return calls::resize_cq(pair.client.send_queue, 0); });
  ibv_modify_cq_attr moderation{};
  fails(EINVAL, [&] { return modify_cq(pair.client.send_queue, &moderation); });
  ibv_port_attr port{};
  fails(EINVAL, [&] { return calls::query_port(context(), 2, &port); });
  ibv_values_ex values{};
  values.comp_mask = 1U << 30;
  fails(EOPNOTSUPP, [&] { return query_rt_values(context(), &values); });
  ibv_send_wr request{};
  request.opcode = IBV_WR_DRIVER1;
  fails(EINVAL, [&] { return pair.client.post(request); });
  ibv_recv_wr receive{};
  receive.num_sge = -1;
  ibv_recv_wr* bad = nullptr;
  fails(EINVAL, [&] { return post_recv(pair.client.qp, &receive, &bad); });
  EXPECT_EQ(bad, &receive);
  ibv_poll_cq_attr poll{};
  poll.comp_mask = 1;
  ibv_cq_ex* extended = &pair.client.pair().send_completions();
  fails(EINVAL, [&] { return ibv_start_poll(extended, &poll); });
}

TEST_F(VerbsErrors, OfFullQueuesAreEnomem) {
  Options small;
  small.requests = 2;
  WirePair tight(small);
  ibv_send_wr request{};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(tight.client.post(request), 0);
  fails(ENOMEM, [&] { return tight.client.post(request); });
  for (int i = 0; i < 2; ++i) EXPECT_EQ(tight.client.post_receive(1, 0, 1), 0);
  fails(ENOMEM, [&] { return tight.client.post_receive(1, 0, 1); });
}

/// As the kernel answers a handle that it does not know; a garbled one must not crash the process.
template <class Object>
class Garbled {
 public:
  explicit Garbled(Object* object) : object_(object) { object_->handle ^= 0xdeadbeef; }
  ~Garbled() { object_->handle ^= 0xdeadbeef; }
  Garbled(const Garbled&) = delete;
  Garbled& operator=(const Garbled&) = delete;

 private:
  Object* object_;
};

TEST_F(VerbsErrors, OfAGarbledDomainAreEnoent) {
  ibv_pd* empty = calls::alloc_pd(context());
  {
    const Garbled garbled(empty);
    fails(ENOENT, [&] { return calls::dealloc_pd(empty); });
    is_null(ENOENT, [&] { return calls::reg_mr(empty, bytes.data(), 1, 0, 0); });
    is_null(ENOENT, [&] { return ibv_alloc_mw(empty, IBV_MW_TYPE_1); });
    is_null(ENOENT, [&] { return calls::create_ah(empty, &towards_the_server); });
    ibv_srq_init_attr shared{nullptr, {1, 1, 0}};
    is_null(ENOENT, [&] { return calls::create_srq(empty, &shared); });
  }
  Context other;
  static_cast<verbs_context&>(other) = {};
  other.engine = &Engine::of(0);
  other.port = &pair.client_host.port;
  empty->context = &other.context;
  fails(ENOENT, [&] { return calls::dealloc_pd(empty); });
  empty->context = context();
  EXPECT_EQ(calls::dealloc_pd(empty), 0);
}

TEST_F(VerbsErrors, OfGarbledMemoryAreEnoent) {
  ibv_mr* region = register_bytes();
  ibv_mw* window = ibv_alloc_mw(domain(), IBV_MW_TYPE_2);
  {
    const Garbled garbled_region(region);
    const Garbled garbled_window(window);
    fails(ENOENT, [&] { return calls::dereg_mr(region); });
    fails(ENOENT, [&] { return ibv_dealloc_mw(window); });
    EXPECT_EQ(calls::rereg_mr(region, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0, 0),
              IBV_REREG_MR_ERR_CMD);
  }
  EXPECT_EQ(calls::dereg_mr(region), 0);
  EXPECT_EQ(ibv_dealloc_mw(window), 0);
}

TEST_F(VerbsErrors, OfGarbledQueuesAreEnoent) {
  ibv_cq* queue = calls::create_cq(context(), 1, nullptr, nullptr, 0);
  ibv_srq_init_attr shared_init{nullptr, {1, 1, 0}};
  ibv_srq* shared = calls::create_srq(domain(), &shared_init);
  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = pair.client.send_queue;
  init.qp_type = IBV_QPT_RC;
  const auto create = [&] { return calls::create_qp(domain(), &init); };
  {
    const Garbled garbled(queue);
    fails(ENOENT, [&] { return calls::destroy_cq(queue); });
    fails(ENOENT, [&] { return calls::resize_cq(queue, 2); });
    fails(ENOENT, [&] { return req_notify_cq(queue, 0); });
    init.send_cq = queue;
    is_null(ENOENT, create);
    std::swap(init.send_cq, init.recv_cq);
    is_null(ENOENT, create);
  }
  {
    const Garbled garbled(shared);
    ibv_srq_attr attributes{};
    fails(ENOENT, [&] { return calls::destroy_srq(shared); });
    fails(ENOENT, [&] { return calls::query_srq(shared, &attributes); });
    fails(ENOENT, [&] { return calls::modify_srq(shared, &attributes, IBV_SRQ_LIMIT); });
    init.recv_cq = queue;
    init.srq = shared;
    is_null(ENOENT, create);
  }
  EXPECT_EQ(calls::destroy_cq(queue), 0);
  EXPECT_EQ(calls::destroy_srq(shared), 0);
}

TEST_F(VerbsErrors, OfAGarbledQueuePairAndAddressAreEnoent) {
  const Garbled garbled(pair.client.qp);
  ibv_qp_attr attributes{};
  ibv_qp_init_attr init{};
  fails(ENOENT, [&] { return calls::modify_qp(pair.client.qp, &attributes, 0); });
  fails(ENOENT, [&] { return calls::query_qp(pair.client.qp, &attributes, 0, &init); });
  fails(ENOENT, [&] { return calls::destroy_qp(pair.client.qp); });
  ibv_ah* handle = calls::create_ah(domain(), &towards_the_server);
  ASSERT_NE(handle, nullptr);
  {
    const Garbled garbled_handle(handle);
    fails(ENOENT, [&] { return calls::destroy_ah(handle); });
  }
  EXPECT_EQ(calls::destroy_ah(handle), 0);
}

/// One more than there may be is refused, and one that is gone makes room.
template <class Create, class Destroy>
void ends_at(int limit, int& count, const Create& create, const Destroy& destroy) {
  const int before = count;
  count = limit - 1;
  auto* last = create();
  ASSERT_NE(last, nullptr);
  errno = 0;
  EXPECT_EQ(create(), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(destroy(last), 0);
  EXPECT_EQ(count, limit - 1);
  count = before;
}

TEST_F(VerbsErrors, BeginWhereTheDevicesPromisesEnd) {
  const ibv_device_attr most = promised();
  ends_at(
      most.max_pd, census().domains, [&] { return calls::alloc_pd(context()); }, calls::dealloc_pd);
  ends_at(
      most.max_mr, census().regions, [&] { return register_bytes(); }, calls::dereg_mr);
  ends_at(
      most.max_mw, census().windows, [&] { return ibv_alloc_mw(domain(), IBV_MW_TYPE_1); },
      ibv_dealloc_mw);
  ends_at(
      most.max_ah, census().address_handles,
      [&] { return calls::create_ah(domain(), &towards_the_server); }, calls::destroy_ah);
  ends_at(
      most.max_cq, census().completion_queues,
      [&] { return calls::create_cq(context(), 1, nullptr, nullptr, 0); }, calls::destroy_cq);
  ibv_srq_init_attr init{nullptr, {1, 1, 0}};
  ends_at(
      most.max_srq, census().shared_receive_queues,
      [&] { return calls::create_srq(domain(), &init); }, calls::destroy_srq);
}

TEST_F(VerbsErrors, AnswerQueuesLongerThanPromised) {
  const ibv_device_attr most = promised();
  is_null(EINVAL,
          [&] { return calls::create_cq(context(), most.max_cqe + 1, nullptr, nullptr, 0); });
  const auto shared = [&](int requests, int elements) {
    ibv_srq_init_attr init{nullptr,
                           {static_cast<unsigned>(requests), static_cast<unsigned>(elements), 0}};
    return calls::create_srq(domain(), &init);
  };
  is_null(EINVAL, [&] { return shared(most.max_srq_wr + 1, 1); });
  is_null(EINVAL, [&] { return shared(1, most.max_srq_sge + 1); });
  const auto requests = static_cast<unsigned>(most.max_qp_wr);
  const auto elements = static_cast<unsigned>(most.max_sge);
  const std::vector<ibv_qp_cap> too_much = {{requests + 1, 1, 1, 1, 0},
                                            {1, requests + 1, 1, 1, 0},
                                            {1, 1, elements + 1, 1, 0},
                                            {1, 1, 1, elements + 1, 0},
                                            {1, 1, 1, 1, Limits{}.inline_bytes + 1}};
  for (const ibv_qp_cap& capacity : too_much) {
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = pair.client.send_queue;
    init.qp_type = IBV_QPT_RC;
    init.cap = capacity;
    is_null(EINVAL, [&] { return calls::create_qp(domain(), &init); });
  }
}

TEST_F(VerbsErrors, AreWhatAProgramInCGetsWhenMemoryRunsOut) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer ends the process when memory runs out";
#endif
  ibv_cq_init_attr_ex init{};
  init.cqe = static_cast<unsigned>(Limits{}.completions);  // 256 MiB
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const rlimit little{1 << 20, before.rlim_max};
  setrlimit(RLIMIT_AS, &little);
  errno = 0;
  const ibv_cq_ex* queue = ibv_create_cq_ex(context(), &init);
  const int error = errno;
  setrlimit(RLIMIT_AS, &before);
  EXPECT_EQ(queue, nullptr);
  EXPECT_EQ(error, ENOMEM);
}

TEST_F(VerbsErrors, AnswerMoreReadsThanPromised) {
  ibv_qp_attr attributes{};
  attributes.max_rd_atomic = static_cast<std::uint8_t>(promised().max_qp_init_rd_atom + 1);
  pair.client.modify(IBV_QPS_SQD);
  fails(EINVAL,
        [&] { return calls::modify_qp(pair.client.qp, &attributes, IBV_QP_MAX_QP_RD_ATOMIC); });
}

TEST_F(VerbsErrors, ComeNotWithTenThousandRegions) {
  std::vector<ibv_mr*> regions(10000);
  for (ibv_mr*& region : regions) region = register_bytes();
  for (ibv_mr* region : regions) {
    ASSERT_NE(region, nullptr);
    EXPECT_EQ(calls::dereg_mr(region), 0);
  }
}

class Reregistration : public VerbsErrors {
 protected:
  void TearDown() override {
    EXPECT_EQ(calls::dereg_mr(region), 0);
    EXPECT_EQ(calls::dealloc_pd(other), 0);
  }
  void refused(int result, int error, int flags, void* address, std::size_t length, int access) {
    errno = 0;
    EXPECT_EQ(calls::rereg_mr(region, flags, other, address, length, access), result) << flags;
    EXPECT_EQ(errno, error) << flags;
    EXPECT_EQ(region->pd, domain());
    EXPECT_EQ(region->addr, bytes.data());
    EXPECT_EQ(region->length, bytes.size());
  }

  std::array<std::byte, 32> elsewhere{};
  ibv_mr* region = register_bytes();
  ibv_pd* other = calls::alloc_pd(context());
};

TEST_F(Reregistration, ChangesWhatTheFlagsSayAndNothingElse) {
  for (int flags = 1; flags < 8; ++flags) {
    ibv_mr* changed = register_bytes();
    const std::uint32_t key = changed->lkey;
    const bool moves = (flags & IBV_REREG_MR_CHANGE_TRANSLATION) != 0;
    const bool grants = (flags & IBV_REREG_MR_CHANGE_ACCESS) != 0;
    const bool changes_domain = (flags & IBV_REREG_MR_CHANGE_PD) != 0;
    ASSERT_EQ(calls::rereg_mr(changed, flags, changes_domain ? other : nullptr,
                              moves ? elsewhere.data() : nullptr, moves ? elsewhere.size() : 0,
                              grants ? IBV_ACCESS_REMOTE_READ : 0),
              0)
        << flags;
    EXPECT_EQ(changed->addr, moves ? elsewhere.data() : bytes.data());
    EXPECT_EQ(changed->length, moves ? elsewhere.size() : bytes.size());
    EXPECT_EQ(changed->pd, changes_domain ? other : domain());
    EXPECT_EQ(changed->lkey != key, moves);
    EXPECT_EQ(static_cast<Region*>(changed)->access,
              static_cast<unsigned>(grants ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_LOCAL_WRITE));
    EXPECT_EQ(calls::dereg_mr(changed), 0);
  }
}

/// Manual page of ibv_rereg_mr: what libibverbs itself finds is ERR_INPUT.
TEST_F(Reregistration, RefusesWhatIsNotWellFormed) {
  constexpr int kMoves = IBV_REREG_MR_CHANGE_TRANSLATION;
  refused(IBV_REREG_MR_ERR_INPUT, EINVAL, 1 << 5, nullptr, 0, 0);
  refused(IBV_REREG_MR_ERR_INPUT, EINVAL, kMoves, elsewhere.data(), 0, 0);
  refused(IBV_REREG_MR_ERR_INPUT, EINVAL, kMoves, nullptr, 32, 0);
  refused(IBV_REREG_MR_ERR_INPUT, EINVAL, IBV_REREG_MR_CHANGE_PD, nullptr, 0,
          IBV_ACCESS_REMOTE_READ);
}

TEST_F(Reregistration, RefusesWhatTheDeviceCannotDo) {
  refused(IBV_REREG_MR_ERR_CMD, EINVAL, 0, nullptr, 0, 0);
  refused(IBV_REREG_MR_ERR_CMD, EINVAL, IBV_REREG_MR_CHANGE_ACCESS, nullptr, 0,
          IBV_ACCESS_REMOTE_WRITE);
  void* gone = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(gone, 4096);
  refused(IBV_REREG_MR_ERR_CMD, EFAULT, IBV_REREG_MR_CHANGE_TRANSLATION, gone, 4096, 0);
  errno = 0;
  EXPECT_EQ(calls::rereg_mr(region, IBV_REREG_MR_CHANGE_PD, nullptr, nullptr, 0, 0),
            IBV_REREG_MR_ERR_CMD);
  EXPECT_EQ(calls::rereg_mr(region, IBV_REREG_MR_CHANGE_PD, pair.server_host.domain, nullptr, 0, 0),
            IBV_REREG_MR_ERR_CMD);
  EXPECT_EQ(errno, EINVAL);
}

/// Receives that are shared name memory of the queue's domain (10.2.9.1).
TEST_F(VerbsErrors, OfMemoryAreJudgedByTheSharedQueuesDomain) {
  ibv_pd* other = calls::alloc_pd(context());
  ibv_srq_init_attr shared_init{nullptr, {4, 1, 0}};
  ibv_srq* shared = calls::create_srq(other, &shared_init);
  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = pair.client.send_queue;
  init.srq = shared;
  init.qp_type = IBV_QPT_RC;
  ibv_qp* qp = calls::create_qp(domain(), &init);
  EXPECT_EQ(queue_pair_of(qp).receive_domain(), other);
  EXPECT_EQ(pair.client.pair().receive_domain(), domain());
  EXPECT_EQ(calls::destroy_qp(qp), 0);
  EXPECT_EQ(calls::destroy_srq(shared), 0);
  EXPECT_EQ(calls::dealloc_pd(other), 0);
}

TEST_F(VerbsErrors, NeverMakeTheTimeOfDayRunBackwards) {
  ibv_cq_init_attr_ex init{};
  init.cqe = 20000;
  init.wc_flags =
      IBV_WC_EX_WITH_COMPLETION_TIMESTAMP | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK;
  ibv_cq_ex* queue = create_cq_ex(context(), &init);
  auto& completions = *static_cast<CompletionQueue*>(queue);
  for (unsigned i = 0; i < init.cqe; ++i) completions.add({}, false, pair.now);  // in one instant
  ibv_poll_cq_attr poll{};
  ASSERT_EQ(ibv_start_poll(queue, &poll), 0);
  std::uint64_t stamp = 0;
  std::uint64_t day = 0;
  do {
    EXPECT_GE(ibv_wc_read_completion_ts(queue), stamp);
    ASSERT_GE(ibv_wc_read_completion_wallclock_ns(queue), day);
    stamp = ibv_wc_read_completion_ts(queue);
    day = ibv_wc_read_completion_wallclock_ns(queue);
    EXPECT_EQ(ibv_wc_read_completion_wallclock_ns(queue), day);  // asked twice
  } while (ibv_next_poll(queue) == 0);
  ibv_end_poll(queue);
  EXPECT_EQ(calls::destroy_cq(completions.verbs()), 0);
}

}  // namespace
}  // namespace railgauge::softroce
