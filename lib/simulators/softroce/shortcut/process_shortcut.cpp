#include "softroce/shortcut/process_shortcut.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <system_error>

#include "softroce/device/queue_pair.hpp"
#include "softroce/device/work_queues.hpp"

namespace railgauge::softroce {
namespace {

// Changing the table takes nanoseconds, unless the process is stopped in the middle of it.
constexpr int kTries = 4;

iovec at(std::uint64_t address, std::size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the other process
  return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), bytes};
}

// The peer may become ready later; then we answer its greeting.
constexpr nanoseconds kFirstPause = std::chrono::milliseconds(1);
constexpr unsigned kTimes = 8;  // with doubling pauses: a quarter of a second in all

void say_why_not(const QueuePair& queue_pair, int error) {
  static std::atomic_flag said = ATOMIC_FLAG_INIT;
  if (said.test_and_set()) return;
  std::fprintf(stderr,
               "softroce: no shortcut to %s, RDMA takes the wire: its process cannot be reached "
               "from this one (%s)\n",
               to_text(queue_pair.path.destination).c_str(),
               std::generic_category().message(error).c_str());
}

}  // namespace

bool ProcessPeer::read(std::span<const iovec> local, std::span<const iovec> remote) const {
  ssize_t bytes = 0;
  for (const iovec& piece : local) bytes += static_cast<ssize_t>(piece.iov_len);
  return process_vm_readv(process_, local.data(), local.size(), remote.data(), remote.size(), 0) ==
         bytes;
}

bool ProcessPeer::read_header(TableHeader& out) {
  const std::array local{iovec{&out, sizeof out}};
  const std::array remote{at(table_, sizeof out)};
  // It has ended, or runs another program, or the number is another process's by now.
  lost_ = lost_ || !read(local, remote) || out.cookie != cookie_;
  return !lost_;
}

int ProcessPeer::probe() {
  TableHeader header;
  errno = 0;
  if (read_header(header)) return 0;
  return errno != 0 ? errno : ESRCH;
}

RegionEntry& ProcessPeer::slot(std::uint32_t key) {
  return regions_[(key >> kRegionTagBits) % regions_.size()];
}

bool ProcessPeer::refresh(std::uint32_t key) {
  const std::uint32_t place = key >> kRegionTagBits;
  if (place >= kRegionPlaces) return false;
  for (int i = 0; i < kTries; ++i) {
    TableHeader before;
    TableHeader after;
    if (!read_header(before)) return false;
    if (before.epoch == epoch_ && slot(key).key == key) return true;
    if (before.epoch % 2 != 0) continue;
    if (before.epoch != epoch_) regions_ = {};
    const std::array local{iovec{&queue_pair_, sizeof queue_pair_},
                           iovec{&slot(key), sizeof(RegionEntry)}};
    const std::array remote{
        at(table_ + offsetof(TableLayout, queue_pairs) +
               (number_ % kQueuePairPlaces) * sizeof(QueuePairEntry),
           sizeof(QueuePairEntry)),
        at(table_ + offsetof(TableLayout, regions) + std::uint64_t{place} * sizeof(RegionEntry),
           sizeof(RegionEntry))};
    epoch_ = 1;  // until they are known to be consistent
    if (!read(local, remote) || !read_header(after)) return false;
    if (after.epoch != before.epoch) continue;
    epoch_ = before.epoch;
    return true;
  }
  return false;
}

std::optional<std::uint64_t> ProcessPeer::resolve(const SendRequest& request) {
  if (!refresh(request.remote_key)) return {};
  const RegionEntry& region = slot(request.remote_key);
  const unsigned access = request.is_read() ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE;
  if (queue_pair_.number != number_ || region.key != request.remote_key ||
      region.domain != queue_pair_.domain || (region.access & queue_pair_.access & access) == 0) {
    return {};
  }
  const std::uint64_t offset = request.remote_address - region.iova;
  if (offset > region.length || request.length > region.length - offset) return {};
  return region.address + offset;
}

bool ProcessPeer::carry_out(const SendRequest& request, std::span<const ibv_sge> elements,
                            std::uint64_t offset, std::size_t bytes) {
  const auto address = resolve(request);
  if (!address) return false;
  std::array<iovec, kMaxElements> local;  // NOLINT(cppcoreguidelines-pro-type-member-init): hot
  const std::size_t pieces = gather(elements, offset, bytes, local.data());
  const iovec remote = at(*address + offset, bytes);
  const auto copy = request.is_read() ? process_vm_readv : process_vm_writev;
  return copy(process_, local.data(), pieces, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

ProcessShortcut::ProcessShortcut(Port& port) : port_(port) {
  // Where Yama restricts ptrace (ptrace_scope 1), a process must name who may. Elsewhere the call
  // is unknown and unnecessary, so its result is ignored.
  static_cast<void>(prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0));
}

void ProcessShortcut::region_changed(std::uint32_t place, const Region* region) {
  RegionEntry entry;
  if (region != nullptr) {
    entry = {.key = region->rkey,
             // A peer reaches the shadow of a GPU's memory, not the memory.
             .access = region->imported.shadow == nullptr ? region->access : 0,
             .iova = region->iova,
             .length = region->length,
             .address = reinterpret_cast<std::uintptr_t>(region->bytes),
             .domain = reinterpret_cast<std::uintptr_t>(region->pd)};
  }
  table_.set_region(place, entry);
}

void ProcessShortcut::publish(const QueuePair& queue_pair) {
  QueuePairEntry entry;
  if (queue_pair.reliable() && queue_pair.may_receive()) {
    entry = {.domain = reinterpret_cast<std::uintptr_t>(queue_pair.qp_base.pd),
             .number = queue_pair.number(),
             .access = queue_pair.attributes.qp_access_flags};
  }
  table_.set_queue_pair(queue_pair.number(), entry);
}

void ProcessShortcut::introduce(QueuePair& queue_pair) {
  if (!queue_pair.reliable() || queue_pair.shortcut_peer) return;
  cancel(queue_pair);
  introductions_.push_back({&queue_pair, port_.now, kFirstPause, kTimes});
  run_timers();
}

void ProcessShortcut::cancel(const QueuePair& queue_pair) {
  std::erase_if(introductions_, [&](const Introduction& introduction) {
    return introduction.queue_pair == &queue_pair;
  });
}

void ProcessShortcut::forget(const QueuePair& queue_pair) {
  cancel(queue_pair);
  table_.set_queue_pair(queue_pair.number(), {});
}

void ProcessShortcut::run_timers() {
  std::erase_if(introductions_, [](const Introduction& one) { return one.left == 0; });
  for (Introduction& one : introductions_) {
    if (port_.now >= one.again) {
      greet(*one.queue_pair, true);
      one.again = port_.now + one.pause;
      one.pause *= 2;
      --one.left;
    }
    port_.arm(one.again);
  }
}

void ProcessShortcut::greet(const QueuePair& queue_pair, bool asks) {
  const Greeting greeting{.asks = asks,
                          .queue_pair = queue_pair.attributes.dest_qp_num,
                          .sender = queue_pair.number(),
                          .process = static_cast<std::uint32_t>(getpid()),
                          .table = table_.address(),
                          .cookie = table_.cookie()};
  auto payload = greeting_payload(greeting);
  const std::array pieces{iovec{payload.data(), payload.size()}};
  port_.send(queue_pair.path, greeting_headers(greeting), pieces);
  port_.outbox.flush();  // the payload is ours only until here
}

bool ProcessShortcut::receive(std::span<const std::byte> datagram, const Arrival& arrival) {
  const auto greeting = read_greeting(datagram);
  if (!greeting) return false;
  ++port_.counters.rcvd_pkts;
  QueuePair* queue_pair = port_.find(greeting->queue_pair);
  // Believe only the peer of a connected queue pair; the cookie then proves that it is there.
  if (queue_pair == nullptr || !queue_pair->reliable() || !queue_pair->may_receive() ||
      greeting->sender != queue_pair->attributes.dest_qp_num ||
      !queue_pair->is_peers(arrival, false)) {
    ++port_.counters.unexpected;
    return true;
  }
  if (greeting->asks) greet(*queue_pair, false);
  meet(*queue_pair, *greeting);
  return true;
}

void ProcessShortcut::meet(QueuePair& queue_pair, const Greeting& greeting) {
  cancel(queue_pair);
  if (queue_pair.shortcut_peer) return;
  auto peer = std::make_unique<ProcessPeer>(greeting);
  if (const int error = peer->probe()) return say_why_not(queue_pair, error);
  queue_pair.shortcut_peer = std::move(peer);
}

}  // namespace railgauge::softroce
