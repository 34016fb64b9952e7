// Many threads that use one soft0 at once: they post receives to one shared receive queue, share
// one between their queue pairs, and create, connect and destroy queue pairs while others read.
// The exit status is 0 if all that is to complete did, in time and in order.

#include <infiniband/verbs.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr unsigned kDepth = 64;
constexpr std::size_t kBytes = 1024;  // of a message

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "many_threads: %s\n", what);
  std::_Exit(1);
}

class Device {
 public:
  Device() {
    int count = 0;
    ibv_device** const devices = ibv_get_device_list(&count);
    require(devices != nullptr && count > 0, "there is no device");
    context = ibv_open_device(devices[0]);
    require(context != nullptr, "the device does not open");
    domain = ibv_alloc_pd(context);
    constexpr int kAccess =
        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
    region = ibv_reg_mr(domain, memory_.data(), memory_.size(), kAccess);
    require(region != nullptr && ibv_query_gid(context, 1, 0, &gid) == 0, "it has no memory");
  }

  [[nodiscard]] ibv_cq* queue(unsigned depth) const {
    ibv_cq* const made = ibv_create_cq(context, static_cast<int>(depth), nullptr, nullptr, 0);
    require(made != nullptr, "there is no completion queue");
    return made;
  }

  [[nodiscard]] ibv_srq* shared_queue(unsigned depth) const {
    ibv_srq_init_attr init{};
    init.attr = {.max_wr = depth, .max_sge = 1, .srq_limit = 0};
    ibv_srq* const made = ibv_create_srq(domain, &init);
    require(made != nullptr, "there is no shared receive queue");
    return made;
  }

  [[nodiscard]] ibv_sge slice(std::size_t index) const {
    const auto address = reinterpret_cast<std::uint64_t>(region->addr) + index * kBytes;
    return {.addr = address, .length = kBytes, .lkey = region->lkey};
  }

  ibv_context* context = nullptr;
  ibv_pd* domain = nullptr;
  ibv_mr* region = nullptr;
  ibv_gid gid{};

 private:
  std::vector<std::byte> memory_ = std::vector<std::byte>(2048 * kBytes);
};

/// Two queue pairs that are connected with each other.
class Pair {
 public:
  Pair(const Device& device, ibv_cq* queue, ibv_srq* receives, unsigned depth = kDepth) {
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = queue;
    init.srq = receives;
    init.qp_type = IBV_QPT_RC;
    init.sq_sig_all = 1;
    init.cap.max_send_wr = depth;
    init.cap.max_send_sge = init.cap.max_recv_sge = init.cap.max_recv_wr = 1;
    for (ibv_qp*& end : ends) {
      end = ibv_create_qp(device.domain, &init);
      require(end != nullptr, "there is no queue pair");
    }
    connect(device, ends[0], ends[1]);
    connect(device, ends[1], ends[0]);
  }

  void destroy(std::size_t end) const {
    require(ibv_destroy_qp(ends[end]) == 0, "a queue pair is not destroyed");
  }

  void post(const ibv_sge& slice, std::uint64_t id, bool read, const ibv_mr& region) const {
    ibv_sge from = slice;
    ibv_send_wr request{};
    request.wr_id = id;
    request.sg_list = &from;
    request.num_sge = 1;
    request.opcode = read ? IBV_WR_RDMA_READ : IBV_WR_SEND;
    request.wr.rdma = {.remote_addr = reinterpret_cast<std::uint64_t>(region.addr),
                       .rkey = region.rkey};
    ibv_send_wr* bad = nullptr;
    require(ibv_post_send(ends[0], &request, &bad) == 0, "a request is not taken");
  }

  std::array<ibv_qp*, 2> ends{};

 private:
  static void connect(const Device& device, ibv_qp* end, const ibv_qp* peer) {
    ibv_qp_attr to{};
    to.qp_state = IBV_QPS_INIT;
    to.port_num = 1;
    to.qp_access_flags = IBV_ACCESS_REMOTE_READ;
    modify(end, to, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    to.qp_state = IBV_QPS_RTR;
    to.path_mtu = IBV_MTU_1024;
    to.dest_qp_num = peer->qp_num;
    to.max_dest_rd_atomic = to.max_rd_atomic = 1;
    to.min_rnr_timer = 12;  // 0.64 ms
    to.ah_attr.is_global = 1;
    to.ah_attr.port_num = 1;
    to.ah_attr.grh.dgid = device.gid;
    to.ah_attr.grh.hop_limit = 64;
    modify(end, to,
           IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
               IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    to.qp_state = IBV_QPS_RTS;
    to.timeout = 14;  // 67 ms
    to.retry_cnt = to.rnr_retry = 5;
    modify(end, to,
           IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
               IBV_QP_MAX_QP_RD_ATOMIC);
  }

  static void modify(ibv_qp* end, ibv_qp_attr& to, int mask) {
    require(ibv_modify_qp(end, &to, IBV_QP_STATE | mask) == 0, "a queue pair does not connect");
  }
};

ibv_wc next(ibv_cq* queue) {
  const auto end = Clock::now() + seconds(20);
  ibv_wc completion{};
  int count = 0;
  while ((count = ibv_poll_cq(queue, 1, &completion)) == 0)
    require(Clock::now() < end, "a completion did not come in 20 s");
  require(count == 1, "a completion queue cannot be polled");
  return completion;
}

void receive(const Device& device, ibv_srq* queue, std::uint64_t id) {
  ibv_sge into = device.slice(id);
  ibv_recv_wr request{};
  request.wr_id = id;
  request.sg_list = &into;
  request.num_sge = 1;
  ibv_recv_wr* bad = nullptr;
  require(ibv_post_srq_recv(queue, &request, &bad) == 0, "a receive is not taken");
}

void in_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

/// Each of the receives that all of them post takes one message; a message too many finds none.
void post_to_one_queue(const Device& device) {
  constexpr std::size_t kThreads = 50, kEach = 20, kAll = kThreads * kEach;
  ibv_cq* const queue = device.queue(3 * kAll);
  ibv_srq* const receives = device.shared_queue(kAll);
  const Pair pair(device, queue, receives, kAll + 1);
  in_threads(kThreads, [&](std::size_t thread) {
    for (std::size_t i = 0; i < kEach; ++i) receive(device, receives, thread * kEach + i);
  });
  for (std::size_t i = 0; i <= kAll; ++i)
    pair.post(device.slice(kAll), kAll + i, false, *device.region);
  std::vector<int> came(2 * kAll);
  for (std::size_t i = 0; i < 2 * kAll; ++i) {
    const ibv_wc completion = next(queue);
    require(completion.status == IBV_WC_SUCCESS, "a message failed");
    require(++came[completion.wr_id] == 1, "a completion came twice");
  }
  require(next(queue).status == IBV_WC_RNR_RETRY_EXC_ERR, "a message arrived in no receive");
}

/// Each sends its share of the receives, and gives them back before it sends again.
void share_one_queue(const Device& device) {
  constexpr std::size_t kThreads = 32, kEach = 32, kRounds = 8;
  ibv_srq* const receives = device.shared_queue(kThreads * kEach);
  for (std::size_t i = 0; i < kThreads * kEach; ++i) receive(device, receives, i);
  in_threads(kThreads, [&](std::size_t thread) {
    ibv_cq* const queue = device.queue(2 * kEach);
    const Pair pair(device, queue, receives);
    for (std::size_t round = 0; round < kRounds; ++round) {
      for (std::size_t i = 0; i < kEach; ++i)
        pair.post(device.slice(kThreads * kEach + thread), i, false, *device.region);
      std::size_t sent = 0;
      std::vector<std::uint64_t> taken;
      while (sent + taken.size() < 2 * kEach) {
        const ibv_wc completion = next(queue);
        require(completion.status == IBV_WC_SUCCESS, "a message failed");
        if (completion.opcode == IBV_WC_RECV) {
          taken.push_back(completion.wr_id);
        } else {
          require(completion.wr_id == sent++, "sends completed out of order");
        }
      }
      for (const std::uint64_t id : taken) receive(device, receives, id);
    }
    for (const std::size_t end : {0, 1}) pair.destroy(end);
    require(ibv_destroy_cq(queue) == 0, "a completion queue is not destroyed");
  });
}

void create_read_destroy(const Device& device) {
  in_threads(64, [&](std::size_t thread) {
    for (int round = 0; round < 4; ++round) {
      ibv_cq* const queue = device.queue(kDepth);
      const Pair pair(device, queue, nullptr);
      for (std::uint64_t i = 0; i < 16; ++i) {
        pair.post(device.slice(thread + 1), i, true, *device.region);
        const ibv_wc completion = next(queue);
        require(completion.status == IBV_WC_SUCCESS && completion.wr_id == i, "a READ failed");
      }
      for (const std::size_t end : {0, 1}) pair.destroy(end);
      require(ibv_destroy_cq(queue) == 0, "a completion queue is not destroyed");
    }
  });
}

/// What is under way to a queue pair that is destroyed fails; what others read does not.
void destroy_what_is_read(const Device& device) {
  constexpr std::size_t kThreads = 8;
  std::atomic<std::size_t> destroyed = 0;
  in_threads(kThreads + 1, [&](std::size_t thread) {
    ibv_cq* const queue = device.queue(2 * kDepth);
    const Pair pair(device, queue, nullptr);
    const auto post = [&] { pair.post(device.slice(thread + 1), 0, true, *device.region); };
    if (thread == kThreads) {
      for (; destroyed < kThreads; std::this_thread::yield()) {
        post();
        require(next(queue).status == IBV_WC_SUCCESS, "a READ of another queue pair failed");
      }
      return;
    }
    for (unsigned i = 0; i < kDepth; ++i) post();
    require(next(queue).status == IBV_WC_SUCCESS, "the first READ failed");
    pair.destroy(1);
    for (unsigned i = 1; i < kDepth; ++i) {
      const ibv_wc_status status = next(queue).status;
      if (status != IBV_WC_SUCCESS)
        require(status == IBV_WC_RETRY_EXC_ERR || status == IBV_WC_WR_FLUSH_ERR, "a wrong error");
    }
    ++destroyed;
  });
}

}  // namespace

int main() {
  const Device device;
  post_to_one_queue(device);
  share_one_queue(device);
  create_read_destroy(device);
  destroy_what_is_read(device);
}
