// What UDP over loopback and memcpy() give on this machine, so that softroce's figures have
// something beside them. usage: raw_udp SENDER_CPU RECEIVER_CPU MILLISECONDS; prints lines "NAME
// VALUE", in GB/s and us; machine_gap in ms.

#include <arpa/inet.h>
#include <immintrin.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <system_error>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kDatagram = 4096;
constexpr std::size_t kBatch = 16;
constexpr std::size_t kSegments = 15;  // as many as an IP packet holds
constexpr std::size_t kMessage = std::size_t{1}
                                 << 20;        // data is sent from and received into so much
constexpr std::size_t kShort = 44;             // about as short as the packets of a latency test
constexpr int kBufferBytes = 8 * 1024 * 1024;  // as softroce asks for
constexpr std::size_t kCold = std::size_t{256} << 20;  // more than caches hold
constexpr std::size_t kHot = std::size_t{64} << 10;

struct Shared {
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> pause_ns{0};
};

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::_Exit(5);
}

void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) fail("sched_setaffinity");
}

sockaddr_in address(const char* text, std::uint16_t port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = port;
  inet_pton(AF_INET, text, &name.sin_addr);
  return name;
}

int make_socket(const char* text) {
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  const sockaddr_in name = address(text, 0);
  if (descriptor < 0) fail("socket");
  for (const int option : {SO_RCVBUF, SO_SNDBUF}) {
    setsockopt(descriptor, SOL_SOCKET, option, &kBufferBytes, sizeof kBufferBytes);
  }
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) fail("bind");
  return descriptor;
}

void join(int from, int to) {
  sockaddr_in name{};
  socklen_t length = sizeof name;
  getsockname(to, reinterpret_cast<sockaddr*>(&name), &length);
  if (connect(from, reinterpret_cast<const sockaddr*>(&name), length) != 0) fail("connect");
}

/// kBatch datagrams, or as many of `bytes` each, out of or into one message's memory.
class Batch {
 public:
  explicit Batch(std::size_t bytes) : bytes_(bytes), memory_(kMessage) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      headers_[i].msg_hdr.msg_iov = &pieces_[i];
      headers_[i].msg_hdr.msg_iovlen = 1;
    }
  }
  mmsghdr* next() {
    for (iovec& piece : pieces_) {
      if (at_ + bytes_ > memory_.size()) at_ = 0;
      piece = {&memory_[at_], bytes_};
      at_ += bytes_;
    }
    return headers_.data();
  }

 private:
  std::size_t bytes_;
  std::size_t at_ = 0;
  std::vector<char> memory_;
  std::array<iovec, kBatch> pieces_{};
  std::array<mmsghdr, kBatch> headers_{};
};

void receive_all(int descriptor, std::size_t bytes, Shared& shared) {
  Batch batch(bytes);
  while (!shared.stop) {
    mmsghdr* headers = batch.next();
    const int count = recvmmsg(descriptor, headers, kBatch, MSG_DONTWAIT, nullptr);
    std::uint64_t got = 0;
    for (int i = 0; i < count; ++i) got += headers[i].msg_len;
    shared.bytes += got;
  }
}

void send_until(int descriptor, std::size_t bytes, unsigned at_once, Clock::time_point end) {
  Batch batch(bytes);
  while (Clock::now() < end) sendmmsg(descriptor, batch.next(), at_once, 0);
}

/// Runs `other` in a process on its CPU while `self` runs here; it ends with its parent.
void beside(int cpu, const std::function<void()>& other, const std::function<void()>& self) {
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin(cpu);
    other();
    std::_Exit(0);
  }
  self();
  waitpid(child, nullptr, 0);
}

/// GB/s that arrive: what overflows the receiver's buffer is lost, and not counted.
double bandwidth(Shared& shared, int receiver_cpu, std::chrono::milliseconds time, bool segments) {
  const int sender = make_socket("127.0.0.1");
  const int receiver = make_socket("127.0.0.2");
  join(sender, receiver);
  if (segments) {
    const int bytes = kDatagram;
    const int on = 1;
    setsockopt(sender, SOL_UDP, UDP_SEGMENT, &bytes, sizeof bytes);
    setsockopt(receiver, SOL_UDP, UDP_GRO, &on, sizeof on);
  }
  const std::size_t size = segments ? kSegments * kDatagram : kDatagram;
  shared.bytes = 0;
  shared.stop = false;
  double seconds = 0;
  std::uint64_t received = 0;
  beside(
      receiver_cpu, [&] { receive_all(receiver, segments ? 65536 : size, shared); },
      [&] {
        const unsigned at_once = segments ? 1 : kBatch;
        send_until(sender, size, at_once, Clock::now() + time / 10);  // until both are warm
        const auto start = Clock::now();
        const std::uint64_t before = shared.bytes;
        send_until(sender, size, at_once, start + time);
        received = shared.bytes - before;
        seconds = std::chrono::duration<double>(Clock::now() - start).count();
        shared.stop = true;
      });
  close(sender);
  close(receiver);
  return static_cast<double>(received) / seconds / 1e9;
}

bool spin_for_one(int descriptor, char* buffer, const std::atomic<bool>& stop) {
  while (!stop) {
    if (recv(descriptor, buffer, kShort, 0) > 0) return true;
    _mm_pause();
  }
  return false;
}

/// Median of half the round trips, in us.
double latency(Shared& shared, int receiver_cpu, std::chrono::milliseconds time) {
  const int near = make_socket("127.0.0.1");
  const int far = make_socket("127.0.0.2");
  join(near, far);
  join(far, near);
  shared.stop = false;
  std::vector<double> halves;
  beside(
      receiver_cpu,
      [&] {
        char buffer[kShort];
        while (spin_for_one(far, buffer, shared.stop)) send(far, buffer, kShort, 0);
      },
      [&] {
        char buffer[kShort]{};
        const std::atomic<bool> never{false};
        for (const auto end = Clock::now() + time; Clock::now() < end;) {
          const auto start = Clock::now();
          send(near, buffer, kShort, 0);
          spin_for_one(near, buffer, never);
          halves.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count() /
                           2);
        }
        shared.stop = true;
      });
  close(near);
  close(far);
  std::ranges::nth_element(halves, halves.begin() + static_cast<std::ptrdiff_t>(halves.size() / 2));
  return halves[halves.size() / 2];
}

/// GB/s of copying from one to the other half of `bytes`, in messages.
double copying(std::size_t bytes, std::chrono::milliseconds time) {
  std::vector<char> memory(bytes, 1);
  const std::size_t half = bytes / 2;
  const std::size_t step = std::min(half, kMessage);
  std::uint64_t copied = 0;
  const auto start = Clock::now();
  for (std::size_t at = 0; Clock::now() < start + time; at = (at + step) % half) {
    std::memcpy(&memory[half + at], &memory[at], step);
    copied += step;
    asm volatile("" : : "r"(memory.data()) : "memory");
  }
  return static_cast<double>(copied) / std::chrono::duration<double>(Clock::now() - start).count() /
         1e9;
}

Clock::duration longest_pause(std::chrono::milliseconds time) {
  Clock::duration longest{};
  auto last = Clock::now();
  for (const auto end = last + time; last < end;) {
    const auto now = Clock::now();
    longest = std::max(longest, now - last);
    last = now;
  }
  return longest;
}

/// For how long, in ms, the machine takes one of two busy CPUs away: a hypervisor does that.
double machine_gap(Shared& shared, int other_cpu, std::chrono::milliseconds time) {
  Clock::duration mine{};
  beside(
      other_cpu, [&] { shared.pause_ns = static_cast<std::uint64_t>(longest_pause(time).count()); },
      [&] { mine = longest_pause(time); });
  const auto longest = std::max(static_cast<std::uint64_t>(mine.count()), shared.pause_ns.load());
  return static_cast<double>(longest) / 1e6;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fputs("usage: raw_udp SENDER_CPU RECEIVER_CPU MILLISECONDS\n", stderr);
    return 2;
  }
  pin(std::atoi(arguments[1]));
  const int other = std::atoi(arguments[2]);
  const std::chrono::milliseconds time(std::atoi(arguments[3]));
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  auto& shared = *new (memory) Shared;
  std::printf("sendmmsg %.3f\n", bandwidth(shared, other, time, false));
  std::printf("segments %.3f\n", bandwidth(shared, other, time, true));
  std::printf("half_round_trip %.3f\n", latency(shared, other, time));
  std::printf("memcpy_cold %.3f\n", copying(kCold, time));
  std::printf("memcpy_hot %.3f\n", copying(kHot, time));
  std::printf("machine_gap %.3f\n", machine_gap(shared, other, 2 * time));
  return 0;
}
