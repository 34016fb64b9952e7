#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "softroce/device/acknowledgement.hpp"
#include "softroce/device/early_packets.hpp"
#include "softroce/device/ring.hpp"
#include "softroce/device/work_queues.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

struct QueuePair;

/// The receiving half of an RC or UC queue pair (InfiniBand volume 1, 9.7.4 and 9.8): checks the
/// order of packets, executes requests, and queues answers, which transmit() sends in the order of
/// the requests.
class Responder {
 public:
  explicit Responder(QueuePair& queue_pair) : qp_(queue_pair) {}

  /// A new connection (modify to RTR).
  void start(Psn first);
  void receive(const Packet& packet);
  /// Sends at most `budget` packets, counting it down. True if more could be sent at once.
  bool transmit(unsigned& budget);

  /// The receive that was receiving a message when the queue pair failed.
  bool take_unfinished(Receive& out);

  Psn expected() const { return expected_; }

  /// When it has something to do without a packet; Time::max() if never.
  Time deadline() const { return withheld_.empty() ? Time::max() : withheld_until_; }

 private:
  enum class Message : std::uint8_t { none, send, write };
  struct Answer {  // to a READ or an atomic
    bool is_read = true;
    Psn psn = 0;
    Psn end = 0;
    std::uint32_t key = 0;
    std::uint64_t address = 0;
    std::uint64_t left = 0;
    bool first = true;
    std::uint64_t original = 0;
    std::uint32_t message_number = 0;
    bool repeated = false;          ///< for a request that was answered before
    ShadowTable::Mark fetched = 0;  ///< copying what a GPU has of it was started here
  };
  struct Unsettled {
    ShadowTable::Mark since = 0;
    Psn psn = 0;
  };
  struct Failure {                  // ends the connection after the answers before it have left
    std::optional<Syndrome> why{};  ///< none: the peer is not told
    Psn psn = 0;
    std::optional<ibv_event_type> event{};
  };
  struct Remembered {  // atomics are never executed twice
    Psn psn = ~0U;
    std::uint64_t original = 0;
  };

  void in_order(const Packet& packet);
  void ahead();
  void early(const Packet& packet);
  bool place(const Packet& packet);
  void catch_up();
  bool take_turn(const EarlyPackets::Early& early);
  void duplicate(const Packet& packet);
  bool fits(const Packet& packet) const;
  void data(const Packet& packet);
  bool begin_send();
  void unreceivable();
  bool begin_write(const Packet& packet);
  /// A write to where it may not. If its immediate data took a receive, that one fails for the same
  /// reason (InfiniBand volume 1, 11.6.2: local access error).
  void refuse_write(const Packet& packet);
  bool put_send(const Packet& packet);
  bool put_write(const Packet& packet);
  /// A NIC may place the packets of a WRITE in any order, so a strict port places the first last.
  void withhold(std::span<const std::byte> payload);
  /// Starts to bring to the GPU what has come of a message, if that is where it belongs.
  void bring(std::span<const ibv_sge> elements, const Packet& packet);
  void unsettled_since(ShadowTable::Mark mark, Psn psn);
  /// Before anybody is told of messages: waits until the GPU has all of them. If it cannot, the
  /// first of them has failed.
  bool settle();
  void place_withheld();
  bool end_message(const Packet& packet);
  void complete(const Packet& packet, ibv_wc_status status);
  void read(const Packet& packet);
  void atomic(const Packet& packet);
  std::byte* writable(std::uint32_t key, std::uint64_t address, std::uint64_t bytes) const;
  const std::byte* readable(std::uint32_t key, std::uint64_t address, std::uint64_t bytes) const;
  std::byte* atomic_target(const Packet& packet) const;
  void repeat_read(const Packet& packet);
  void repeat_atomic(Psn psn);
  void answer_read(const Packet& packet, bool repeated);
  void fetch(const Packet& packet);
  void answer_atomic(Psn psn, std::uint64_t original, bool repeated);
  bool owed(Psn psn) const;
  bool room_for_answer() const;
  void accepted(const Packet& packet, std::uint32_t psns);
  bool have_receive();
  /// Without a reason the peer hears nothing, and finds out by itself (class J of the responder's
  /// errors, 9.9.3.1: a failed invalidation is a matter of this end).
  void refuse(std::optional<Syndrome> why, std::optional<ibv_event_type> event);
  void unanswerable(const Answer& answer);
  void give_up();
  void drop_message();
  bool send_answer(Answer& answer);
  void send_acknowledge(std::uint8_t syndrome, Psn psn);
  void acknowledge_what_came();

  QueuePair& qp_;
  Psn expected_ = 0;
  std::uint32_t message_number_ = 0;
  Message message_ = Message::none;
  std::uint64_t received_ = 0;   // bytes of the message so far
  std::uint64_t announced_ = 0;  // RETH's length
  std::uint32_t key_ =
      0;  // RETH's key and address. They are looked up for each packet: the region may
  std::uint64_t address_ = 0;          // be deregistered in the middle of a message.
  std::vector<std::byte> withheld_{};  // the beginning of the last WRITE, until it is acknowledged
  Time withheld_until_{};
  Landing landing_{};
  std::optional<Unsettled> unsettled_{};  // the first of the messages on their way to the GPU
  std::optional<Psn> lost_{};             // the first that did not get there
  Receive receive_{};
  bool receive_taken_ = false;
  bool receive_resolved_ = false;
  EarlyPackets early_{};
  Ring<Answer> answers_{};
  std::array<Remembered, 256> atomics_{};
  std::size_t next_atomic_ = 0;
  bool acknowledge_owed_ = false;
  std::optional<std::uint8_t> refusal_{};  // a NAK that is owed, for expected_
  std::optional<Failure> failure_{};
  bool told_of_gap_ = false;
  Time told_at_{};
};

}  // namespace railgauge::softroce
