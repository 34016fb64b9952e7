#pragma once

#include <cstddef>

#include "schedule/op.hpp"

namespace railgauge::schedule {

/// Where the blocks of a schedule lie in a buffer, in elements. Cuts unevenly where it must, pads
/// nowhere: block b of B over E elements is [floor(b E / B), floor((b+1) E / B)).
///
/// A block range has a *span* of positions, counted as if all blocks of this layout lay side by
/// side. Positions are what progress is counted in; `offset_of` says where one is in the buffer.
/// A stripe is the part of a layout that one rail carries: the stripes together are the whole.
class Layout {
 public:
  /// One vector cut into `blocks` nearly equal parts: all-reduce. A stripe of it is a vector by
  /// itself, with blocks of its own: its block b is no part of block b of the whole.
  [[nodiscard]] static Layout whole(std::size_t elements, Block blocks);
  /// `blocks` equal blocks of `count` elements, one for each rank: all-gather, reduce-scatter. A
  /// stripe has its part of every block.
  [[nodiscard]] static Layout each(std::size_t count, Block blocks);

  /// The part for rail `index` of `stripes`.
  [[nodiscard]] Layout stripe(unsigned index, unsigned stripes) const;

  [[nodiscard]] std::size_t elements() const { return elements_; }

  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
  };
  [[nodiscard]] Span span(const BlockRange& blocks) const {
    return {start(blocks.first), start(blocks.end())};
  }

  /// Where the element at `position` lies in the buffer.
  [[nodiscard]] std::size_t offset_of(std::size_t position) const {
    if (pitch_ == 0) return offset_ + position;
    return offset_ + position / block_size() * pitch_ + position % block_size();
  }
  /// How many elements from `position` on lie side by side in the buffer.
  [[nodiscard]] std::size_t run(std::size_t position) const {
    return pitch_ == 0 ? elements_ - position : block_size() - position % block_size();
  }

 private:
  Layout(std::size_t elements, Block blocks, std::size_t offset, std::size_t pitch)
      : elements_(elements), blocks_(blocks), offset_(offset), pitch_(pitch) {}

  [[nodiscard]] std::size_t start(Block block) const { return elements_ * block / blocks_; }
  [[nodiscard]] std::size_t block_size() const { return elements_ / blocks_; }

  std::size_t elements_;
  Block blocks_;
  std::size_t offset_;
  std::size_t pitch_;  // from one block's start to the next, in elements; 0: side by side
};

}  // namespace railgauge::schedule
