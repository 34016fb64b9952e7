#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "schedule/op.hpp"

namespace railgauge::executor {

/// Which ops have touched each block of a stripe so far: where an op has to wait, and where its
/// data lie. Ops are known by their numbers.
class BlockHistory {
 public:
  explicit BlockHistory(schedule::Block blocks) : last_(blocks) {}

  [[nodiscard]] bool written(schedule::Block block) const { return last_[block].written; }

  /// Adds the ops that one has to wait for which reads, or writes, the blocks.
  void add_writers(const schedule::BlockRange& blocks, std::set<std::uint32_t>& ops) const {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) {
      if (last_[b].written) ops.insert(last_[b].writer);
    }
  }
  void add_readers(const schedule::BlockRange& blocks, std::set<std::uint32_t>& ops) const {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) {
      ops.insert(last_[b].readers.begin(), last_[b].readers.end());
    }
  }

  void note_read(std::uint32_t op, const schedule::BlockRange& blocks) {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) last_[b].readers.push_back(op);
  }
  void note_write(std::uint32_t op, const schedule::BlockRange& blocks) {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) last_[b] = {true, op, {}};
  }
  /// From the input into the same place of the output: whoever still reads the input is not
  /// disturbed, but has to be waited for by the next that writes.
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

}  // namespace railgauge::executor
