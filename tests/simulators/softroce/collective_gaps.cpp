// How long the iterations of a collective take when there are more processes than CPUs: a stall of
// the device shows as an iteration that is much longer than all others. Each iteration is a
// dissemination all-to-all (Hensgen, Finkel, Manber 1988): in step k every process sends to the one
// 2^k after it, so nobody ends before everybody has begun. usage: collective_gaps PROCESSES
// ITERATIONS BYTES; prints JSON, times in us, of the slowest process.

#include <infiniband/verbs.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostProcesses = 16;
constexpr int kReceives = 4;  // a process is at most one iteration ahead: two messages of one peer
constexpr int kWarmUp = 100;  // iterations that are not counted
constexpr unsigned kSeconds = 50;

struct Name {
  ibv_gid gid;
  std::array<std::uint32_t, kMostProcesses> queue_pairs;
};

struct Shared {
  std::array<Name, kMostProcesses> names;
  std::array<std::atomic<int>, 2> arrived;
};

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::_Exit(5);
}

template <typename T>
T* made(T* object, const char* what) {
  if (object == nullptr) fail(what);
  return object;
}

void succeeded(int error, const char* what) {
  if (error == 0) return;
  errno = error;
  fail(what);
}

class Process {
 public:
  Process(Shared& shared, int rank, int processes, std::uint32_t bytes)
      : shared_(shared), rank_(rank), processes_(processes), bytes_(bytes) {
    open();
    for (int peer = 0; peer < processes_; ++peer) create(peer);
    meet(0);
    for (int peer = 0; peer < processes_; ++peer) connect(peer);
    meet(1);
  }

  void iterate() {
    for (int distance = 1; distance < processes_; distance *= 2) {
      send((rank_ + distance) % processes_);
      const int from = (rank_ + processes_ - distance) % processes_;
      ++expected_[from];
      while (received_[from] < expected_[from] || sends_ > 0) poll();
    }
  }

 private:
  void open() {
    int count = 0;
    ibv_device** devices = made(ibv_get_device_list(&count), "ibv_get_device_list");
    ibv_device* soft = nullptr;
    for (ibv_device* device : std::span(devices, static_cast<std::size_t>(count))) {
      if (std::strcmp(ibv_get_device_name(device), "soft0") == 0) soft = device;
    }
    context_ = made(ibv_open_device(made(soft, "soft0")), "ibv_open_device");
    domain_ = made(ibv_alloc_pd(context_), "ibv_alloc_pd");
    queue_ = made(ibv_create_cq(context_, 256, nullptr, nullptr, 0), "ibv_create_cq");
    memory_.resize(2 * std::size_t{bytes_});
    region_ = made(ibv_reg_mr(domain_, memory_.data(), memory_.size(), IBV_ACCESS_LOCAL_WRITE),
                   "ibv_reg_mr");
    succeeded(ibv_query_gid(context_, 1, 0, &shared_.names[rank_].gid), "ibv_query_gid");
  }

  void create(int peer) {
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = queue_;
    init.cap = {.max_send_wr = kReceives,
                .max_recv_wr = kReceives,
                .max_send_sge = 1,
                .max_recv_sge = 1,
                .max_inline_data = 0};
    init.qp_type = IBV_QPT_RC;
    init.sq_sig_all = 1;
    queue_pairs_[peer] = made(ibv_create_qp(domain_, &init), "ibv_create_qp");
    shared_.names[rank_].queue_pairs[peer] = queue_pairs_[peer]->qp_num;
  }

  void connect(int peer) {
    const Name& name = shared_.names[peer];
    ibv_qp_attr attributes{};
    attributes.qp_state = IBV_QPS_INIT;
    attributes.port_num = 1;
    modify(peer, attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    for (int i = 0; i < kReceives; ++i) receive(peer);
    attributes.qp_state = IBV_QPS_RTR;
    attributes.path_mtu = IBV_MTU_4096;
    attributes.dest_qp_num = name.queue_pairs[rank_];
    attributes.min_rnr_timer = 1;
    attributes.ah_attr.is_global = 1;
    attributes.ah_attr.port_num = 1;
    attributes.ah_attr.grh.dgid = name.gid;
    attributes.ah_attr.grh.hop_limit = 64;
    modify(peer, attributes,
           IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
               IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    attributes.qp_state = IBV_QPS_RTS;
    attributes.timeout = 14;
    attributes.retry_cnt = attributes.rnr_retry = 7;
    modify(peer, attributes,
           IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
               IBV_QP_MAX_QP_RD_ATOMIC);
  }

  void modify(int peer, ibv_qp_attr& attributes, int mask) {
    succeeded(ibv_modify_qp(queue_pairs_[peer], &attributes, mask), "ibv_modify_qp");
  }

  /// Everybody comes here before anybody goes on.
  void meet(int place) {
    ++shared_.arrived[place];
    while (shared_.arrived[place] < processes_) sched_yield();
  }

  ibv_sge half(std::size_t index) {
    return {reinterpret_cast<std::uint64_t>(&memory_[index * bytes_]), bytes_, region_->lkey};
  }

  void receive(int peer) {
    ibv_sge element = half(1);
    ibv_recv_wr request{};
    request.wr_id = static_cast<std::uint64_t>(peer);
    request.sg_list = &element;
    request.num_sge = 1;
    ibv_recv_wr* bad = nullptr;
    succeeded(ibv_post_recv(queue_pairs_[peer], &request, &bad), "ibv_post_recv");
  }

  void send(int peer) {
    ibv_sge element = half(0);
    ibv_send_wr request{};
    request.sg_list = &element;
    request.num_sge = 1;
    request.opcode = IBV_WR_SEND;
    ibv_send_wr* bad = nullptr;
    succeeded(ibv_post_send(queue_pairs_[peer], &request, &bad), "ibv_post_send");
    ++sends_;
  }

  void poll() {
    ibv_wc completion{};
    if (ibv_poll_cq(queue_, 1, &completion) == 0) return;
    if (completion.status != IBV_WC_SUCCESS) {
      std::fprintf(stderr, "rank %d: %s\n", rank_, ibv_wc_status_str(completion.status));
      std::_Exit(3);
    }
    if (completion.opcode == IBV_WC_SEND) {
      --sends_;
      return;
    }
    const auto peer = static_cast<int>(completion.wr_id);
    ++received_[peer];
    receive(peer);
  }

  Shared& shared_;
  int rank_;
  int processes_;
  std::uint32_t bytes_;
  ibv_context* context_ = nullptr;
  ibv_pd* domain_ = nullptr;
  ibv_cq* queue_ = nullptr;
  ibv_mr* region_ = nullptr;
  std::vector<char> memory_;
  std::array<ibv_qp*, kMostProcesses> queue_pairs_{};
  std::array<std::uint64_t, kMostProcesses> received_{}, expected_{};
  int sends_ = 0;
};

void work(Shared& shared, int rank, int processes, std::uint32_t bytes, std::span<float> times) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(kSeconds);
  Process process(shared, rank, processes, bytes);
  for (int i = 0; i < kWarmUp; ++i) process.iterate();
  for (float& time : times) {
    const auto start = Clock::now();
    process.iterate();
    time = std::chrono::duration<float, std::micro>(Clock::now() - start).count();
  }
  // Its last acknowledgement may be somebody's only one: the device answers until all are done.
  sleep(1);
  std::exit(0);  // NOLINT(concurrency-mt-unsafe): the device prints its counters then
}

void print(std::vector<float> times) {
  std::ranges::sort(times);
  std::array<int, 24> bins{};
  for (const float time : times) {
    ++bins[std::min<std::size_t>(std::bit_width(static_cast<unsigned>(time)), bins.size() - 1)];
  }
  std::printf("{\"median_us\": %.1f, \"slowest_us\": %.1f, \"histogram\": [",
              static_cast<double>(times[times.size() / 2]), static_cast<double>(times.back()));
  for (std::size_t i = 0; i < bins.size(); ++i) {
    std::printf("%s{\"up_to_us\": %d, \"count\": %d}", i == 0 ? "" : ", ", 1 << i, bins[i]);
  }
  std::puts("]}");
}

template <typename T>
T* share(std::size_t count) {
  void* memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  return static_cast<T*>(memory);
}

/// The status of the first process that did not end well; the others are ended then.
int wait_for(std::span<const pid_t> children) {
  for (std::size_t left = children.size(); left > 0; --left) {
    int status = 0;
    wait(&status);
    if (status == 0) continue;
    for (const pid_t child : children) kill(child, SIGKILL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const int processes = count == 4 ? std::atoi(arguments[1]) : 0;
  const int iterations = count == 4 ? std::atoi(arguments[2]) : 0;
  const int bytes = count == 4 ? std::atoi(arguments[3]) : 0;
  if (processes < 2 || processes > kMostProcesses || iterations < 1 || bytes < 1) {
    std::fputs("usage: collective_gaps PROCESSES ITERATIONS BYTES\n", stderr);
    return 2;
  }
  auto& shared = *share<Shared>(1);
  const auto each = static_cast<std::size_t>(iterations);
  float* times = share<float>(each * static_cast<std::size_t>(processes));
  std::vector<pid_t> children;
  for (int rank = 0; rank < processes; ++rank) {
    const std::span own(times + static_cast<std::size_t>(rank) * each, each);
    const pid_t child = fork();
    if (child == 0) work(shared, rank, processes, static_cast<std::uint32_t>(bytes), own);
    children.push_back(child);
  }
  if (const int status = wait_for(children); status != 0) return status;
  std::vector<float> slowest(each);
  for (std::size_t i = 0; i < slowest.size(); ++i) {
    for (int rank = 0; rank < processes; ++rank) {
      slowest[i] = std::max(slowest[i], times[static_cast<std::size_t>(rank) * each + i]);
    }
  }
  print(std::move(slowest));
  return 0;
}
