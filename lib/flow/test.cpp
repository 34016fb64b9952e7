#include "flow/test.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>

namespace railgauge::flow {
namespace {

constexpr int kReceives = 8;        // hello, done, and a ping that was not answered yet
constexpr int kBesidesWindow = 16;  // sends: notices, and pings that were not acknowledged yet

/// A second and a half until a silent peer is known: 4.096 us * 2^16 = 0.27 s, six times. NICs may
/// wait up to four times as long as asked (InfiniBand volume 1, 9.7.6.1.3); Plan::patience ends
/// that.
verbs::QueuePairSettings settings_of(const Plan& plan, std::size_t pair) {
  verbs::QueuePairSettings settings{.send_depth = plan.window + kBesidesWindow,
                                    .receive_depth = kReceives,
                                    .inline_bytes = static_cast<int>(Pinger::kBytes),
                                    .traffic_class = plan.traffic_class,
                                    .ack_timeout = 16,
                                    .retries = 5};
  settings.reads = 1;
  if (pair < plan.flow_labels.size()) settings.flow_label = plan.flow_labels[pair];
  return settings;
}

std::string seconds(std::chrono::milliseconds time) {
  constexpr std::int64_t kMillisecondsPerSecond = 1000;
  if (time.count() % kMillisecondsPerSecond != 0) return std::to_string(time.count()) + " ms";
  return std::to_string(time.count() / kMillisecondsPerSecond) + " s";
}

}  // namespace

std::string_view word(Mode mode) {
  switch (mode) {
    case Mode::bandwidth: return "bandwidth";
    case Mode::write: return "write";
    case Mode::read: return "read";
    case Mode::send: return "send";
  }
  return "";
}

Test::Test(Nic& nic, Part part, const Plan& plan)
    : nic_(nic), part_(part), plan_(plan), number_(nic.next_test()) {
  if (plan_.mode != Mode::bandwidth) plan_.queue_pairs = 1;
  try {
    prepare();
  } catch (const std::system_error& error) {
    pending_.clear();
    fail(error.what());
  }
}

void Test::prepare() {
  std::memset(nic_.mailbox(), 0, Pinger::kBytes);
  const auto count = static_cast<std::size_t>(plan_.queue_pairs);
  pending_.reserve(count);
  for (std::size_t pair = 0; pair < count; ++pair) {
    pending_.emplace_back(nic_.domain(), nic_.completions(), nic_.completions(), nic_.port(),
                          settings_of(plan_, pair));
  }
  const int error = pending_.front().post_receives(kReceives, id(kReceive),
                                                   nic_.slice(Nic::kInbox, Pinger::kBytes));
  if (error != 0) throw std::system_error(error, std::generic_category(), "ibv_post_recv");
}

Offer Test::offer() const {
  if (pending_.empty()) return {};
  Offer offer{.ready = true, .addresses = {}, .memory = nic_.remote()};
  for (std::size_t pair = 0; pair < pending_.size(); ++pair) {
    offer.addresses[pair] = pending_[pair].address();
  }
  return offer;
}

bool Test::connect(const Offer& peer) {
  if (pending_.empty()) return false;
  if (!peer.ready) {
    fail("the other end has no queue pair");
    return false;
  }
  try {
    pairs_.reserve(pending_.size());
    for (std::size_t pair = 0; pair < pending_.size(); ++pair) {
      pairs_.push_back(std::move(pending_[pair]).connect(peer.addresses[pair]));
    }
  } catch (const std::system_error& error) {
    fail(error.what());
    return false;
  }
  if (plan_.mode == Mode::bandwidth) {
    stream_.emplace(plan_, nic_, pairs_, peer.memory, id(0));
  } else {
    pinger_.emplace(plan_, nic_, pairs_.front(), peer.memory, id(kPing));
  }
  return true;
}

void Test::start(bool peer_connected) {
  began_ = progress_ = Clock::now();
  if (over_) return;
  if (!peer_connected) return fail("the other end could not connect");
  if (part_ == Part::first) tell(Notice::hello);
}

bool Test::advance() {
  if (over_) return false;
  if (pinger_) {
    after(pinger_->look(), "a ping");
    if (pinger_->progress() != pings_seen_) progress_ = Clock::now();
    pings_seen_ = pinger_->progress();
  }
  std::array<verbs::Completion, 16> completions;
  const int count = nic_.completions().poll(completions);
  if (count < 0) fail("the completion queue of " + nic_.port().device + " broke");
  for (int i = 0; i < count && !over_; ++i) take(completions[static_cast<std::size_t>(i)]);
  if (!over_) end_own_when_done();
  if (count == 0) check_time();
  return !over_;
}

/// While the peer reads from this end, nothing is seen here.
void Test::check_time() {
  const auto now = Clock::now();
  const bool busy_unseen = plan_.mode == Mode::read && plan_.iterations > 0;
  if (!busy_unseen && now - progress_ > plan_.patience + plan_.time) {
    fail("nothing arrived, and nothing was acknowledged, for " + seconds(plan_.patience));
  } else if (now - began_ > plan_.longest) {
    fail("it was not done after " + seconds(plan_.longest));
  }
}

void Test::take(const verbs::Completion& completion) {
  if (completion.id >> 8U != number_) return;  // of an earlier test that failed
  progress_ = Clock::now();
  if (!completion.ok()) return fail(verbs::describe(completion));
  const std::uint64_t slot = completion.id & 0xffU;
  if (slot < kMostQueuePairs) return after(stream_->acknowledged(slot), "a write");
  if (slot == kReceive) return arrived(completion.immediate);
  if (slot == kPing && completion.kind == verbs::CompletionKind::read) {
    after(pinger_->arrived(), "a read");
  } else if (slot == kDone) {
    own_over_ = true;
    end_when_both_are_done();
  }
}

void Test::arrived(std::uint32_t immediate) {
  if (immediate != 0) return heard(static_cast<Notice>(immediate));
  if (!pinger_) return fail("a message arrived that no test sends");
  after(pairs_.front().post_receives(1, id(kReceive), nic_.slice(Nic::kInbox, Pinger::kBytes)),
        "a receive");
  if (!over_) after(pinger_->arrived(), "a send");
}

void Test::heard(Notice notice) {
  if (notice == Notice::done) {
    peer_over_ = true;
    ran_listening_ = running_.until_now();
    if (!at_the_same_time()) running_ = {};
    if (part_ == Part::second && !own_begun_ && sends()) begin_own();
    return end_when_both_are_done();
  }
  running_ = {};  // the first sends
  if (part_ == Part::first) return begin_own();
  tell(Notice::hello);
  if (at_the_same_time() && !over_) begin_own();
}

void Test::begin_own() {
  own_begun_ = true;
  after(stream_ ? stream_->begin() : pinger_->begin(), "a message");
}

void Test::after(int error, const char* what) {
  if (error != 0) fail(std::string(what) + " could not be posted: " + std::strerror(error));
}

void Test::end_own_when_done() {
  if (!own_begun_ || own_told_ || !(stream_ ? stream_->done() : pinger_->done())) return;
  own_told_ = true;
  ran_sending_ = running_.until_now();
  if (!at_the_same_time()) running_ = {};
  tell(Notice::done);
}

void Test::end_when_both_are_done() {
  over_ = (own_over_ || !sends()) && (peer_over_ || !peer_sends());
}

void Test::tell(Notice notice) {
  const std::uint64_t slot = notice == Notice::hello ? kHello : kDone;
  after(pairs_.front().write_with_immediate({.id = id(slot)}, static_cast<std::uint32_t>(notice)),
        "a notice");
}

/// Once this end has its figures, what becomes of the other's is not its concern.
void Test::fail(const std::string& reason) {
  over_ = true;
  if (own_told_) return;
  reason_ = own_begun_ || part_ == Part::first || !sends() || at_the_same_time() ? reason
                                                                                 : kNoTurn + reason;
}

verbs::SourcePort Test::source_ports() const {
  return pairs_.empty() ? verbs::SourcePort::by_driver : pairs_.front().source_port();
}

std::optional<Figures> Test::figures() const {
  if (!sends()) return std::nullopt;
  Figures figures;
  if (stream_) figures = stream_->figures();
  if (pinger_) figures = pinger_->figures();
  figures.reason = reason_;
  figures.ran_share = ran_sending_;
  return figures;
}

}  // namespace railgauge::flow
