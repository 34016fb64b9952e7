#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "flow/nic.hpp"
#include "flow/plan.hpp"
#include "results/pairs.hpp"
#include "runner/all_nics.hpp"

namespace railgauge::flow {
class Test;
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
struct WayFigures {
  std::size_t from = 0;
  std::size_t to = 0;
  results::PairFigures figures{};
  bool ports_were_set = false;  // the sender's device was told the source ports of its labels
};

/// Tests pairs of NICs of different hosts, all of a round at the same time. Each rank drives its
/// NICs, one thread all of them.
class PairTester {
 public:
  /// Opens this rank's NICs, for messages of at most so many bytes. Both have to outlive it. Throws
  /// std::system_error.
  PairTester(Session& session, const AllNics& all, std::uint32_t most_bytes);
  ~PairTester();
  PairTester(const PairTester&) = delete;
  PairTester& operator=(const PairTester&) = delete;

  /// Collective; all ranks with the same arguments. No NIC may be in two of the tests. Comes back
  /// when all are over, with what came of each way that the plan has, on every rank, in the order
  /// of tests, the way from the first to the second first. What does not work is a reason among the
  /// figures. Counters are those of both ports while the round went on: of a way what the sender's
  /// port counts of what it sent, and the receiver's of what it received. Throws job::RunFailure
  /// only for what ends a run.
  [[nodiscard]] std::vector<WayFigures> run(const flow::Plan& plan,
                                            std::span<const PairTest> tests);

 private:
  struct End;

  [[nodiscard]] std::vector<End> own_ends(const flow::Plan& plan, std::span<const PairTest> tests);
  void connect(std::vector<End>& ends);
  void drive(std::vector<End>& ends);
  [[nodiscard]] std::map<std::size_t, double> shared_stalls(const std::vector<End>& ends);
  [[nodiscard]] std::vector<WayFigures> shared(const std::vector<End>& ends, flow::Mode mode);
  void add_stalls(const std::map<std::size_t, double>& stalled_ms, std::vector<WayFigures>& ways);
  void set_ran_shares(const std::vector<End>& ends, bool alone, std::vector<WayFigures>& ways);
  void add_counters(std::vector<WayFigures>& ways);
  [[nodiscard]] results::PairFigures figures_of(const End& end, flow::Mode mode) const;

  Session& session_;
  const AllNics& all_;
  std::map<std::size_t, std::unique_ptr<flow::Nic>> nics_;  // of this rank, by place in AllNics
};

}  // namespace railgauge::runner
