#include "softfabric/softswitch/packet_ring.hpp"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <system_error>

namespace railgauge::softfabric {
namespace {

constexpr std::size_t kHeaderRoom = 128;        // in front of a frame, in its slot
constexpr std::size_t kBlockBytes = 1U << 18U;  // what the kernel allocates at once

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

template <class Value>
void set(int descriptor, int option, const Value& value, const char* what) {
  if (setsockopt(descriptor, SOL_PACKET, option, &value, sizeof value) != 0) fail(what);
}

}  // namespace

PacketRing::PacketRing(std::size_t frames, std::size_t frame_bytes)
    : slot_bytes_(std::bit_ceil(frame_bytes + kHeaderRoom)),
      block_bytes_(std::max(slot_bytes_, kBlockBytes)),
      slots_(std::bit_ceil(std::max(frames, block_bytes_ / slot_bytes_))) {
  descriptor_ = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) fail("socket(AF_PACKET)");
  try {
    configure();
    map();
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

PacketRing::~PacketRing() {
  munmap(memory_, slots_ * slot_bytes_);
  close(descriptor_);
}

void PacketRing::configure() {
  set(descriptor_, PACKET_VERSION, int{TPACKET_V2}, "PACKET_VERSION");
  set(descriptor_, PACKET_IGNORE_OUTGOING, 1, "PACKET_IGNORE_OUTGOING");
  set(descriptor_, PACKET_QDISC_BYPASS, 1, "PACKET_QDISC_BYPASS");
  tpacket_req request{};
  request.tp_block_size = static_cast<unsigned>(block_bytes_);
  request.tp_frame_size = static_cast<unsigned>(slot_bytes_);
  request.tp_frame_nr = static_cast<unsigned>(slots_);
  request.tp_block_nr = static_cast<unsigned>(slots_ * slot_bytes_ / block_bytes_);
  set(descriptor_, PACKET_RX_RING, request, "PACKET_RX_RING");
}

/// Frames come from when it is bound.
void PacketRing::map() {
  void* const mapped =
      mmap(nullptr, slots_ * slot_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) fail("mmap of the packet ring");
  memory_ = static_cast<std::byte*>(mapped);
  sockaddr_ll all{};
  all.sll_family = AF_PACKET;
  all.sll_protocol = htons(ETH_P_ALL);
  if (bind(descriptor_, reinterpret_cast<const sockaddr*>(&all), sizeof all) == 0) return;
  const int error = errno;
  munmap(memory_, slots_ * slot_bytes_);
  errno = error;
  fail("bind(AF_PACKET)");
}

std::byte* PacketRing::slot() const {
  return memory_ + next_ * slot_bytes_;
}

std::optional<PacketRing::Frame> PacketRing::front() const {
  std::optional<Frame> frame;
  auto* const header = reinterpret_cast<tpacket2_hdr*>(slot());
  const std::atomic_ref<__u32> status(header->tp_status);
  if ((status.load(std::memory_order_acquire) & TP_STATUS_USER) == 0) return frame;
  const auto* const from =
      reinterpret_cast<const sockaddr_ll*>(slot() + TPACKET_ALIGN(sizeof(tpacket2_hdr)));
  frame.emplace();
  frame->netdev = from->sll_ifindex;
  frame->bytes = {slot() + header->tp_mac, header->tp_snaplen};
  frame->came = std::chrono::seconds(header->tp_sec) + std::chrono::nanoseconds(header->tp_nsec);
  return frame;
}

void PacketRing::pop() {
  auto* const header = reinterpret_cast<tpacket2_hdr*>(slot());
  const std::atomic_ref<__u32> status(header->tp_status);
  status.store(TP_STATUS_KERNEL, std::memory_order_release);
  next_ = (next_ + 1) % slots_;
}

std::uint64_t PacketRing::take_lost() {
  tpacket_stats statistics{};
  socklen_t size = sizeof statistics;
  if (getsockopt(descriptor_, SOL_PACKET, PACKET_STATISTICS, &statistics, &size) != 0) return 0;
  return statistics.tp_drops;
}

}  // namespace railgauge::softfabric
