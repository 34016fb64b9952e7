#pragma once

// lib/schedule holds who sends what to whom: algorithms as data, their proof and their cost.
// It must not know bytes on a wire, buffers, devices, threads or clocks.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace railgauge::schedule {

using Rank = std::uint32_t;
using Block = std::uint32_t;
using Step = std::uint32_t;

/// Blocks [first, first + count). A range never wraps: two ops express one that does.
struct BlockRange {
  Block first = 0;
  Block count = 0;

  [[nodiscard]] Block end() const { return first + count; }
  friend bool operator==(const BlockRange&, const BlockRange&) = default;
};

[[nodiscard]] inline bool overlap(const BlockRange& a, const BlockRange& b) {
  return a.first < b.end() && b.first < a.end();
}

enum class Action : std::uint8_t {
  send,     // copy the blocks to the peer
  receive,  // overwrite the blocks with the peer's
  reduce,   // overwrite the blocks with the combination of the peer's and ours
  copy,     // overwrite the blocks with others of this rank; the peer is the rank itself
};

[[nodiscard]] inline bool arrives(Action action) {
  return action == Action::receive || action == Action::reduce;
}

/// Stands for "the same blocks".
inline constexpr Block kSame = ~Block{0};

/// One thing a rank does in one step. Names a peer and blocks, and nothing else: bytes, types,
/// buffers, rails and tags belong to whoever runs it.
struct Op {
  Action action = Action::send;
  Rank peer = 0;
  BlockRange blocks;   // what is sent, or written
  Block from = kSame;  // copy, reduce: the first of those that are copied, or combined
  /// Between two ranks, ops of one channel keep their order; those of several do not.
  std::uint8_t channel = 0;

  /// The blocks of this rank that the op reads; of a receive, none.
  [[nodiscard]] BlockRange read() const {
    return {from == kSame ? blocks.first : from, action == Action::receive ? 0 : blocks.count};
  }
  friend bool operator==(const Op&, const Op&) = default;
};

using Ops = std::vector<Op>;

/// A rank's own blocks, which are in its input, are wanted in its output as well. In place this is
/// no work.
[[nodiscard]] inline Op keep(Rank rank, const BlockRange& blocks) {
  return {Action::copy, rank, blocks};
}
[[nodiscard]] inline bool keeps(const Op& op) {
  return op.action == Action::copy && op.from == kSame;
}

/// What becomes at the peer of `op`, which is one of `ours` in a step and no copy: of a send the
/// arrival, of an arrival the send. `theirs` are the peer's ops of the step. nullptr: nothing.
[[nodiscard]] inline const Op* counterpart(const Op& op, const Ops& ours, Rank rank,
                                           const Ops& theirs) {
  const auto is_one = [&](const Op& other, Rank peer, bool arrival) {
    return other.peer == peer && other.channel == op.channel && other.action != Action::copy &&
           arrives(other.action) == arrival;
  };
  std::size_t before = 0;
  for (const Op* other = ours.data(); other != &op; ++other)
    before += is_one(*other, op.peer, arrives(op.action)) ? 1 : 0;
  for (const Op& other : theirs) {
    if (is_one(other, rank, !arrives(op.action)) && before-- == 0) return &other;
  }
  return nullptr;
}

}  // namespace railgauge::schedule
