#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <span>

#include "softroce/device/acknowledgement.hpp"
#include "softroce/device/early_packets.hpp"
#include "softroce/device/link_speed.hpp"
#include "softroce/device/patience.hpp"
#include "softroce/device/ring.hpp"
#include "softroce/device/round_trip.hpp"
#include "softroce/device/work_queues.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

struct QueuePair;

/// The sending half of a queue pair (InfiniBand volume 1, 9.7.5): assigns PSNs to requests, sends
/// within a window, processes responses, and goes back to the oldest unanswered PSN after a loss.
///
/// PSNs in [oldest, next) are on the wire; after going back, [next, newest) have been sent before.
class Requester {
 public:
  explicit Requester(QueuePair& queue_pair) : qp_(queue_pair) {}

  /// A new connection (modify to RTS).
  void start(Psn first);
  /// Sends at most `budget` packets. True if only the budget stopped it.
  bool transmit(unsigned budget);

  /// An acknowledgement or a response.
  void receive(const Packet& packet);

  /// When on_time() must be called; Time::max() if it need not be.
  Time deadline() const;
  void on_time();

  /// Something else than the peer keeps it from sending, so no answer is late.
  void wait_without_blame();

  Psn next_psn() const { return next_; }
  /// Sent and not answered yet.
  bool outstanding(Psn psn) const;
  /// Every request that was started is finished.
  bool drained() const;

 private:
  enum class Start { ready, wait, failed };

  Start start_request(SendRequest& request);
  ibv_wc_status prepare(SendRequest& request);
  ibv_wc_status execute_here(const SendRequest& request);
  bool fetch(SendRequest& request);
  void fetch_ahead();
  bool takes_shortcut(const SendRequest& request) const;
  bool copy(SendRequest& request, unsigned& budget);
  bool leave_shortcut(SendRequest& request);
  bool blocked(const SendRequest& request) const;
  bool send_packet(SendRequest& request);  // false: what it sends is not there
  bool unsendable();
  bool send_read_request(SendRequest& request);
  bool send_atomic(SendRequest& request);
  bool send_data(SendRequest& request);
  bool put(const SendRequest& request, Packet& packet, std::span<const iovec> payload,
           std::uint32_t psns);
  bool must_wait_for_rate(const SendRequest& request);
  bool must_wait_for_room(const SendRequest& request);
  void hold_until(Time time);

  bool answered_up_to(Psn psn);
  void progressed(Psn to);
  void complete_answered();
  void acknowledge(const Packet& packet);
  void read_response(const Packet& packet);
  void atomic_response(const Packet& packet);
  bool accept_response(const Packet& packet);
  bool bring(const SendRequest& request, std::uint64_t bytes);
  void not_yet(const Packet& packet);
  void catch_up();
  void answer(const Packet& packet);
  void negative(const Packet& packet);
  void not_ready(const Packet& packet);
  void go_back();
  void resend();
  void was_late();
  void fail(ibv_wc_status status);
  bool all_answered() const { return oldest_ == newest_; }
  void restart_timer();
  bool gives_up();
  nanoseconds next_wait() const;
  nanoseconds promised() const;
  nanoseconds longest_wait() const;

  QueuePair& qp_;
  Psn oldest_ = 0;
  Psn next_ = 0;
  Psn newest_ = 0;
  std::uint64_t copied_ = 0;  // bytes of the current request, when it takes the shortcut
  Ring<Psn> reads_{};         // where each outstanding READ request or atomic ends
  EarlyPackets early_{};      // answers
  Landing landing_{};         // of the response to the oldest request
  RoundTrip round_trip_{kLineBitsPerSecond};
  std::uint32_t window_ = 0;
  std::uint32_t largest_window_ = 0;
  std::uint32_t answered_in_window_ = 0;
  std::uint32_t window_before_ = 0;  // the time-out, while it may have been premature
  unsigned not_ready_left_ = 0;
  Patience patience_{};
  Time timer_ = Time::max();
  bool holding_ = false;  // a receiver was not ready, or the congestion control says so
  Time hold_until_{};
  Time not_ready_until_{};
  Psn gone_back_to_ = ~0U;
  Time gone_back_at_{};
};

}  // namespace railgauge::softroce
