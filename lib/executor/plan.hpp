#pragma once

// lib/executor runs a schedule over a transport: chunks, credits, order of data, deadline, report.
// It must not know what a device is, how a size is timed, or how a result is written.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "executor/channels.hpp"
#include "schedule/layout.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::executor {

using schedule::Action;
using schedule::Layout;
using schedule::Rank;
using schedule::Schedule;

/// A rank's buffers, which hold its blocks.
enum class Buffer : std::uint8_t { output, input, scratch };
inline constexpr std::size_t kBuffers = 3;

/// An op of this rank on one stripe. Spans are positions (elements) over all blocks, by which ops
/// wait for each other; places are positions in a buffer, counted from its first block.
struct PlannedOp {
  Action action = Action::copy;
  Buffer reads = Buffer::output;   // what is sent, copied, or combined with what arrives
  Buffer writes = Buffer::output;  // of a send: at the peer
  bool peer_reduces = false;       // send: the peer takes it in its landing slots
  bool completes = false;          // reduce: nothing more is combined into these blocks, anywhere
  transport::Channel channel = 0;
  std::uint32_t stripe = 0;
  schedule::Step step = 0;
  schedule::BlockRange blocks;
  Layout::Span span;
  std::size_t at = 0;    // the place that is sent or written
  std::size_t own = 0;   // the place that is copied or combined with what arrives
  std::size_t peer = 0;  // the place at the peer
  std::uint32_t first_dependency = 0;
  std::uint32_t dependencies = 0;
};

/// An earlier op whose data a later one reads or overwrites.
struct Dependency {
  std::uint32_t op = 0;
  std::ptrdiff_t shift = 0;  // position p of the later op's span is p + shift of the earlier's
  bool in_place = false;     // only then: one reads the input, the other writes the output

  friend bool operator<(const Dependency& a, const Dependency& b) {
    return std::tie(a.op, a.shift, a.in_place) < std::tie(b.op, b.shift, b.in_place);
  }
};

/// What one rank does for one collective of one size, with everything computed that can be known in
/// advance: built once per size, outside any timed interval. Plain data.
struct Plan {
  std::string algorithm;
  schedule::Step steps = 0;
  std::size_t element_bytes = 1;
  bool one_hop = false;  // nothing is combined or passed on, by any rank
  std::vector<Layout> stripes;
  std::vector<PlannedOp> ops;  // stripe by stripe, in order of steps
  std::vector<Dependency> dependencies;
  std::vector<std::vector<std::uint32_t>> sends;     // [channel] ops in order
  std::vector<std::vector<std::uint32_t>> arrivals;  // [channel] ops in order
  std::vector<std::uint32_t> copies;
  std::vector<std::uint32_t> first_waiting;  // [op], plus one: where its channels begin below
  std::vector<transport::Channel> waiting;

  /// Before this op proceeds to a position of its span, each of these must be settled up to the
  /// same place, or entirely if it ends before that.
  [[nodiscard]] std::span<const Dependency> dependencies_of(const PlannedOp& op) const {
    return std::span(dependencies).subspan(op.first_dependency, op.dependencies);
  }
  /// The bytes of a rank's data that the largest stripe carries, the same on all ranks: no op moves
  /// more.
  [[nodiscard]] std::size_t most_bytes() const;
  /// The channels of later ops that may be able to proceed when this one does.
  [[nodiscard]] std::span<const transport::Channel> waiting_for(std::uint32_t op) const {
    return std::span(waiting).subspan(first_waiting[op], first_waiting[op + 1] - first_waiting[op]);
  }
};

/// How many bytes of scratch a plan needs.
[[nodiscard]] std::size_t scratch_bytes(const Schedule& schedule, const Layout& layout,
                                        std::size_t element_bytes);

/// `channels` are those of the transport, and must contain channels_of(schedule, rank, stripes).
/// All ranks share `layout`. Throws std::logic_error for an inconsistent schedule (see
/// schedule/proof.hpp).
///
/// Of a share of the rails: only what its stripes carry, which is nothing if the data are too small
/// for so many stripes. `stripes` are still those of all rails; channels and the plan's stripes are
/// numbered as the share does: `channels` must contain channels_of(..., share.part_of(stripes)).
[[nodiscard]] Plan make_plan(const Schedule& schedule, Rank rank, const Layout& layout,
                             std::size_t element_bytes, const Stripes& stripes,
                             std::span<const transport::ChannelRequest> channels,
                             const RailShare& share = {});

/// The same if every rank has a layout of its own: all-to-all-v.
[[nodiscard]] Plan make_plan(const Schedule& schedule, Rank rank,
                             const std::function<Layout(Rank)>& layout_of,
                             std::size_t element_bytes, const Stripes& stripes,
                             std::span<const transport::ChannelRequest> channels,
                             const RailShare& share = {});

}  // namespace railgauge::executor
