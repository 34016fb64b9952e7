#pragma once

#include <cstdint>
#include <vector>

#include "schedule/op.hpp"

namespace railgauge::executor {

/// Which ops have touched each block of a stripe so far: where an op has to wait, and where its
/// data lie. Ops are known by their numbers.
class BlockHistory {
 public:
  explicit BlockHistory(schedule::Block blocks) : last_(blocks) {}

  [[nodiscard]] bool written(schedule::Block block) const { return last_[block].written; }

  /// Calls `add` with the ops that one has to wait for which reads the blocks.
  template <class Add>
  void for_writers(const schedule::BlockRange& blocks, Add add) const {
    for (schedule::Block b = blocks.first; b < blocks.end(); ++b) {
      if (last_[b].written) add(last_[b].writer);
    }
  }
  /// And besides these with those that one has to wait for which writes the blocks.
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
