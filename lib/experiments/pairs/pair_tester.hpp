#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "results/document.hpp"
#include "results/port_events.hpp"

#include "experiments/pairs/all_nics.hpp"
#include "flow/nic.hpp"
#include "flow/plan.hpp"
#include "results/pairs.hpp"
#include "results/sweep_point.hpp"
#include "runner/gpus.hpp"

namespace railgauge::flow {
class Test;
}

namespace railgauge::measure {
class ProcessCpuShare;
}

namespace railgauge::runner {

class Session;

/// A test between two NICs, by their places in AllNics::nics.
struct PairTest {
  std::size_t first = 0;
  std::size_t second = 0;
  /// Of its queue pairs, instead of the plan's; empty: the plan's.
  std::vector<std::uint32_t> flow_labels{};
};

/// What came of one way of a test.
struct DirectionFigures {
  std::size_t from = 0;
  std::size_t to = 0;
  results::PairFigures figures{};
  bool ports_were_set = false;  // the sender's device was told the source ports of its labels
};

/// Tests pairs of NICs of different hosts, all of a round at the same time. Each rank drives its
/// NICs, one thread all of them.
class PairTester {
 public:
  /// Opens this rank's NICs, for messages of at most so many bytes, which are in memory of that
  /// kind. Both have to outlive it. Throws std::system_error.
  PairTester(Session& session, const AllNics& all, std::uint32_t most_bytes,
             results::MemoryKind memory);
  ~PairTester();
  PairTester(const PairTester&) = delete;
  PairTester& operator=(const PairTester&) = delete;

  /// Collective; all ranks with the same arguments. No NIC may be in two of the tests. Comes back
  /// when all are over, with what came of each direction that the plan has, on every rank, in the
  /// order of tests, the direction from the first to the second first. What does not work is a
  /// reason among the figures. Counters are those of both ports while the round went on: of a
  /// direction what the sender's port counts of what it sent, and the receiver's of what it
  /// received. Throws job::RunFailure only for what ends a run.
  [[nodiscard]] std::vector<DirectionFigures> run(const flow::Plan& plan,
                                                  std::span<const PairTest> tests);

  /// What all ports counted in the last run, on every rank.
  [[nodiscard]] const std::vector<results::PortEvents>& events() const { return events_; }

 private:
  struct End;
  struct Told;
  struct Carried;
  struct Priorities;

  [[nodiscard]] std::vector<std::size_t> own_ports() const;
  [[nodiscard]] std::unique_ptr<flow::Nic> open(std::size_t nic, std::uint32_t most_bytes);
  [[nodiscard]] std::vector<End> own_ends(const flow::Plan& plan, std::span<const PairTest> tests);
  void connect(std::vector<End>& ends);
  void drive(std::vector<End>& ends, bool naps);
  [[nodiscard]] std::vector<Told> told_by(
      const std::vector<End>& ends, flow::Mode mode,
      const std::optional<measure::ProcessCpuShare>& share) const;
  [[nodiscard]] std::vector<Told> shared(const std::vector<Told>& own);
  [[nodiscard]] std::vector<DirectionFigures> directions_of(const std::vector<Told>& all,
                                                            bool unanswered) const;
  void add_counters(std::vector<DirectionFigures>& directions);
  [[nodiscard]] Carried carried(std::size_t nic) const;
  void add_priorities(const std::vector<Carried>& before,
                      std::vector<DirectionFigures>& directions) const;
  [[nodiscard]] results::PairFigures figures_of(const End& end, flow::Mode mode) const;

  Session& session_;
  const AllNics& all_;
  results::MemoryKind memory_;
  std::deque<gpu::Memory> payloads_;                        // of NICs; outlives their registrations
  std::map<std::size_t, std::unique_ptr<flow::Nic>> nics_;  // of this rank, by place in AllNics
  std::vector<results::PortEvents> events_{};
};

/// Times in which a thread that polls without a pause did not run: its process was stopped, or the
/// host is busy with other things. What tests show then is not the fabric's doing. One thread.
class PollGaps {
 public:
  /// To be called with every poll. Milliseconds since the last call, if that is too late for one
  /// who polls; else 0.
  [[nodiscard]] double next_ms();

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point last_ = Clock::now();
};

/// Whether an end of a test that was descheduled for so long may be why it was slow, or failed: a
/// fifth of its time; half a second if it failed, for which it waited in vain for longer.
[[nodiscard]] bool was_descheduled(double stalled_ms, double test_ms, bool failed);

/// "the process on node7 was descheduled for 260 ms".
[[nodiscard]] std::string descheduled_text(const std::string& host, double stalled_ms);

/// What ports counted during a round, and which direction it is about: a port sends and receives,
/// and what it counts of packets that it received tells nothing about those that it sent.
class DirectionCounters {
 public:
  /// `document` has the ports that count at all.
  DirectionCounters(const results::Document& document, const AllNics& all,
                    const std::vector<results::PortEvents>& events);

  void add_to(DirectionFigures& direction) const;

 private:
  struct OfNic {
    bool counts = false;
    std::map<std::string, std::int64_t> moved{};
  };

  std::vector<OfNic> nics_;  // as in AllNics
};

}  // namespace railgauge::runner
