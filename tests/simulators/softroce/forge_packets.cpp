// A connection of two queue pairs of soft0, and a process of another user that knows all their
// numbers, keys and addresses, and sends packets to them from the same address.
// The exit status is 0 if nothing came of it; 77 without the right to become another user.

#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "softroce/device/acknowledgement.hpp"
#include "softroce/engine/udp_socket.hpp"
#include "softroce/wire/icrc.hpp"
#include "softroce/wire/packet.hpp"

namespace {

using namespace railgauge::softroce;

constexpr uid_t kNobody = 65534;
constexpr int kSkipped = 77;
constexpr unsigned kFlowLabel = 0x12345;  // one end sends from a port of its own

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "forge_packets: %s\n", what);
  std::_Exit(1);
}

/// What the attacker knows.
struct Secrets {
  Address address{};
  std::array<std::uint32_t, 2> numbers{};
  std::uint32_t key = 0;
  std::uint64_t memory = 0;
};

void send(const UdpSocket& socket, std::uint16_t port, const Address& to, const Packet& packet,
          std::size_t payload) {
  std::vector<std::byte> bytes(kMaxHeaderBytes);
  bytes.resize(write_headers(packet, payload, bytes.data()));
  bytes.resize(bytes.size() + payload, std::byte{0x66});
  const iovec whole{bytes.data(), bytes.size()};
  const std::uint32_t crc =
      icrc({.source = to, .destination = to, .source_port = port}, {&whole, 1});
  const auto* end = reinterpret_cast<const std::byte*>(&crc);
  bytes.insert(bytes.end(), end, end + kIcrcBytes);
  sockaddr_storage name{};
  const socklen_t length = to_sockaddr(to, kRocePort, name);
  require(sendto(socket.descriptor(), bytes.data(), bytes.size(), 0,
                 reinterpret_cast<const sockaddr*>(&name), length) > 0,
          "cannot send");
}

void attack(const Secrets& known) {
  constexpr std::uint16_t kPort = 0xd00d;
  const UdpSocket socket(known.address, kPort);
  for (const std::uint32_t number : known.numbers) {
    const auto forge = [&](Packet packet, std::size_t payload) {
      packet.queue_pair = number;
      packet.ack_request = true;
      send(socket, kPort, known.address, packet, payload);
    };
    for (Psn psn = 0; psn < 4; ++psn) {
      forge({.operation = Operation::write_only,
             .psn = psn,
             .remote_address = known.memory,
             .remote_key = known.key,
             .dma_length = 8},
            8);
      forge({.operation = Operation::send_only, .psn = psn}, 8);
      forge({.operation = Operation::acknowledge,
             .psn = psn,
             .syndrome = static_cast<std::uint8_t>(Syndrome::remote_operation)},
            0);
    }
  }
}

/// Runs attack() as nobody once `known` is complete.
pid_t start_attacker(const Secrets& known, int start) {
  const pid_t attacker = fork();
  if (attacker != 0) return attacker;
  require(setresgid(kNobody, kNobody, kNobody) == 0 && setresuid(kNobody, kNobody, kNobody) == 0,
          "cannot become nobody");
  char byte = 0;
  if (read(start, &byte, 1) == 1) attack(known);
  std::_Exit(0);
}

class Victim {
 public:
  Victim() {
    int count = 0;
    ibv_device** devices = ibv_get_device_list(&count);
    require(count > 0, "no device");
    context_ = ibv_open_device(devices[0]);
    domain_ = ibv_alloc_pd(context_);
    region_ = ibv_reg_mr(domain_, memory_.data(), memory_.size(),
                         IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    queue_ = ibv_create_cq(context_, 64, nullptr, nullptr, 0);
    ibv_query_gid(context_, 1, 0, &gid_);
    for (ibv_qp*& pair : pairs_) {
      ibv_qp_init_attr init{};
      init.send_cq = init.recv_cq = queue_;
      init.cap = {8, 8, 1, 1, 0};
      init.qp_type = IBV_QPT_RC;
      pair = ibv_create_qp(domain_, &init);
    }
    connect(pairs_[0], pairs_[1], kFlowLabel);
    connect(pairs_[1], pairs_[0], 0);
    for (ibv_qp* pair : pairs_) receive(pair);
  }

  Secrets secrets() const {
    Secrets known{.numbers = {pairs_[0]->qp_num, pairs_[1]->qp_num},
                  .key = region_->rkey,
                  .memory = reinterpret_cast<std::uintptr_t>(memory_.data())};
    std::memcpy(known.address.bytes.data(), gid_.raw, sizeof gid_.raw);
    return known;
  }

  void check_untouched() {
    ibv_wc wc{};
    require(ibv_poll_cq(queue_, 1, &wc) == 0, "a forged packet completed a request");
    require(memory_[0] == 0, "a forged WRITE was carried out");
  }

  /// The connection is as good as before: by the port of the flow label, too.
  void check_alive() {
    ibv_sge piece{reinterpret_cast<std::uintptr_t>(&memory_[64]), 8, region_->lkey};
    ibv_send_wr request{};
    request.sg_list = &piece;
    request.num_sge = 1;
    request.opcode = IBV_WR_RDMA_WRITE;
    request.send_flags = IBV_SEND_SIGNALED;
    request.wr.rdma = {reinterpret_cast<std::uintptr_t>(memory_.data()), region_->rkey};
    for (ibv_qp* pair : pairs_) {
      ibv_send_wr* bad = nullptr;
      require(ibv_post_send(pair, &request, &bad) == 0, "cannot post");
      ibv_wc wc{};
      while (ibv_poll_cq(queue_, 1, &wc) == 0) {
      }
      require(wc.status == IBV_WC_SUCCESS, "the connection is broken");
    }
  }

 private:
  void connect(ibv_qp* pair, const ibv_qp* peer, unsigned flow_label) const {
    ibv_qp_attr to{};
    to.qp_state = IBV_QPS_INIT;
    to.port_num = 1;
    to.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
    const int init = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
    require(ibv_modify_qp(pair, &to, init) == 0, "INIT");
    to.qp_state = IBV_QPS_RTR;
    to.path_mtu = IBV_MTU_1024;
    to.dest_qp_num = peer->qp_num;
    to.ah_attr.is_global = 1;
    to.ah_attr.port_num = 1;
    to.ah_attr.grh.dgid = gid_;
    to.ah_attr.grh.flow_label = flow_label;
    const int receives = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                         IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    require(ibv_modify_qp(pair, &to, receives) == 0, "RTR");
    to.qp_state = IBV_QPS_RTS;
    to.timeout = 14;
    to.retry_cnt = 7;
    const int sends = IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                      IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC;
    require(ibv_modify_qp(pair, &to, sends) == 0, "RTS");
  }

  void receive(ibv_qp* pair) {
    ibv_sge piece{reinterpret_cast<std::uintptr_t>(&memory_[128]), 8, region_->lkey};
    ibv_recv_wr request{0, nullptr, &piece, 1};
    ibv_recv_wr* bad = nullptr;
    require(ibv_post_recv(pair, &request, &bad) == 0, "cannot post a receive");
  }

  std::vector<char> memory_ = std::vector<char>(4096);
  ibv_context* context_ = nullptr;
  ibv_pd* domain_ = nullptr;
  ibv_mr* region_ = nullptr;
  ibv_cq* queue_ = nullptr;
  ibv_gid gid_{};
  std::array<ibv_qp*, 2> pairs_{};
};

}  // namespace

int main() {
  if (geteuid() != 0) {
    std::puts("skipped: only root can become another user");
    return kSkipped;
  }
  void* shared =
      mmap(nullptr, sizeof(Secrets), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::array<int, 2> start{};
  require(shared != MAP_FAILED && pipe(start.data()) == 0, "no memory");
  auto& known = *static_cast<Secrets*>(shared);
  const pid_t attacker = start_attacker(known, start[0]);
  Victim victim;
  known = victim.secrets();
  static_cast<void>(write(start[1], "", 1));
  int status = 0;
  require(waitpid(attacker, &status, 0) == attacker && status == 0, "the attacker failed");
  victim.check_untouched();
  victim.check_alive();
  return 0;
}
