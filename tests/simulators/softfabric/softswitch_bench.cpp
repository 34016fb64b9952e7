// How fast switches are. usage:
//   softswitch_bench model SECONDS               the model alone, without sockets
//   softswitch_bench send ADDRESS PACKETS_PER_S SECONDS   UDP datagrams of 4 KiB; prints how many
//   softswitch_bench receive SECONDS             takes them; prints how many came
// softswitch_test runs the last two at the ends of a softswitch.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "softfabric/frames.hpp"
#include "softfabric/rig.hpp"

namespace railgauge::softfabric {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPayload = 4096;
constexpr std::uint16_t kPort = 7777;
constexpr std::size_t kBatch = 32;

class Counted final : public HostSide {
 public:
  void packet(std::size_t /*link*/, std::span<const std::byte> /*frame*/) override { ++packets; }
  void pause(std::size_t /*link*/, std::span<const std::byte> /*frame*/) override {}
  std::uint64_t packets = 0;
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// 16 hosts at 4 leaves under 4 spines; every host sends to one of the next leaf, three switches on
/// the way, half as fast as its link is.
int measure_model(double seconds) {
  Fabric fabric = shaped({.hosts_per_leaf = 4, .leaves = 4, .spines = 4});
  fabric.switching.balance = Balance::spray;
  Counted hosts;
  Model model(fabric, hosts);
  std::vector<Frame> frames;
  for (std::uint32_t host = 0; host < 16; ++host) {
    frames.push_back(frame_of({.source = 0x0a0a0001 + host,
                               .destination = 0x0a0a0001 + (host + 4) % 16,
                               .payload_bytes = kPayload,
                               .dscp = kLosslessDscp}));
  }
  Time now{1s};
  const double start = cpu_seconds();
  while (cpu_seconds() - start < seconds) {
    for (std::size_t host = 0; host < frames.size(); ++host) {
      model.receive(host, frames[host], now);
    }
    now += 70us;
    model.advance(now);
    model.release();
  }
  const double rate = static_cast<double>(hosts.packets) / (cpu_seconds() - start);
  std::printf("model_packets_per_s %.0f\n", rate);
  return model.conservation_error() || model.totals().dropped > 0 ? 1 : 0;
}

int udp_socket() {
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int bytes = 8 << 20;
  const int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  setsockopt(descriptor, SOL_SOCKET, SO_NO_CHECK, &on, sizeof on);  // a veth would leave it undone
  return descriptor;
}

struct Batch {
  Batch() {
    for (std::size_t at = 0; at < kBatch; ++at) {
      pieces[at] = {bytes[at].data(), bytes[at].size()};
      messages[at].msg_hdr.msg_iov = &pieces[at];
      messages[at].msg_hdr.msg_iovlen = 1;
    }
  }
  std::array<std::array<char, kPayload>, kBatch> bytes{};
  std::array<iovec, kBatch> pieces{};
  std::array<mmsghdr, kBatch> messages{};
};

int send_datagrams(const char* address, double per_second, double seconds) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(kPort);
  inet_pton(AF_INET, address, &to.sin_addr);
  const int descriptor = udp_socket();
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return 1;
  const auto batch = std::make_unique<Batch>();
  const auto start = Clock::now();
  std::uint64_t sent = 0;
  while (static_cast<double>(sent) < per_second * seconds) {
    const auto due = std::chrono::duration<double>(static_cast<double>(sent) / per_second);
    std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(due));
    const int done = sendmmsg(descriptor, batch->messages.data(), kBatch, 0);
    if (done > 0) sent += static_cast<std::uint64_t>(done);
  }
  std::printf("%llu\n", static_cast<unsigned long long>(sent));
  return 0;
}

int receive_datagrams(double seconds) {
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_port = htons(kPort);
  const int descriptor = udp_socket();
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0) return 1;
  const timeval patience{.tv_sec = 0, .tv_usec = 100000};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const auto batch = std::make_unique<Batch>();
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t received = 0;
  while (Clock::now() < end) {
    const int done = recvmmsg(descriptor, batch->messages.data(), kBatch, MSG_WAITFORONE, nullptr);
    if (done > 0) received += static_cast<std::uint64_t>(done);
  }
  std::printf("%llu\n", static_cast<unsigned long long>(received));
  return 0;
}

int run(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  if (what == "model" && words.size() == 2) return measure_model(std::stod(words[1]));
  if (what == "receive" && words.size() == 2) return receive_datagrams(std::stod(words[1]));
  if (what == "send" && words.size() == 4) {
    return send_datagrams(words[1].c_str(), std::stod(words[2]), std::stod(words[3]));
  }
  std::fputs(
      "usage: softswitch_bench model SECONDS | send ADDRESS RATE SECONDS | receive SECONDS\n",
      stderr);
  return 2;
}

}  // namespace
}  // namespace railgauge::softfabric

int main(int count, char** arguments) {
  return railgauge::softfabric::run({arguments + 1, arguments + count});
}
