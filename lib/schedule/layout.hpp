#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "schedule/op.hpp"

namespace railgauge::schedule {

/// Where the blocks of a schedule lie in a buffer, in elements. Cuts unevenly where it must, pads
/// nowhere: block b of B over E elements is [floor(b E / B), floor((b+1) E / B)).
///
/// A block range has a *span* of positions, counted as if all blocks were contiguous, those of the
/// input and of scratch (see Schedule) after those of the output. Positions are what progress is
/// counted in. Counted from the first block of its buffer on, `offset_of` says where one is there.
/// A stripe is the part of a layout that one rail carries: the stripes together are the whole.
class Layout {
 public:
  /// One vector cut into `blocks` nearly equal parts: all-reduce, broadcast, reduce. Has no
  /// scratch. A stripe of it is a vector by itself, with blocks of its own: its block b is no part
  /// of block b of the whole.
  [[nodiscard]] static Layout whole(std::size_t elements, Block blocks);
  /// `blocks` equal blocks of `count` elements, one for each rank: all other collectives. A stripe
  /// has its part of every block.
  [[nodiscard]] static Layout each(std::size_t count, Block blocks);

  /// Blocks of any sizes, in elements, side by side in each buffer: all-to-all-v, of which every
  /// rank has a layout of its own. `most`: the most elements that any rank has in one buffer.
  /// Ranges of these are of one block. A stripe has its part of every block.
  [[nodiscard]] static Layout listed(const std::vector<std::size_t>& output,
                                     const std::vector<std::size_t>& input, std::size_t most);

  /// The part for rail `index` of `stripes`.
  [[nodiscard]] Layout stripe(unsigned index, unsigned stripes) const;

  /// Of all blocks of one buffer, scratch left out; of listed blocks, the most that any rank has.
  [[nodiscard]] std::size_t elements() const { return elements_; }

  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
  };
  [[nodiscard]] Span span(const BlockRange& blocks) const {
    if (listed_) return listed_span(blocks);
    return {start(blocks.first), start(blocks.end())};
  }

  /// Where the element at `position` lies in its buffer, both counted from its first block on.
  [[nodiscard]] std::size_t offset_of(std::size_t position) const {
    if (joined()) return offset_ + position;
    return offset_ + position / size_ * pitch_ + position % size_;
  }
  /// How much further on a stripe's positions in scratch begin. A vector's stripes have theirs one
  /// after the other, where blocks of ranks have a part of every block.
  [[nodiscard]] std::size_t scratch_shift(Block scratch) const {
    return size_ == 0 && scratch > 0 ? offset_ * (scratch - 1) : 0;
  }
  /// How many elements from `position` on lie side by side in the buffer, or more than there are.
  [[nodiscard]] std::size_t run(std::size_t position) const {
    return joined() ? std::numeric_limits<std::size_t>::max() : size_ - position % size_;
  }

 private:
  Layout(std::size_t elements, Block blocks, std::size_t offset, std::size_t size,
         std::size_t pitch)
      : elements_(elements), blocks_(blocks), offset_(offset), size_(size), pitch_(pitch) {}

  /// Of a listed block in its buffer.
  struct Listed {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  [[nodiscard]] Span listed_span(const BlockRange& blocks) const;

  [[nodiscard]] std::size_t start(Block block) const { return elements_ * block / blocks_; }
  /// Blocks lie side by side.
  [[nodiscard]] bool joined() const { return size_ == pitch_; }

  std::size_t elements_;
  Block blocks_;
  std::size_t offset_;
  std::size_t size_;                                   // of each block; of a vector cut unevenly 0
  std::size_t pitch_;                                  // from one block's start to the next
  std::shared_ptr<const std::vector<Listed>> listed_;  // output, then input; positions are places
};

}  // namespace railgauge::schedule
