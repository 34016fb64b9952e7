#pragma once

#include <cstdint>
#include <vector>

#include "schedule/op.hpp"

namespace railgauge::schedule {

/// Which ops have touched each block of a rank so far, and so which ones a new op must wait for
/// and where its data are. Ops are known by their numbers.
class BlockHistory {
 public:
  explicit BlockHistory(Block blocks) : last_(blocks) {}

  [[nodiscard]] bool written(Block block) const { return last_[block].written; }

  /// Calls `add` with the ops that a reader of the blocks must wait for.
  template <class Add>
  void for_writers(const BlockRange& blocks, Add add) const {
    for (Block b = blocks.first; b < blocks.end(); ++b) {
      if (last_[b].written) add(last_[b].writer);
    }
  }
  /// Calls `add` with the ops that a writer of the blocks must wait for, in addition to those.
  template <class Add>
  void for_readers(const BlockRange& blocks, Add add) const {
    for (Block b = blocks.first; b < blocks.end(); ++b) {
      for (const std::uint32_t reader : last_[b].readers) add(reader);
    }
  }

  void note_read(std::uint32_t op, const BlockRange& blocks) {
    for (Block b = blocks.first; b < blocks.end(); ++b) last_[b].readers.push_back(op);
  }
  void note_write(std::uint32_t op, const BlockRange& blocks) {
    for (Block b = blocks.first; b < blocks.end(); ++b) last_[b] = {true, op, {}};
  }
  /// Copied from the input to the same place in the output: does not disturb readers of the input,
  /// but the next writer must wait for them.
  void note_keep(std::uint32_t op, const BlockRange& blocks) {
    for (Block b = blocks.first; b < blocks.end(); ++b) {
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

}  // namespace railgauge::schedule
