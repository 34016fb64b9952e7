#include "softroce/shortcut/process_shortcut.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>
#include <system_error>

#include "softroce/device/queue_pair.hpp"
#include "softroce/shortcut/process_peer.hpp"

namespace railgauge::softroce {

namespace {

// The peer may become ready later; then it is its greeting that is answered.
constexpr nanoseconds kFirstPause = std::chrono::milliseconds(1);
constexpr unsigned kTimes = 8;  // with pauses that double: a quarter of a second

void say_why_not(const QueuePair& queue_pair, int error) {
  static bool said = false;  // under the engine's lock
  if (said) return;
  said = true;
  std::fprintf(stderr,
               "softroce: no shortcut to %s, RDMA takes the wire: its process cannot be reached "
               "from this one (%s)\n",
               to_text(queue_pair.path.destination).c_str(),
               std::generic_category().message(error).c_str());
}

}  // namespace

ProcessShortcut::ProcessShortcut(Port& port) : port_(port) {
  // Where Yama restricts ptrace (its ptrace_scope 1), a process has to say who may. Elsewhere
  // nobody knows this call, and nobody needs it.
  static_cast<void>(prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0));
}

void ProcessShortcut::region_changed(std::uint32_t place, const Region* region) {
  RegionEntry entry;
  if (region != nullptr && !region->invalidated) {
    entry = {.key = region->rkey,
             .access = region->access,
             .iova = region->iova,
             .length = region->length,
             .address = reinterpret_cast<std::uintptr_t>(region->addr),
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

bool ProcessShortcut::receive(std::span<const std::byte> datagram, const Address& source) {
  const auto greeting = read_greeting(datagram);
  if (!greeting) return false;
  ++port_.counters.rcvd_pkts;
  QueuePair* queue_pair = port_.find(greeting->queue_pair);
  // Only what a queue pair is connected with is believed; the cookie then proves that it is there.
  if (queue_pair == nullptr || !queue_pair->reliable() || !queue_pair->may_receive() ||
      source != queue_pair->path.destination ||
      greeting->sender != queue_pair->attributes.dest_qp_num) {
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
