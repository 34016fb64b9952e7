#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flow/class_probe.hpp"
#include "flow/climb.hpp"
#include "flow/nic.hpp"
#include "flow/pinger.hpp"
#include "flow/plan.hpp"
#include "flow/stream.hpp"
#include "measure/cpu_share.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::flow {

/// What the two ends of a test tell each other before they are connected. Plain bytes.
struct Offer {
  bool ready = false;  ///< whether there are queue pairs at all
  std::array<verbs::Address, kMostQueuePairs> addresses{};
  verbs::RemoteMemory memory{};
  verbs::RemoteSlice payload{};
  verbs::Address datagrams{};  ///< of ClassProbe; without a number there are none
};

/// How the reason begins for a direction that was not tested because the other, which came first,
/// failed: it says nothing about that direction.
inline constexpr const char* kNoTurn = "not tested, the other direction failed first: ";

/// One end of a test between two NICs, over queue pairs of its own. Nothing here waits, so that one
/// thread drives all NICs of a host; nothing throws either: whatever goes wrong is a result.
///
/// In Mode::connect what each end sends has a queue pair of its own, so that a direction that fails
/// takes nothing from the other: notices and pings, which both need, have a third.
///
///   Test test(nic, Part::first, plan);     at both ends
///   exchange test.offer()                  by other means than the fabric
///   test.connect(offer of the peer)        then exchange whether it is connected
///   test.start(whether the peer is)
///   while (test.advance()) {}
///   barrier: a queue pair that is gone cannot acknowledge
class Test {
 public:
  enum class Part : std::uint8_t { first, second };

  /// `nic` has to outlive it, has room for the plan's messages, and is in no other test meanwhile.
  Test(Nic& nic, Part part, const Plan& plan);
  ~Test() = default;
  // Parts of it point to others.
  Test(const Test&) = delete;
  Test& operator=(const Test&) = delete;

  /// Before connect().
  [[nodiscard]] Offer offer() const;
  /// Whether this end is connected now.
  bool connect(const Offer& peer);
  /// Once both ends have tried to connect.
  void start(bool peer_connected);
  /// Goes on as far as it can. False once it is over, one way or the other.
  bool advance();
  /// Whether it times single messages now, so that a late call would be taken for latency.
  [[nodiscard]] bool is_timing() const {
    return !over_ && has_its_turn() && pinger_ && !pinger_->done();
  }
  /// What came of this end's sending; empty if the plan has it send nothing.
  [[nodiscard]] std::optional<Figures> figures() const;
  /// The share of the time in which the peer sent, that this end ran; 1 if it did not send, or not
  /// to the end.
  [[nodiscard]] double ran_listening() const { return ran_listening_; }
  /// Of Mode::connect, the traffic class in which datagrams of the peer arrived; empty: none did,
  /// or this device does not say.
  [[nodiscard]] std::optional<std::uint8_t> arrived_class() const {
    return probe_ && plan_.mode == Mode::connect ? probe_->seen() : std::nullopt;
  }
  /// Of Mode::connect and Mode::unanswered, whether datagrams of the peer arrived, whatever came of
  /// the connections; empty: there are none.
  [[nodiscard]] std::optional<bool> hears_peer() const {
    return probe_ ? probe_->heard() : std::nullopt;
  }
  /// Whether its queue pairs send from the ports of their flow labels, as the first one does.
  [[nodiscard]] verbs::SourcePort source_ports() const;

 private:
  // Of completions, besides those of the stream's queue pairs.
  enum Slot : std::uint64_t { kPing = kMostQueuePairs, kHello, kDone, kReceive, kDatagram };
  enum class Notice : std::uint32_t { hello = 1, done = 2 };

  void prepare();
  void check_time(Clock::time_point now);
  void take(const verbs::Completion& completion, Clock::time_point now);
  void arrived(std::uint32_t immediate);
  void heard(Notice notice);
  void begin_own();
  void acknowledged(std::uint64_t slot, Clock::time_point now);
  void give_up(const std::string& reason);
  void end_own();
  void after(int error, const char* what);
  void end_own_when_done();
  void begin_data();
  void end_when_both_are_done();
  void tell(Notice notice);
  void fail(const std::string& reason);
  [[nodiscard]] bool sends() const {
    return part_ == Part::first || plan_.directions != Directions::forward;
  }
  [[nodiscard]] bool peer_sends() const {
    return part_ == Part::second || plan_.directions != Directions::forward;
  }
  [[nodiscard]] bool at_the_same_time() const {
    return plan_.directions == Directions::together && plan_.mode == Mode::bandwidth;
  }
  /// It sends, and has not said that it is done.
  [[nodiscard]] bool has_its_turn() const { return own_begun_ && !own_told_; }
  [[nodiscard]] bool unanswered() const { return plan_.mode == Mode::unanswered; }
  [[nodiscard]] bool loses_large_packets() const;
  /// The first of the queue pairs of what it sends.
  [[nodiscard]] std::size_t own_pair() const {
    if (plan_.mode != Mode::connect) return 0;
    return part_ == Part::first ? 1 : 2;
  }
  [[nodiscard]] std::uint64_t id(std::uint64_t slot) const { return (number_ << 8U) | slot; }

  Nic& nic_;
  Part part_;
  Plan plan_;
  Plan pings_;            // what of it is pings
  std::uint64_t number_;  // among the tests of this NIC
  std::vector<verbs::PendingQueuePair> pending_;
  std::vector<verbs::QueuePair> pairs_;
  std::optional<Stream> stream_;
  std::optional<Pinger> pinger_;
  std::optional<Climb> climb_;
  std::optional<ClassProbe> probe_;
  bool greeted_ = false;  // by the other end
  bool over_ = false;
  bool own_begun_ = false;
  bool own_told_ = false;  // that it has all its figures
  bool own_over_ = false;  // and the peer has heard so
  bool peer_over_ = false;
  std::string reason_{};
  Clock::time_point began_{};
  Clock::time_point progress_{};  // when something last happened
  std::uint64_t pings_seen_ = 0;
  measure::CpuShare running_;  // since it began, or the turn of one end ended
  double ran_sending_ = 1;
  double ran_listening_ = 1;
};

}  // namespace railgauge::flow
