#include "paths/udp_prober.hpp"

#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "paths/source_port.hpp"

namespace railgauge::paths {
namespace {

using Clock = std::chrono::steady_clock;
using topology::IpAddress;

/// Where traceroute has sent to for ever, so that nobody listens.
constexpr std::uint16_t kDeafPort = 33434;
constexpr std::size_t kBthBytes = 12;
constexpr std::size_t kPayloadBytes = kBthBytes + 4;  // and an ICRC, which is wrong
constexpr std::size_t kHeaderBytes = 28;              // of IPv4 and UDP
using Payload = std::array<std::uint8_t, kPayloadBytes>;
/// Most answers that are still missing when others have long come will not come: hosts and switches
/// send a few a second only.
constexpr int kTimesTheSlowest = 10;
constexpr std::chrono::milliseconds kLeastPatience{50};

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Nobody needs rights to send datagrams, so that somebody has forbidden it.
[[noreturn]] void fail_to_send(const std::string& what) {
  const bool forbidden = errno == EPERM || errno == EACCES;
  fail(what + (forbidden ? " (a firewall or a route of this host forbids it: allow UDP to ports "
                           "4791 and 33434)"
                         : ""));
}

sockaddr_in socket_address(const IpAddress& address, std::uint16_t port) {
  sockaddr_in made{};
  made.sin_family = AF_INET;
  made.sin_port = htons(port);
  std::memcpy(&made.sin_addr, address.bytes.data() + address.bytes.size() - 4, 4);
  return made;
}

IpAddress address_of(const sockaddr_in& from) {
  std::array<std::uint8_t, 4> bytes{};
  std::memcpy(bytes.data(), &from.sin_addr, bytes.size());
  return topology::ipv4_address(bytes);
}

/// A base transport header (InfiniBand volume 1, 9.2): SEND only, of a reliable connection, with
/// the probe's number for a packet sequence number.
Payload payload_of(std::uint32_t queue_pair, std::uint32_t number) {
  constexpr std::uint8_t kSendOnly = 0x04;
  const auto byte = [](std::uint32_t value, unsigned at) {
    return static_cast<std::uint8_t>(value >> 8U * at);
  };
  return {kSendOnly,
          0,
          0xff,
          0xff,
          0,
          byte(queue_pair, 2),
          byte(queue_pair, 1),
          byte(queue_pair, 0),
          0,
          byte(number, 2),
          byte(number, 1),
          byte(number, 0)};
}

/// Whether what ICMP has quoted is this probe, or too little to tell.
bool is_of(const Payload& quoted, std::size_t bytes, std::uint32_t number) {
  if (bytes < kBthBytes) return true;
  const Payload expected = payload_of(0, number);
  return std::memcmp(quoted.data() + kBthBytes - 3, expected.data() + kBthBytes - 3, 3) == 0;
}

Answer::Kind kind_of(const sock_extended_err& error, const IpAddress& from, const IpAddress& peer) {
  if (error.ee_type == ICMP_TIME_EXCEEDED) return Answer::Kind::expired;
  const bool deaf = error.ee_type == ICMP_DEST_UNREACH && error.ee_code == ICMP_PORT_UNREACH;
  return deaf && from == peer ? Answer::Kind::arrived : Answer::Kind::refused;
}

/// The netdev that has the address; empty if it is of loopback, where any will do.
std::string netdev_of(const IpAddress& address) {
  if (topology::is_loopback(address)) return "";
  for (const topology::NetAddress& one : topology::addresses_here()) {
    if (one.address == address) return one.netdev;
  }
  throw std::invalid_argument(to_string(address) +
                              " is no address of this host; `ip -4 addr` lists them");
}

void check_ipv4(const IpAddress& address) {
  if (!topology::is_ipv4(address)) {
    throw std::invalid_argument(to_string(address) + ": paths are traced over IPv4 only");
  }
}

}  // namespace

/// Bound to a source port.
class UdpProber::Socket {
 public:
  Socket(const ProberSettings& settings, const std::string& netdev, std::uint16_t port)
      : settings_(settings), descriptor_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    if (descriptor_ < 0) fail("cannot open a UDP socket to probe paths with");
    // Packets of the NIC leave by its port, wherever routes point. Without the right to say so, or
    // in old kernels, routes decide.
    if (!netdev.empty()) {
      ::setsockopt(descriptor_, SOL_SOCKET, SO_BINDTODEVICE, netdev.c_str(),
                   static_cast<socklen_t>(netdev.size()));
    }
    set(IP_RECVERR, 1);
    set(IP_TOS, settings.traffic_class);
    if (settings.packet_bytes > 0) set(IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
    const sockaddr_in own = socket_address(settings.from, port);
    error_ =
        ::bind(descriptor_, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0 ? 0 : errno;
  }
  ~Socket() { ::close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  [[nodiscard]] int error() const { return error_; }  // of bind()
  [[nodiscard]] int descriptor() const { return descriptor_; }

  void send(const Probe& probe, std::uint32_t number) {
    set(IP_TTL, probe.ttl);
    const Payload head = payload_of(probe.queue_pair.value_or(0), number);
    std::vector<std::uint8_t> payload(head.begin(), head.end());
    payload.resize(
        std::max(payload.size(),
                 std::max<std::size_t>(settings_.packet_bytes, kHeaderBytes) - kHeaderBytes));
    const sockaddr_in to = socket_address(settings_.to, probe.queue_pair ? kRocePort : kDeafPort);
    for (int tried = 0; tried < 2; ++tried) {
      const auto sent = ::sendto(descriptor_, payload.data(), payload.size(), 0,
                                 reinterpret_cast<const sockaddr*>(&to), sizeof to);
      if (sent >= 0 || tried > 0) {
        if (sent < 0)
          fail_to_send("cannot send a probe from " + to_string(settings_.from) + " to " +
                       to_string(settings_.to));
        return;
      }
      drain();  // what an earlier probe met is reported by the next call
    }
  }

  /// What is left of earlier probes.
  void drain() {
    while (receive(0).waiting) {
    }
  }

  struct Received {
    bool waiting = false;  // there was something
    std::optional<Answer> answer{};
  };

  /// The next in the error queue, if it is about that probe.
  [[nodiscard]] Received receive(std::uint32_t number) {
    Payload quoted{};
    iovec part{quoted.data(), quoted.size()};
    alignas(cmsghdr) std::array<char, 512> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    Received received;
    const auto bytes = ::recvmsg(descriptor_, &message, MSG_ERRQUEUE | MSG_DONTWAIT);
    if (bytes < 0) return received;
    received.waiting = true;
    if (is_of(quoted, static_cast<std::size_t>(bytes), number)) received.answer = answer(message);
    return received;
  }

 private:
  void set(int option, int value) const {
    if (::setsockopt(descriptor_, IPPROTO_IP, option, &value, sizeof value) != 0)
      fail("cannot set up a UDP socket to probe paths with");
  }

  [[nodiscard]] std::optional<Answer> answer(msghdr& message) const {
    std::optional<Answer> found;
    for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
      if (one->cmsg_level != IPPROTO_IP || one->cmsg_type != IP_RECVERR) continue;
      struct {
        sock_extended_err error;
        sockaddr_in from;
      } told{};
      if (one->cmsg_len < CMSG_LEN(sizeof told)) continue;
      std::memcpy(&told, CMSG_DATA(one), sizeof told);
      if (told.error.ee_origin != SO_EE_ORIGIN_ICMP || told.from.sin_family != AF_INET) continue;
      const IpAddress from = address_of(told.from);
      found = Answer{kind_of(told.error, from, settings_.to), from};
    }
    return found;
  }

  const ProberSettings& settings_;
  int descriptor_;
  int error_ = 0;
};

/// The probes of one call.
class UdpProber::Round {
 public:
  Round(UdpProber& prober, std::span<const Probe> probes)
      : prober_(prober),
        probes_(probes),
        numbers_(probes.size()),
        sent_at_(probes.size()),
        answers_(probes.size()) {
    polled_.reserve(probes.size());
    for (const Probe& probe : probes) polled_.push_back({socket(probe).descriptor(), 0, 0});
  }

  std::vector<std::optional<Answer>> run() {
    const auto pause =
        std::chrono::microseconds(std::micro::den) / prober_.settings_.probes_per_second;
    for (std::size_t at = 0; at < probes_.size(); ++at) {
      numbers_[at] = prober_.next_number_++;
      socket(probes_[at]).drain();
      sent_at_[at] = Clock::now();
      socket(probes_[at]).send(probes_[at], numbers_[at]);
      ++sent_;
      collect(Clock::now() + pause);
    }
    const auto last = Clock::now();
    while (answered_ < probes_.size() && Clock::now() < last + patience()) wait(last + patience());
    return std::move(answers_);
  }

 private:
  [[nodiscard]] Socket& socket(const Probe& probe) const {
    return *prober_.sockets_.at(probe.source_port);
  }

  [[nodiscard]] Clock::duration patience() const {
    const Clock::duration most = prober_.settings_.patience;
    const Clock::duration slowest = prober_.slowest_answer_;
    if (slowest == Clock::duration::zero()) return most;
    return std::min(most, std::max<Clock::duration>(kLeastPatience, kTimesTheSlowest * slowest));
  }

  void collect(Clock::time_point until) {
    do {
      wait(until);
    } while (Clock::now() < until);
  }

  /// For something to arrive, or until then.
  void wait(Clock::time_point until) {
    const auto left = std::max<Clock::duration>(Clock::duration::zero(), until - Clock::now());
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec time{whole.count(), std::chrono::nanoseconds(left - whole).count()};
    if (::ppoll(polled_.data(), polled_.size(), &time, nullptr) <= 0) return;
    for (std::size_t at = 0; at < sent_; ++at) {
      if (polled_[at].revents != 0) take(at);
    }
  }

  void take(std::size_t at) {
    for (;;) {
      const Socket::Received received = socket(probes_[at]).receive(numbers_[at]);
      if (!received.waiting) return;
      if (!received.answer || answers_[at]) continue;
      answers_[at] = received.answer;
      prober_.slowest_answer_ = std::max(prober_.slowest_answer_, Clock::now() - sent_at_[at]);
      ++answered_;
    }
  }

  UdpProber& prober_;
  std::span<const Probe> probes_;
  std::vector<pollfd> polled_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Clock::time_point> sent_at_;
  std::vector<std::optional<Answer>> answers_;
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
};

UdpProber::UdpProber(const ProberSettings& settings) : settings_(settings) {
  check_ipv4(settings.from);
  check_ipv4(settings.to);
  netdev_ = netdev_of(settings.from);
}

UdpProber::~UdpProber() = default;

bool UdpProber::can_use(std::uint16_t source_port) {
  if (sockets_.contains(source_port)) return true;
  auto made = std::make_unique<Socket>(settings_, netdev_, source_port);
  if (made->error() == EADDRINUSE || made->error() == EACCES) return false;
  if (made->error() != 0) {
    errno = made->error();
    fail("cannot send from " + to_string(settings_.from) + " port " + std::to_string(source_port));
  }
  sockets_.emplace(source_port, std::move(made));
  return true;
}

void UdpProber::rest() {
  constexpr std::chrono::milliseconds kLimit{1000};
  std::this_thread::sleep_for(kLimit + settings_.patience);
}

std::vector<std::optional<Answer>> UdpProber::ask(std::span<const Probe> probes) {
  return Round(*this, probes).run();
}

IpAddress address_towards(const IpAddress& peer) {
  check_ipv4(peer);
  const int descriptor = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) fail("cannot open a UDP socket to probe paths with");
  const sockaddr_in to = socket_address(peer, kDeafPort);
  sockaddr_in own{};
  socklen_t bytes = sizeof own;
  const bool known =
      ::connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
      ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &bytes) == 0;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  if (!known) fail_to_send("this host has no route to " + to_string(peer));
  return address_of(own);
}

}  // namespace railgauge::paths
