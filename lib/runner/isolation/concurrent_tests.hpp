#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "isolation/batch.hpp"
#include "job/communicator.hpp"
#include "runner/isolation/flow_test.hpp"
#include "runner/isolation/tested_nics.hpp"

namespace railgauge::runner {

/// What came of a test, from both its ends.
struct MeasuredTest {
  FlowOutcome outcome{};
  std::optional<std::int64_t> packets{};  ///< that the sender's port sent
  std::optional<std::int64_t> lost{};     ///< of them, as the ports counted
  bool port_was_set = false;              ///< the sender's device was told its source port
  double stalled_ms = 0;                  ///< time in which an end's process did not run
  std::size_t stalled_nic = 0;            ///< whose
  /// For which an end's process waited for processors, the longer of the two; of software devices.
  std::optional<double> waited_share{};
};

/// NICs of this rank, opened, by their places among all.
using OwnNics = std::map<std::size_t, std::unique_ptr<ProbedNic>>;

/// How all tests are made.
struct TestSettings {
  std::uint8_t traffic_class = 0;
  std::chrono::milliseconds time{60};  ///< of a test's large writes
};

/// Tests that are made at the same time. No NIC may be in two of them.
using Batch = std::vector<isolation::PlannedTest>;

/// Collective: connects all tests, makes batch after batch, and tells all ranks what came of each
/// test, in their order. Ranks meet once before each batch.
[[nodiscard]] std::vector<MeasuredTest> run_batches(job::Communicator& communicator,
                                                    const std::vector<TestedNic>& nics,
                                                    const OwnNics& own,
                                                    const std::vector<Batch>& batches,
                                                    const TestSettings& settings);

}  // namespace railgauge::runner
