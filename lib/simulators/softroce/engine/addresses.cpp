#include "softroce/engine/addresses.hpp"

#include <linux/filter.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {
namespace {

constexpr unsigned kPlaces = 256;
constexpr int kForwardTries = 16;
constexpr unsigned kPlaceOffset = 5;  // BTH: the first of the queue pair number's three bytes

// Precedes a forwarded datagram: everything that its IP and UDP headers said.
struct Prefix {
  Address source;
  Address destination;
  std::uint16_t source_port;
  std::uint16_t identification;
  std::uint8_t traffic_class;
  std::uint8_t hop_limit;
};

// An abstract name (unix(7)): not in any file system, and gone with its socket.
socklen_t name_of(const Address& address, unsigned place, sockaddr_un& name) {
  name = {};
  name.sun_family = AF_UNIX;
  const std::string text = "softroce/" + to_text(address) + "/" + std::to_string(place);
  std::memcpy(&name.sun_path[1], text.data(), text.size());
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
}

constexpr std::uint32_t kFirstNetwork = 0x7f400000;  // 127.64.0.0
constexpr std::uint32_t kLastHost = 0xfffe;
// If this many addresses in a row are taken, and one far away too, the port itself is taken.
constexpr std::uint32_t kSuspicious = 64;
constexpr std::uint32_t kFarAway = 0xfefe;

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error(what);
}

bool is_free(const Address& address) {
  try {
    const UdpSocket socket(address, kRocePort);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

Taken named(const Address& address) {
  try {
    // The place first: every process with a place is, or soon will be, among those the kernel
    // selects from.
    auto neighbours = std::make_unique<Neighbours>(address);
    UdpSocket socket(address, kRocePort, true);
    Neighbours::choose_by_queue_pair(socket.descriptor());
    return {address, std::move(socket), std::move(neighbours)};
  } catch (const std::system_error& error) {
    const std::string what = error.what();
    if (error.code().value() == EADDRINUSE) {
      refuse(what +
             ": another user's process has it, or the kernel's rdma_rxe, which takes the port "
             "on all addresses: use another address, or a network namespace of its own");
    }
    if (error.code().value() == EADDRNOTAVAIL) refuse(what + ": this host has no such address");
    throw;
  }
}

}  // namespace

unsigned place_of(std::span<const std::byte> datagram) {
  return datagram.size() > kPlaceOffset ? static_cast<unsigned>(datagram[kPlaceOffset]) : 0;
}

Neighbours::Neighbours(const Address& address)
    : address_(address),
      descriptor_(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
      buffer_(sizeof(Prefix) + kDatagramBytes) {
  constexpr int kOn = 1;
  setsockopt(descriptor_, SOL_SOCKET, SO_PASSCRED, &kOn, sizeof kOn);
  for (; descriptor_ >= 0 && place_ < kPlaces; ++place_) {
    sockaddr_un name;
    const socklen_t bytes = name_of(address, place_, name);
    if (bind(descriptor_, reinterpret_cast<const sockaddr*>(&name), bytes) == 0) return;
    if (errno != EADDRINUSE) break;
  }
  const int error = errno;
  abandon();
  throw std::system_error(error, std::generic_category(),
                          "a place among the processes on " + to_text(address));
}

Neighbours::~Neighbours() {
  abandon();
}

void Neighbours::abandon() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

void Neighbours::choose_by_queue_pair(int descriptor) {
  std::array<sock_filter, 2> program = {{
      {BPF_LD | BPF_B | BPF_ABS, 0, 0, kPlaceOffset},
      {BPF_RET | BPF_A, 0, 0, 0},
  }};
  const sock_fprog code{static_cast<unsigned short>(program.size()), program.data()};
  // Without it the kernel spreads packets by address, and most are forwarded: slower, but correct.
  setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &code, sizeof code);
}

void Neighbours::forward(const Datagram& datagram) const {
  sockaddr_un name;
  const socklen_t bytes = name_of(address_, place_of(datagram.bytes), name);
  Prefix prefix{datagram.source,         datagram.destination,   datagram.source_port,
                datagram.identification, datagram.traffic_class, datagram.hop_limit};
  std::array<iovec, 2> pieces{
      {{&prefix, sizeof prefix},
       {const_cast<std::byte*>(datagram.bytes.data()), datagram.bytes.size()}}};
  msghdr header{};
  header.msg_name = &name;
  header.msg_namelen = bytes;
  header.msg_iov = pieces.data();
  header.msg_iovlen = pieces.size();
  // Its queue holds net.unix.max_dgram_qlen messages, 10 by default: the receiver may need this CPU
  // to drain them. What is lost anyway is retransmitted, as on any wire.
  for (int tries = 0; tries < kForwardTries; ++tries) {
    if (sendmsg(descriptor_, &header, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || errno != EAGAIN) return;
    sched_yield();
  }
}

/// Anybody can send to an abstract name: only this user's processes are neighbours.
ssize_t Neighbours::receive() {
  iovec piece{buffer_.data(), buffer_.size()};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(ucred))> control{};
  msghdr header{};
  header.msg_iov = &piece;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  const ssize_t bytes = recvmsg(descriptor_, &header, MSG_DONTWAIT);
  const cmsghdr* first = bytes < 0 ? nullptr : CMSG_FIRSTHDR(&header);
  if (first == nullptr || first->cmsg_type != SCM_CREDENTIALS) return std::min<ssize_t>(bytes, 0);
  ucred sender{};
  std::memcpy(&sender, CMSG_DATA(first), sizeof sender);
  return sender.uid == getuid() ? bytes : 0;
}

std::optional<Datagram> Neighbours::take() {
  ssize_t bytes = receive();
  while (bytes >= 0 && bytes < static_cast<ssize_t>(sizeof(Prefix))) bytes = receive();
  if (bytes < 0) return {};
  Prefix prefix;
  std::memcpy(&prefix, buffer_.data(), sizeof prefix);
  return Datagram{prefix.source,
                  prefix.destination,
                  prefix.source_port,
                  prefix.traffic_class,
                  prefix.hop_limit,
                  prefix.identification,
                  {buffer_.begin() + sizeof prefix, buffer_.begin() + bytes}};
}

Taken take_address(const Settings& settings, int rail) {
  if (!settings.addresses.empty()) return named(settings.addresses[static_cast<std::size_t>(rail)]);
  const std::uint32_t network = kFirstNetwork + (static_cast<std::uint32_t>(rail) << 16);
  // Binding would succeed, and then every packet would be lost.
  if (!interface_of(ipv4(network)).up) {
    refuse("there is no 127.0.0.0/8: is the loopback interface up? (ip link set lo up)");
  }
  for (std::uint32_t host = 1; host <= kLastHost; ++host) {
    const Address address = ipv4(network + host);
    try {
      return {address, UdpSocket(address, kRocePort), nullptr};
    } catch (const std::system_error& error) {
      if (error.code().value() != EADDRINUSE) throw;
    }
    if (host == kSuspicious && !is_free(ipv4(network + kFarAway))) {
      refuse(
          "UDP port 4791 is taken on every address: the kernel's rdma_rxe is loaded, or another "
          "program has it. Use rdma_rxe's devices, or run in a network namespace of its own: "
          "unshare --user --map-root-user --net sh -c 'ip link set lo up; exec COMMAND'");
    }
  }
  refuse("no address is left in " + to_text(ipv4(network)) + "/16");
}

}  // namespace railgauge::softroce
