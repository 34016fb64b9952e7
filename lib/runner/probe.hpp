#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/ran_share.hpp"
#include "reachability/matrix.hpp"
#include "runner/probe_end.hpp"

namespace railgauge::runner {

/// One end of a test of a pair of NICs: a few messages of 8 bytes there and back, then writes of
/// growing packets and large writes for a while from the first to the second, then from the second
/// to the first, so that a fault in one direction is told from one in the other, and a path that
/// loses large packets from a dead one.
class Probe : public ProbeEnd {
 public:
  enum class Part : std::uint8_t { first, second };

  /// For so long writes are posted. `nic` has to outlive it.
  Probe(ProbedNic& nic, Part part, std::chrono::milliseconds time);

  /// What came of sending, and of the peer's answers. Empty if messages arrive both ways but the
  /// test ended before this end had its turn to write: of this direction nothing is known then.
  [[nodiscard]] std::optional<reachability::Reach> reach() const;
  /// The share of the time in which the peer wrote, that this end ran: on a software device the
  /// peer was as slow as that.
  [[nodiscard]] double ran_listening() const { return ran_listening_; }

 private:
  enum class Phase : std::uint8_t { greeting, climbing, streaming, parting };
  enum class Notice : std::uint32_t { ping = 1, done = 2 };

  void begin() override;
  void take(const verbs::Completion& completion, bool of_stream) override;
  void arrived(Notice notice);
  void acknowledged(bool of_stream);
  void ping();
  void tell(Notice notice);
  void climb();
  void begin_stream();
  void go_on_streaming();
  [[nodiscard]] std::uint32_t packet(std::size_t step) const;

  Part part_;
  std::chrono::milliseconds time_;
  Phase phase_ = Phase::greeting;

  bool heard_ = false;     // something arrived
  bool answered_ = false;  // something of ours was acknowledged
  int pings_ = 0;          // sent
  Clock::time_point pinged_;
  std::vector<double> round_trips_us_;

  bool had_its_turn_ = false;
  std::size_t climbed_ = 0;  // writes of growing packets, acknowledged
  Clock::time_point stream_began_;
  std::uint64_t posted_ = 0;  // writes of the stream
  std::uint64_t done_ = 0;    // of them, acknowledged
  double gigabytes_per_second_ = 0;
  measure::RanShare running_;  // since this end's turn to write, or to listen, began
  double ran_writing_ = 1;
  double ran_listening_ = 1;
};

}  // namespace railgauge::runner
