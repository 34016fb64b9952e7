#include "flow/test.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>

namespace railgauge::flow {
namespace {

constexpr int kReceives = 8;        // hello, done, and a ping that was not answered yet
constexpr int kBesidesWindow = 16;  // sends: notices, and pings that were not acknowledged yet
constexpr int kConnectPairs = 3;  // notices and pings, what the first sends, what the second sends
constexpr std::uint64_t kConnectPings = 20;

/// A second and a half until a silent peer is known: 4.096 us * 2^16 = 0.27 s, six times;
/// unanswered, where nothing but time tells that a last packet was lost, 0.13 s, eight times. NICs
/// may wait up to four times as long as asked (InfiniBand volume 1, 9.7.6.1.3); Plan::patience ends
/// that.
verbs::QueuePairSettings settings_of(const Plan& plan, std::size_t pair) {
  verbs::QueuePairSettings settings{.send_depth = plan.window + kBesidesWindow,
                                    .receive_depth = kReceives,
                                    .inline_bytes = static_cast<int>(Pinger::kBytes),
                                    .traffic_class = plan.traffic_class,
                                    .ack_timeout = 16,
                                    .retries = 5};
  if (plan.mode == Mode::unanswered) {
    settings.ack_timeout = 15;
    settings.retries = 7;
  }
  settings.reads = 1;
  const std::size_t label = plan.mode == Mode::connect ? 0 : pair;
  if (label < plan.flow_labels.size()) settings.flow_label = plan.flow_labels[label];
  return settings;
}

/// Both ends need the same number of pairs, whatever was asked for.
Plan settled(Plan plan) {
  if (plan.mode == Mode::connect) {
    plan.queue_pairs = kConnectPairs;
  } else if (plan.mode != Mode::bandwidth) {
    plan.queue_pairs = 1;
  }
  if (plan.mode == Mode::unanswered) plan.directions = Directions::forward;
  return plan;
}

Plan pings_of(Plan plan) {
  if (plan.mode == Mode::unanswered) plan.time /= 10;
  if (plan.mode != Mode::connect) return plan;
  plan.mode = Mode::write;
  plan.iterations = kConnectPings;
  return plan;
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
    case Mode::connect: return "connect";
    case Mode::unanswered: return "unanswered";
  }
  return "";
}

Test::Test(Nic& nic, Part part, const Plan& plan)
    : nic_(nic),
      part_(part),
      plan_(settled(plan)),
      pings_(pings_of(plan)),
      number_(nic.next_test()) {
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
  if (plan_.mode == Mode::connect || unanswered())
    probe_.emplace(nic_, plan_.traffic_class, id(kDatagram));
}

Offer Test::offer() const {
  if (pending_.empty()) return {};
  Offer offer{
      .ready = true, .addresses = {}, .memory = nic_.remote(), .payload = nic_.remote_payload()};
  for (std::size_t pair = 0; pair < pending_.size(); ++pair) {
    offer.addresses[pair] = pending_[pair].address();
  }
  if (probe_) offer.datagrams = probe_->address();
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
  const bool connects = plan_.mode == Mode::connect;
  if (probe_) probe_->connect(peer.datagrams, settings_of(plan_, 0).flow_label);
  const std::size_t own = own_pair();
  if (plan_.mode != Mode::bandwidth)
    pinger_.emplace(pings_, nic_, pairs_.front(), peer.memory, id(kPing));
  if (connects) climb_.emplace(nic_, pairs_[own], peer.payload, id(own));
  if (is_of_data(plan_.mode)) {
    const auto data = std::span(pairs_).subspan(own, connects ? 1 : pairs_.size());
    stream_.emplace(plan_, nic_, data, peer.payload, id(own));
  }
  return true;
}

void Test::start(bool peer_connected) {
  began_ = progress_ = Clock::now();
  if (over_) return;
  if (!peer_connected) return fail("the other end could not connect");
  if (probe_) probe_->send();
  if (unanswered()) return heard(Notice::hello);
  if (part_ == Part::first) tell(Notice::hello);
}

bool Test::advance() {
  if (over_) return false;
  if (pinger_) after(pinger_->look(), "a ping");
  std::array<verbs::Completion, 16> completions;
  const int count = nic_.completions().poll(completions);
  const auto now = Clock::now();  // once for all of them
  if (count < 0) fail("the completion queue of " + nic_.port().device + " broke");
  if (pinger_ && pinger_->progress() != pings_seen_) progress_ = now;
  if (pinger_) pings_seen_ = pinger_->progress();
  for (int i = 0; i < count && !over_; ++i) take(completions[static_cast<std::size_t>(i)], now);
  if (stream_ && !over_) after(stream_->look(now), "a write");
  if (!over_) end_own_when_done();
  if (count == 0) check_time(now);
  return !over_;
}

/// While the peer reads from this end, nothing is seen here; nor while its large packets are lost,
/// until it has given up.
void Test::check_time(Clock::time_point now) {
  const bool busy_unseen = plan_.mode == Mode::read && plan_.iterations > 0;
  const bool outlasts_peer = climb_ && greeted_ && !has_its_turn();
  if (!busy_unseen && now - progress_ > (outlasts_peer ? 2 : 1) * (plan_.patience + plan_.time)) {
    give_up("nothing arrived, and nothing was acknowledged, for " + seconds(plan_.patience));
  } else if (now - began_ > plan_.longest) {
    fail("it was not done after " + seconds(plan_.longest));
  }
}

void Test::take(const verbs::Completion& completion, Clock::time_point now) {
  if (completion.id >> 8U != number_) return;  // of an earlier test that failed
  progress_ = now;
  const std::uint64_t slot = completion.id & 0xffU;
  if (slot >= kDatagram) {
    if (slot > kDatagram && completion.ok()) probe_->arrived(completion.id);
    return;
  }
  if (slot < kMostQueuePairs && own_told_) return;  // it gave up
  if (!completion.ok())
    return slot < kMostQueuePairs ? give_up(verbs::describe(completion))
                                  : fail(verbs::describe(completion));
  if (slot < kMostQueuePairs) return acknowledged(slot, now);
  if (slot == kReceive) return arrived(completion.immediate);
  if (slot == kPing && (completion.kind == verbs::CompletionKind::read || unanswered())) {
    after(pinger_->arrived(), "a ping");
  } else if (slot == kDone) {
    own_over_ = true;
    end_when_both_are_done();
  }
}

/// The climb comes before the stream, and ends with its beginning.
void Test::acknowledged(std::uint64_t slot, Clock::time_point now) {
  if (!climb_ || climb_->done()) return stream_->acknowledged(slot - own_pair(), now);
  after(climb_->acknowledged(), "a write");
  if (climb_->done() && !over_) after(stream_->begin(), "a write");
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
  greeted_ = true;
  running_ = {};  // the first sends
  if (part_ == Part::first) return begin_own();
  if (unanswered()) return;
  tell(Notice::hello);
  if (at_the_same_time() && !over_) begin_own();
}

void Test::begin_own() {
  own_begun_ = true;
  after(pinger_ ? pinger_->begin() : stream_->begin(), "a message");
}

void Test::after(int error, const char* what) {
  if (error != 0) fail(std::string(what) + " could not be posted: " + std::strerror(error));
}

void Test::end_own_when_done() {
  if (!has_its_turn()) return;
  if (stream_ && pinger_ && pinger_->done()) begin_data();
  if (stream_ ? stream_->done() : pinger_->done()) end_own();
}

/// Behind the pings.
void Test::begin_data() {
  if (climb_ ? climb_->begun() : stream_->begun()) return;
  after(climb_ ? climb_->begin() : stream_->begin(), "a write");
}

void Test::end_own() {
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

/// Where the data of this end have a queue pair of their own, the peer's turn comes nevertheless.
void Test::give_up(const std::string& reason) {
  if (!climb_ || !climb_->begun() || !has_its_turn()) return fail(reason);
  reason_ = reason;
  if (loses_large_packets())
    reason_ = "packets of " + std::to_string(climb_->passed_bytes()) + " bytes pass, and of " +
              std::to_string(climb_->lost_bytes()) + " do not: " + reason;
  progress_ = Clock::now();
  end_own();
}

/// Once this end has its figures, what becomes of the other's is not its concern.
void Test::fail(const std::string& reason) {
  over_ = true;
  if (own_told_) return;
  // What both directions of Mode::connect have in common failed in both.
  const bool is_own = own_begun_ || part_ == Part::first || !sends() || at_the_same_time() ||
                      plan_.mode == Mode::connect;
  reason_ = is_own ? reason : kNoTurn + reason;
}

bool Test::loses_large_packets() const {
  return climb_ && climb_->begun() && climb_->passed_bytes() < climb_->lost_bytes();
}

verbs::SourcePort Test::source_ports() const {
  return pairs_.empty() ? verbs::SourcePort::by_driver : pairs_.front().source_port();
}

std::optional<Figures> Test::figures() const {
  if (!sends()) return std::nullopt;
  Figures figures;
  if (stream_) figures = stream_->figures();
  if (pinger_ && !stream_) figures = pinger_->figures();
  if (pinger_ && stream_) figures.times = pinger_->figures().times;
  figures.reason = reason_;
  if (loses_large_packets()) {
    figures.passed_packet_bytes = climb_->passed_bytes();
    figures.lost_packet_bytes = climb_->lost_bytes();
  }
  figures.cpu_share = ran_sending_;
  return figures;
}

}  // namespace railgauge::flow
