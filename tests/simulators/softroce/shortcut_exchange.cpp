// Two processes, one queue pair each: the first does RDMA to the second, in one of the ways named
// below, and prints what came of it. shortcut_test runs it with and without the shortcut.
// usage: shortcut_exchange WAY
//   good           WRITE, READ and SEND of some MiB from three pieces; contents are compared
//   key, bounds, access, domain, deregistered, moved, unmapped, queue_pair
//                  a WRITE that the second has to refuse, for this reason
//   read           the same of a READ, for want of access
//   died           the second was killed

#include <infiniband/verbs.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kBytes = 3 * 1024 * 1024 + 5;
constexpr std::size_t kSkew = 3;  // nothing is aligned
constexpr useconds_t kUntilIntroduced = 200000;
constexpr int kEverything = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                            IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;

void require(bool condition, const char* what) {
  if (condition) return;
  std::perror(what);
  std::exit(2);
}

struct Invitation {
  ibv_gid gid{};
  std::uint32_t queue_pair = 0;
  std::uint32_t key = 0;
  std::uint64_t address = 0;
};

unsigned char pattern(std::size_t place) {
  return static_cast<unsigned char>(place * 7 + place / 251);
}

class End {
 public:
  End(int in, int out, const std::string& way) : in_(in), out_(out), way_(way) {
    int count = 0;
    ibv_device** devices = ibv_get_device_list(&count);
    for (int i = 0; i < count; ++i) {
      if (std::string(ibv_get_device_name(devices[i])) == "soft0")
        context = ibv_open_device(devices[i]);
    }
    require(context != nullptr, "soft0");
    domain = ibv_alloc_pd(context);
    queue = ibv_create_cq(context, 16, nullptr, nullptr, 0);
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = queue;
    init.qp_type = IBV_QPT_RC;
    init.cap = {8, 8, 3, 3, 0};
    qp = ibv_create_qp(domain, &init);
    require(qp != nullptr, "queue pair");
  }

  void tell(const void* what, std::size_t bytes) const {
    require(write(out_, what, bytes) == static_cast<ssize_t>(bytes), "write");
  }
  void hear(void* what, std::size_t bytes) const {
    require(read(in_, what, bytes) == static_cast<ssize_t>(bytes), "read");
  }

  Invitation meet(const ibv_mr& region) {
    Invitation mine{{}, qp->qp_num, region.rkey, reinterpret_cast<std::uintptr_t>(memory.data())};
    require(ibv_query_gid(context, 1, 0, &mine.gid) == 0, "gid");
    tell(&mine, sizeof mine);
    Invitation theirs;
    hear(&theirs, sizeof theirs);
    connect(theirs);
    char ready = 'r';
    tell(&ready, 1);
    hear(&ready, 1);
    usleep(kUntilIntroduced);
    return theirs;
  }

  ibv_wc wait() const {
    ibv_wc wc{};
    while (ibv_poll_cq(queue, 1, &wc) == 0) {
    }
    return wc;
  }

  ibv_context* context = nullptr;
  ibv_pd* domain;
  ibv_cq* queue;
  ibv_qp* qp;
  std::vector<unsigned char> memory = std::vector<unsigned char>(kBytes + kSkew);

 private:
  void connect(const Invitation& to) const {
    ibv_qp_attr attributes{};
    attributes.qp_state = IBV_QPS_INIT;
    attributes.port_num = 1;
    attributes.qp_access_flags = way_ == "queue_pair" ? 0 : kEverything;
    require(
        ibv_modify_qp(qp, &attributes,
                      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0,
        "INIT");
    attributes.qp_state = IBV_QPS_RTR;
    attributes.path_mtu = IBV_MTU_4096;
    attributes.dest_qp_num = to.queue_pair;
    attributes.max_dest_rd_atomic = attributes.max_rd_atomic = 4;
    attributes.ah_attr.is_global = 1;
    attributes.ah_attr.port_num = 1;
    attributes.ah_attr.grh.dgid = to.gid;
    attributes.ah_attr.grh.hop_limit = 64;
    require(
        ibv_modify_qp(qp, &attributes,
                      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0,
        "RTR");
    attributes.qp_state = IBV_QPS_RTS;
    attributes.timeout = 14;
    attributes.retry_cnt = 3;
    attributes.rnr_retry = 7;
    require(ibv_modify_qp(qp, &attributes,
                          IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                              IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC) == 0,
            "RTS");
  }

  int in_, out_;
  std::string way_;
};

ibv_mr* offer(End& end, const std::string& way) {
  int access = kEverything;
  if (way == "access") access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ;
  if (way == "read") access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
  ibv_pd* domain = way == "domain" ? ibv_alloc_pd(end.context) : end.domain;
  ibv_mr* region = ibv_reg_mr(domain, end.memory.data(), end.memory.size(), access);
  require(region != nullptr, "region");
  return region;
}

/// Its inner pages: what is left of the allocation is the allocator's.
void unmap(std::vector<unsigned char>& memory) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<std::uintptr_t>(memory.data()) / page + 1) * page;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  require(munmap(reinterpret_cast<void*>(first), kBytes / 2 / page * page) == 0, "munmap");
}

void take_back(End& end, ibv_mr* region, const std::string& way) {
  if (way == "deregistered") require(ibv_dereg_mr(region) == 0, "dereg");
  if (way == "moved") {
    require(ibv_rereg_mr(region, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0,
                         IBV_ACCESS_LOCAL_WRITE) == 0,
            "rereg");
  }
  if (way == "unmapped") unmap(end.memory);
  if (way == "died") kill(getpid(), SIGKILL);
}

/// The second: offers memory and says what it sees.
void serve(End& end, const std::string& way) {
  ibv_mr* region = offer(end, way);
  ibv_mr* own = ibv_reg_mr(end.domain, end.memory.data(), 1, IBV_ACCESS_LOCAL_WRITE);
  ibv_sge piece{reinterpret_cast<std::uintptr_t>(end.memory.data()), 1, own->lkey};
  ibv_recv_wr receive{1, nullptr, &piece, 1};
  ibv_recv_wr* bad = nullptr;
  end.meet(*region);
  require(ibv_post_recv(end.qp, &receive, &bad) == 0, "receive");
  char done = 0;
  end.hear(&done, 1);  // the first one's good WRITE
  take_back(end, region, way);
  end.tell(&done, 1);
  char verdict = 'y';
  if (way == "good") {
    verdict = end.wait().status == IBV_WC_SUCCESS ? 'y' : 'n';
    for (std::size_t i = 1; i < kBytes; ++i) {
      if (end.memory[kSkew + i] != pattern(i)) verdict = 'n';
    }
  } else {
    end.hear(&done, 1);
    ibv_qp_attr attributes{};
    ibv_qp_init_attr init{};
    require(ibv_query_qp(end.qp, &attributes, IBV_QP_STATE, &init) == 0, "query");
    verdict = attributes.qp_state == IBV_QPS_ERR ? 'e' : 'r';
  }
  end.tell(&verdict, 1);
  end.hear(&done, 1);
}

class First {
 public:
  First(End& end, const Invitation& to)
      : end_(end),
        to_(to),
        region_(ibv_reg_mr(end.domain, end.memory.data(), end.memory.size(), kEverything)) {}

  /// The pieces of [from, from + length) of memory, posted as one request.
  ibv_wc_status request(ibv_wr_opcode opcode, std::uint64_t remote, std::uint32_t length,
                        std::uint32_t key, bool wait = true) {
    const auto start = reinterpret_cast<std::uintptr_t>(end_.memory.data()) + kSkew;
    const std::uint32_t a = length / 5, b = length / 3, c = length - a - b;
    std::array<ibv_sge, 3> pieces{{{start, a, region_->lkey},
                                   {start + a, b, region_->lkey},
                                   {start + a + b, c, region_->lkey}}};
    ibv_send_wr wr{};
    wr.sg_list = pieces.data();
    wr.num_sge = 3;
    wr.opcode = opcode;
    wr.send_flags = wait ? IBV_SEND_SIGNALED : 0;
    wr.wr.rdma = {remote, key};
    ibv_send_wr* bad = nullptr;
    require(ibv_post_send(end_.qp, &wr, &bad) == 0, "post");
    return wait ? end_.wait().status : IBV_WC_SUCCESS;
  }

  std::string good() {
    for (std::size_t i = 0; i < kBytes; ++i) end_.memory[kSkew + i] = pattern(i);
    const auto bytes = static_cast<std::uint32_t>(kBytes);
    request(IBV_WR_RDMA_WRITE, to_.address + kSkew, bytes, to_.key, false);
    const auto sent = request(IBV_WR_SEND, 0, 1, 0);
    char verdict = 0;
    end_.hear(&verdict, 1);
    std::ranges::fill(end_.memory, 0);
    const auto got = request(IBV_WR_RDMA_READ, to_.address + kSkew, bytes, to_.key);
    bool same = true;
    for (std::size_t i = 0; i < kBytes; ++i) same = same && end_.memory[kSkew + i] == pattern(i);
    return std::string(ibv_wc_status_str(sent)) + ", content " + verdict + ", " +
           ibv_wc_status_str(got) + ", content " + (same ? 'y' : 'n');
  }

  std::string refused(const std::string& way) {
    const bool reads = way == "read";
    const auto status =
        request(reads ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE,
                to_.address + (way == "bounds" ? kSkew + 1 : kSkew),
                static_cast<std::uint32_t>(kBytes), way == "key" ? to_.key + 1 : to_.key);
    char verdict = '-';
    if (way != "died") {
      end_.tell(&verdict, 1);
      end_.hear(&verdict, 1);
    }
    return std::string(ibv_wc_status_str(status)) + ", peer's state " + verdict;
  }

 private:
  End& end_;
  Invitation to_;
  ibv_mr* region_;
};

/// Whether the peer lets a WRITE pass before it takes something back.
bool is_taken_back(const std::string& way) {
  return way == "deregistered" || way == "moved" || way == "unmapped" || way == "died";
}

void begin(End& end, const std::string& way) {
  const ibv_mr none{};
  const Invitation to = end.meet(none);
  First first(end, to);
  if (is_taken_back(way)) {
    const auto before = first.request(IBV_WR_RDMA_WRITE, to.address, 64, to.key);
    std::printf("%s, then ", ibv_wc_status_str(before));
  }
  char done = 'd';
  end.tell(&done, 1);
  if (way == "died") {
    wait(nullptr);
  } else {
    end.hear(&done, 1);
  }
  std::printf("%s\n", (way == "good" ? first.good() : first.refused(way)).c_str());
  if (way != "died") end.tell(&done, 1);
}

}  // namespace

int main(int argc, char** argv) {
  require(argc == 2, "usage: shortcut_exchange WAY");
  const std::string way = argv[1];
  std::array<int, 2> there{};
  std::array<int, 2> back{};
  require(pipe(there.data()) == 0 && pipe(back.data()) == 0, "pipe");
  alarm(60);
  const bool second = fork() == 0;
  // So that neither waits for one that has ended.
  close(second ? there[1] : there[0]);
  close(second ? back[0] : back[1]);
  if (second) {
    End end(there[0], back[1], way);
    serve(end, way);
    return 0;
  }
  End end(back[0], there[1], way);
  begin(end, way);
  return 0;
}
