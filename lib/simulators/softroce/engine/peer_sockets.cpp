#include "softroce/engine/peer_sockets.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace railgauge::softroce {

namespace {

struct Question {
  nlmsghdr header{};
  inet_diag_req_v2 request{};
};

constexpr std::uint32_t kAnyCookie = ~0U;  // INET_DIAG_NOCOOKIE

void copy_address(const Address& address, void* to) {
  const bool v4 = is_ipv4(address);
  const std::size_t bytes = v4 ? 4 : 16;
  std::memcpy(to, address.bytes.data() + (16 - bytes), bytes);
}

/// For UDP, "destination" is the socket asked for (net/ipv4/udp_diag.c: swapped for historical
/// reasons).
Question question_about(const Address& peer, std::uint16_t port) {
  Question asked;
  asked.header.nlmsg_len = sizeof asked;
  asked.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  asked.header.nlmsg_flags = NLM_F_REQUEST;
  asked.request.sdiag_family = is_ipv4(peer) ? AF_INET : AF_INET6;
  asked.request.sdiag_protocol = IPPROTO_UDP;
  asked.request.idiag_ext = 1U << (INET_DIAG_SKMEMINFO - 1);
  asked.request.idiag_states = ~0U;
  asked.request.id.idiag_dport = htons(port);
  copy_address(peer, asked.request.id.idiag_dst);
  asked.request.id.idiag_cookie[0] = asked.request.id.idiag_cookie[1] = kAnyCookie;
  return asked;
}

/// A socket bound to all addresses would be found, too, but is none of ours.
bool is_of(const inet_diag_msg& found, const Address& peer) {
  std::array<std::uint32_t, 4> address{};
  copy_address(peer, address.data());
  return std::memcmp(address.data(), found.id.idiag_src, sizeof address) == 0;
}

std::optional<Backlog> memory_of(const std::byte* attributes, std::size_t bytes) {
  while (bytes >= sizeof(nlattr)) {
    nlattr attribute{};
    std::memcpy(&attribute, attributes, sizeof attribute);
    const std::size_t step = NLA_ALIGN(attribute.nla_len);
    if (attribute.nla_len < sizeof attribute || step > bytes) break;
    if (attribute.nla_type == INET_DIAG_SKMEMINFO) {
      std::array<std::uint32_t, SK_MEMINFO_RCVBUF + 1> known{};
      if (attribute.nla_len < sizeof attribute + sizeof known) break;
      std::memcpy(known.data(), attributes + sizeof attribute, sizeof known);
      return Backlog{known[SK_MEMINFO_RMEM_ALLOC], known[SK_MEMINFO_RCVBUF]};
    }
    attributes += step;
    bytes -= step;
  }
  return {};
}

}  // namespace

PeerSockets::~PeerSockets() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool PeerSockets::open() {
  if (descriptor_ >= 0) return true;
  if (refused_) return false;
  descriptor_ = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
  refused_ = descriptor_ < 0;
  return !refused_;
}

std::optional<Backlog> PeerSockets::backlog(const Address& peer) {
  const auto found = find(peer, kRocePort);
  return found ? found->memory : std::nullopt;
}

PortHolder PeerSockets::holder(const Address& peer, std::uint16_t port) {
  const auto device = find(peer, kRocePort);
  if (!device) return PortHolder::unknown;
  const auto other = find(peer, port);
  return other && other->user == device->user ? PortHolder::device : PortHolder::another_user;
}

std::optional<PeerSockets::Socket> PeerSockets::find(const Address& peer, std::uint16_t port) {
  if (!open()) return {};
  const Question asked = question_about(peer, port);
  if (send(descriptor_, &asked, sizeof asked, 0) < 0) return {};
  alignas(nlmsghdr) std::array<std::byte, 1024> answer{};
  // The kernel answers within send().
  const ssize_t bytes = recv(descriptor_, answer.data(), answer.size(), 0);
  constexpr std::size_t kFixed = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(inet_diag_msg));
  if (bytes < static_cast<ssize_t>(kFixed)) return {};
  nlmsghdr header{};
  std::memcpy(&header, answer.data(), sizeof header);
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY) return {};
  inet_diag_msg found{};
  std::memcpy(&found, answer.data() + NLMSG_HDRLEN, sizeof found);
  if (!is_of(found, peer)) return {};
  return Socket{found.idiag_uid,
                memory_of(answer.data() + kFixed, static_cast<std::size_t>(bytes) - kFixed)};
}

}  // namespace railgauge::softroce
