#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "executor/plan.hpp"
#include "executor/progress.hpp"
#include "reduce/reduction.hpp"
#include "transport/transport.hpp"

namespace railgauge::executor {

struct ExecutorSettings {
  /// Data travel in pieces of this many bytes: small enough that the reduction of one overlaps the
  /// flight of the next, large enough that a packet's worth of overhead does not show.
  std::uint32_t piece_bytes = 64 * 1024;
  /// Pieces under way on a lane: one landing slot each. Bounds what a lossy path has to send again.
  std::uint32_t window = 4;
};

enum class Ending : std::uint8_t {
  done,
  deadline,  // the deadline passed
  failed,    // the transport reported a failure
  stopped,   // the caller asked to stop
};

/// A value, because failing is what a fabric under test does.
struct Outcome {
  Ending ending = Ending::done;
  std::string report;  // unless done: what failed, and for every lane what this rank waits for
};

/// How long a run may take.
struct Patience {
  std::chrono::steady_clock::time_point deadline;
  /// Asked every few milliseconds of waiting, and every few thousand polls; true ends the run. Must
  /// not throw.
  std::function<bool()> stop = [] { return false; };
};

/// The memory that a collective works on. Of one region number each on all ranks. `output` may be
/// `input` unless the collective has them apart; `scratch` is needed where scratch_bytes() says so.
struct Regions {
  transport::Region output;
  transport::Region input;
  transport::Region scratch;
};

/// Payload that a rank has written since the executor was made; notices have none.
struct Traffic {
  std::uint64_t pieces = 0;
  std::uint64_t bytes = 0;
};

/// Runs plans over a transport, one at a time, on the caller's thread.
///
/// Flow control: a piece is written only after the peer has granted it a place. A piece to be
/// combined lands in one of `window` slots; any other goes straight to its place in the output.
/// A run returns when this rank's output is complete and its sends have been acknowledged, so that
/// both buffers are the caller's again. Allocates in the constructor and in load(), not in run().
class Executor {
 public:
  /// Collective. `transport` has to outlive the executor.
  Executor(transport::Transport& transport, const ExecutorSettings& settings);

  /// Takes a plan for the runs to come. Drops the one before.
  void load(Plan plan);

  /// Collective, with the same plan on all ranks. After an outcome other than done the executor is
  /// of no more use.
  [[nodiscard]] Outcome run(const reduce::Reduction& reduction, const Regions& regions,
                            const Patience& patience);

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] Traffic traffic(unsigned rail) const;

 private:
  void start();
  bool take_events();
  void take(const transport::Event& event);
  void take_note(LaneProgress& lane, std::uint32_t note);
  void advance();
  bool copy_some();
  void advance_sends(transport::Lane lane);
  void advance_grants(transport::Lane lane);
  void advance_arrivals(transport::Lane lane);
  void look_at(transport::Lane lane);
  void acknowledge(transport::Lane lane, std::uint64_t completed);
  void announce(transport::Lane lane);
  void post_piece(transport::Lane lane, const PlannedOp& op, std::size_t at, std::size_t elements);
  void combine(transport::Lane lane, const PlannedOp& op, std::size_t at, std::size_t elements);
  void settle(std::uint32_t op, std::size_t elements);
  [[nodiscard]] bool ready(const PlannedOp& op, std::size_t elements) const;
  [[nodiscard]] std::size_t piece(const PlannedOp& op, std::size_t at) const;
  [[nodiscard]] std::size_t slot_offset(transport::Lane lane, std::uint64_t piece) const;
  [[nodiscard]] std::size_t offset(const PlannedOp& op, std::size_t place) const;
  [[nodiscard]] const transport::Region& region(Buffer buffer) const {
    return regions_[static_cast<std::size_t>(buffer)];
  }
  [[nodiscard]] Outcome ended(Ending ending, const std::string& why) const;

  transport::Transport& transport_;
  std::size_t piece_bytes_;
  std::uint32_t window_;
  transport::Region landing_;
  Plan plan_;
  std::vector<LaneProgress> lanes_;
  std::vector<std::size_t> settled_;       // [op] elements, from its begin, that later ops may use
  std::vector<std::uint64_t> last_write_;  // [op] the number of a finished send's last write
  std::size_t unsettled_ops_ = 0;
  Cursor copy_;
  std::vector<transport::Lane> to_look_at_;  // lanes that may go on, each once
  std::vector<bool> listed_;                 // [lane] whether it is among them
  transport::Event failure_;
  bool failed_ = false;
  std::array<transport::Region, kBuffers> regions_;
  const reduce::Reduction* reduction_ = nullptr;  // of the run
};

}  // namespace railgauge::executor
