// libFuzzer's view of queue pairs: RC, UC and UD ones, to which arbitrary packets come, of any
// opcode and shape, mostly with PSNs, keys and addresses that are near to what would be right,
// between posted work, passing time, regions and windows that go and connections that are made
// anew. Nothing may be touched but the registered memory, and no timer may be due for ever. Build:
// clang++ -fsanitize=fuzzer,address,undefined.

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"
#include "softroce/wire/big_endian.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

/// What libFuzzer gives, used up from its beginning; zeros behind its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  std::uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  std::vector<std::byte> bytes(std::size_t count) {
    std::vector<std::byte> taken(count);
    for (std::byte& one : taken) one = static_cast<std::byte>(byte());
    return taken;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

Options of(ibv_qp_type type) {
  Options options;
  options.type = type;
  options.memory_bytes = 2048;
  options.timeout = 4;
  options.retries = 1;
  options.requests = 8;
  options.completions = 16;
  options.access |= IBV_ACCESS_MW_BIND;
  return options;
}

class Fuzzed {
 public:
  explicit Fuzzed(Input input) : input_(input) {
    device_.port.now = peer_.port.now = Time(std::chrono::hours(1));
    for (std::size_t i = 0; i < ends_.size(); ++i) connect(i);
  }
  ~Fuzzed() {
    for (ibv_mw* window : windows_) ibv_dealloc_mw(window);
  }
  Fuzzed(const Fuzzed&) = delete;
  Fuzzed& operator=(const Fuzzed&) = delete;

  void run() {
    while (!input_.empty()) {
      step(input_.byte());
      device_.sends();
      const Time next = device_.port.next_timer();
      device_.port.run_timers();
      // What was due is done: whoever sleeps until the next timer must get to sleep.
      device_.sends();
      device_.port.run_timers();
      if (next <= device_.port.now && device_.port.next_timer() <= device_.port.now) std::abort();
      for (const End* end : ends_) {
        end->sent();
        end->received();
      }
      device_.events();
    }
  }

 private:
  void connect(std::size_t which) {
    End& end = *ends_[which];
    end.connect(*peers_[which]);
    // It reads and writes itself, as far as its requests go.
    end.remote_address = reinterpret_cast<std::uintptr_t>(end.memory.data());
    end.remote_key = end.options.type == IBV_QPT_UD ? 0x10 : end.region->rkey;
  }

  void step(std::uint8_t what) {
    End& end = *ends_[what / 16 % ends_.size()];
    switch (what % 16) {
      case 0: device_.port.now += std::chrono::microseconds(input_.byte()); return;
      case 1: device_.port.now += std::chrono::milliseconds(input_.byte()); return;
      case 2: return post(end);
      case 3: end.post_receive(1, input_.byte(), input_.byte() * 8U); return;
      case 4: return change(what / 16 % ends_.size());
      case 5: return raw(input_.bytes(input_.byte()));
      default: return packet(end);
    }
  }

  void post(End& end) {
    static constexpr std::array kOpcodes = {IBV_WR_SEND,
                                            IBV_WR_SEND_WITH_IMM,
                                            IBV_WR_RDMA_WRITE,
                                            IBV_WR_RDMA_WRITE_WITH_IMM,
                                            IBV_WR_RDMA_READ,
                                            IBV_WR_ATOMIC_CMP_AND_SWP,
                                            IBV_WR_ATOMIC_FETCH_AND_ADD,
                                            IBV_WR_SEND_WITH_INV,
                                            IBV_WR_LOCAL_INV,
                                            IBV_WR_BIND_MW};
    const ibv_wr_opcode opcode = kOpcodes[input_.byte() % kOpcodes.size()];
    if (opcode == IBV_WR_BIND_MW) return bind(end);
    end.immediate = windows_[1]->rkey;  // also the key of those that invalidate
    const bool atomic =
        opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
    end.post(opcode, 1, input_.byte(), atomic ? 8 : input_.byte() * 9U);
  }

  void bind(const End& end) {
    ibv_mw* window = windows_[input_.byte() % windows_.size()];
    const ibv_mw_bind_info info{end.region, end.remote_address + input_.byte(), input_.byte() * 8U,
                                input_.byte() | unsigned{IBV_ACCESS_REMOTE_WRITE}};
    if (window->type == IBV_MW_TYPE_1) {
      ibv_mw_bind request{1, 0, info};
      ibv_bind_mw(end.qp, window, &request);
      return;
    }
    ibv_send_wr request{};
    request.opcode = IBV_WR_BIND_MW;
    request.bind_mw = {window, ibv_inc_rkey(window->rkey), info};
    ibv_send_wr* bad = nullptr;
    post_send(end.qp, &request, &bad);
  }

  /// None that is bound to a region outlives it.
  void replace_windows() {
    for (ibv_mw*& window : windows_) {
      const ibv_mw_type type = window->type;
      ibv_dealloc_mw(window);
      window = ibv_alloc_mw(device_.domain, type);
    }
  }

  void change(std::size_t which) {
    End& end = *ends_[which];
    switch (input_.byte() % 4) {
      case 0: end.modify(IBV_QPS_ERR); return;
      case 1: end.modify(IBV_QPS_RESET); return connect(which);
      case 2:
        if (end.qp->state == IBV_QPS_RTS) end.modify(IBV_QPS_SQD);
        return;
      default:  // a region of the same memory with another key
        if (calls::dereg_mr(end.region) == EBUSY) {
          replace_windows();
          if (calls::dereg_mr(end.region) != 0) std::abort();
        }
        end.region = calls::reg_mr(device_.domain, end.memory.data(), end.memory.size(),
                                   reinterpret_cast<std::uintptr_t>(end.memory.data()),
                                   IBV_ACCESS_LOCAL_WRITE | end.options.access);
    }
  }

  void raw(const std::vector<std::byte>& bytes) {
    if (const auto parsed = parse(bytes))
      device_.port.deliver(*parsed, {peer_.port.address, input_.byte()});
  }

  /// Any opcode, and otherwise a packet that may be right.
  void packet(const End& end) {
    const std::uint8_t choices = input_.byte();
    const auto service = static_cast<unsigned>(end.pair().service());
    Packet made{.service = static_cast<Service>(service),
                .operation = static_cast<Operation>(input_.byte() & 0x1f)};
    const auto shift = static_cast<std::int8_t>((choices & 1) != 0 ? input_.byte() : 0);
    const Psn base =
        (choices & 2) != 0 ? end.pair().requester.next_psn() - 1 : end.pair().responder.expected();
    made.psn = (base + static_cast<std::uint32_t>(shift)) & kMask24;
    made.queue_pair = end.qp->qp_num;
    made.ack_request = (choices & 4) != 0;
    const std::uint8_t which = input_.byte();
    const std::uint32_t key =
        which < 128 ? end.region->rkey : windows_[which % windows_.size()]->rkey;
    made.remote_key = made.invalidate_key = key + ((choices & 8) != 0 ? input_.byte() : 0U);
    made.remote_address = end.remote_address + ((choices & 16) != 0 ? input_.byte() * 16U : 0U);
    made.dma_length = input_.byte() * ((choices & 32) != 0 ? 0x01000000U : 4U);
    made.syndrome = input_.byte();
    made.queue_key = 0x11111111;
    static constexpr std::array<std::size_t, 8> kSizes = {0, 1, 4, 255, 256, 257, 300, 512};
    std::size_t bytes = kSizes[choices / 32 % kSizes.size()];
    if (!has_payload(made.operation)) bytes = 0;
    const Flying whole = flying({}, made, input_.bytes(bytes));
    // A copy of exactly this size, so that the address sanitizer sees a read beyond it.
    raw(std::vector<std::byte>(whole.bytes.begin(), whole.bytes.end()));
  }

  Input input_;
  Host device_{ipv4(0x7f400001)}, peer_{ipv4(0x7f400002)};
  End reliable_{device_, of(IBV_QPT_RC)}, unreliable_{device_, of(IBV_QPT_UC)},
      datagrams_{device_, of(IBV_QPT_UD)};
  End reliable_peer_{peer_, of(IBV_QPT_RC)}, unreliable_peer_{peer_, of(IBV_QPT_UC)},
      datagram_peer_{peer_, of(IBV_QPT_UD)};
  std::array<ibv_mw*, 2> windows_{ibv_alloc_mw(device_.domain, IBV_MW_TYPE_1),
                                  ibv_alloc_mw(device_.domain, IBV_MW_TYPE_2)};
  std::array<End*, 3> ends_{&reliable_, &unreliable_, &datagrams_};
  std::array<End*, 3> peers_{&reliable_peer_, &unreliable_peer_, &datagram_peer_};
};

}  // namespace
}  // namespace railgauge::softroce

// libFuzzer prescribes the name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  railgauge::softroce::Fuzzed({data, size}).run();
  return 0;
}
