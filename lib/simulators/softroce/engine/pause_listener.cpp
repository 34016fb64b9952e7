#include "softroce/engine/pause_listener.hpp"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace railgauge::softroce {
namespace {

constexpr unsigned kSlotBytes = 256;  // a frame of 60 bytes and what the kernel says of it
constexpr unsigned kSlots = 64;
constexpr unsigned kRingBytes = kSlots * kSlotBytes;

bool set_packet_option(int descriptor, int option, const void* value, socklen_t bytes) {
  return setsockopt(descriptor, SOL_PACKET, option, value, bytes) == 0;
}

bool make_ring(int descriptor) {
  const int version = TPACKET_V2;
  const int on = 1;
  const tpacket_req request{.tp_block_size = kRingBytes,
                            .tp_block_nr = 1,
                            .tp_frame_size = kSlotBytes,
                            .tp_frame_nr = kSlots};
  return set_packet_option(descriptor, PACKET_VERSION, &version, sizeof version) &&
         set_packet_option(descriptor, PACKET_IGNORE_OUTGOING, &on, sizeof on) &&
         set_packet_option(descriptor, PACKET_RX_RING, &request, sizeof request);
}

}  // namespace

std::unique_ptr<PauseListener> PauseListener::open(const Interface& interface) {
  if (interface.index == 0 || std::strcmp(interface.name, "lo") == 0) return nullptr;
  const int descriptor = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return nullptr;
  std::unique_ptr<PauseListener> listener(new PauseListener(descriptor));
  if (!listener->listen(interface.index)) return nullptr;
  return listener;
}

PauseListener::~PauseListener() {
  if (ring_ != nullptr) munmap(ring_, kRingBytes);
  close(descriptor_);
}

bool PauseListener::listen(unsigned interface_index) {
  if (!make_ring(descriptor_)) return false;
  void* const mapped =
      mmap(nullptr, kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) return false;
  ring_ = static_cast<std::byte*>(mapped);
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(kMacControl);
  address.sll_ifindex = static_cast<int>(interface_index);
  return bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

std::optional<PauseQuanta> PauseListener::take() {
  std::optional<PauseQuanta> quanta;
  for (bool more = true; more && !quanta;) {
    std::byte* const slot = ring_ + next_ * kSlotBytes;
    auto* const header = reinterpret_cast<tpacket2_hdr*>(slot);
    const std::atomic_ref<__u32> status(header->tp_status);
    more = (status.load(std::memory_order_acquire) & TP_STATUS_USER) != 0;
    if (!more) continue;
    quanta = parse_pause({slot + header->tp_mac, header->tp_snaplen});
    status.store(TP_STATUS_KERNEL, std::memory_order_release);
    next_ = (next_ + 1) % kSlots;
  }
  return quanta;
}

}  // namespace railgauge::softroce
