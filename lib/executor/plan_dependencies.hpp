#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "executor/plan.hpp"
#include "schedule/op.hpp"

namespace railgauge::executor {

/// Which ops have touched each block of a stripe so far, and so which ones a new op must wait for
/// and where its data are. Ops are known by their numbers.
class BlockHistory {
 public:
  explicit BlockHistory(schedule::Block blocks) : last_(blocks) {}

  [[nodiscard]] bool written(schedule::Block block) const { return last_[block].written; }

  /// Calls `add` with the ops that a reader of the blocks must wait for.
  template <class Add>
  void for_writers(const schedule::BlockRange& blocks, Add add) const {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) {
      if (last_[b].written) add(last_[b].writer);
    }
  }
  /// Calls `add` with the ops that a writer of the blocks must wait for, in addition to those.
  template <class Add>
  void for_readers(const schedule::BlockRange& blocks, Add add) const {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) {
      for (const std::uint32_t reader : last_[b].readers) add(reader);
    }
  }

  void note_read(std::uint32_t op, const schedule::BlockRange& blocks) {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) last_[b].readers.push_back(op);
  }
  void note_write(std::uint32_t op, const schedule::BlockRange& blocks) {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) last_[b] = {true, op, {}};
  }
  /// Copied from the input to the same place in the output: does not disturb readers of the input,
  /// but the next writer must wait for them.
  void note_keep(std::uint32_t op, const schedule::BlockRange& blocks) {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) {
      last_[b].written = true;
      last_[b].writer = op;
    }
  }

 private:
  struct Touch {
    bool written = false;
    std::uint32_t writer = 0;
    std::vector<std::uint32_t> readers;  // since it was written
  };
  std::vector<Touch> last_;
};

// What can be derived once all ops of a plan are known.

/// Marks those reductions of the last stripe, whose ops begin at number `first`, that are the last
/// to combine anything into their blocks. Throws std::logic_error if that is true for only some of
/// an op's blocks.
void mark_complete(Plan& plan, std::size_t first, schedule::Block all_blocks);

/// Lists, for every op, the channels of the ops that wait for it.
void list_waiting(Plan& plan);

}  // namespace railgauge::executor
