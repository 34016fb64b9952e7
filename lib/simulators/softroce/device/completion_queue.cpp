#include "softroce/device/completion_queue.hpp"

#include <algorithm>

#include "softroce/device/context.hpp"

namespace railgauge::softroce {

namespace {

constexpr nanoseconds kLate = std::chrono::microseconds(20);

}  // namespace

void CompletionQueue::add(const ibv_wc& wc, bool solicited, Time now) {
  if (added - taken == ring.size()) {
    if (!overrun) context_of(context).events.raise(IBV_EVENT_CQ_ERR, verbs());
    overrun = true;
    return;
  }
  Completion& entry = ring[added++ % ring.size()];
  entry.wc = wc;
  entry.stamp_ns = static_cast<std::uint64_t>(now.time_since_epoch().count());
  if (!strict) {
    shown = added;
  } else if (show_at == Time::max()) {
    show_at = now + kLate;
  }
  if (!armed || (armed_for_solicited && !solicited && wc.status == IBV_WC_SUCCESS)) return;
  if (++unannounced < moderation_count) {
    announce_at = std::min(announce_at, now + moderation_period);
  } else if (strict) {
    announce_at = std::min(announce_at, show_at);
  } else {
    announce();
  }
}

void CompletionQueue::announce() {
  armed = false;
  unannounced = 0;
  announce_at = Time::max();
  if (channel == nullptr) return;
  events()->waiting.push_back(this);
  events()->signal.raise();
}

void CompletionQueue::show(Time now) {
  if (show_at > now) return;
  shown = added;
  show_at = Time::max();
}

void CompletionQueue::announce_when_due(Time now) {
  show(now);
  if (announce_at <= now) announce();
}

bool CompletionQueue::take(Completion& out) {
  if (taken == shown) return false;
  out = ring[taken++ % ring.size()];
  return true;
}

void CompletionQueue::forget(std::uint32_t queue_pair) {
  std::uint64_t kept = taken;
  for (std::uint64_t i = taken; i != added; ++i) {
    const Completion entry = ring[i % ring.size()];
    if (entry.wc.qp_num != queue_pair) ring[kept++ % ring.size()] = entry;
  }
  added = kept;
  shown = std::min(shown, added);
}

void CompletionQueue::resize(std::size_t entries) {
  std::vector<Completion> larger(entries);
  std::uint64_t count = 0;
  while (taken != added) larger[count++] = ring[taken++ % ring.size()];
  ring = std::move(larger);
  taken = 0;
  added = shown = count;
  cqe = static_cast<int>(entries);
}

}  // namespace railgauge::softroce
