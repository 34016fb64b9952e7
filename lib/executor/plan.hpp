#pragma once

// lib/executor runs a schedule over a transport: pieces, credits, order of data, deadline, report.
// It must not know what a device is, how a size is timed, or how a result is written.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedule/layout.hpp"
#include "schedule/schedule.hpp"
#include "transport/transport.hpp"

namespace railgauge::executor {

using schedule::Action;
using schedule::Layout;
using schedule::Rank;
using schedule::Schedule;

/// The lanes that one rank of a schedule needs: one a rail to every peer it sends to or takes from,
/// in order of peers, rails side by side. All ranks list the same pairs, so they can be connected.
[[nodiscard]] std::vector<transport::LaneRequest> lanes_of(const Schedule& schedule, Rank rank,
                                                           unsigned rails);

/// An op of this rank on one rail's stripe, in positions (elements) of that stripe's layout.
struct PlannedOp {
  Action action = Action::copy;
  bool from_input = false;    // ours are read from the input: nothing has written them yet
  bool peer_reduces = false;  // send: the peer wants them in its landing slots
  transport::Lane lane = 0;
  std::uint32_t stripe = 0;
  schedule::Step step = 0;
  schedule::BlockRange blocks;
  Layout::Span span;
  std::size_t peer_begin = 0;  // where the span begins at the peer
  std::uint32_t first_dependency = 0;
  std::uint32_t dependencies = 0;
};

/// What one rank does for one collective of one size, with everything that can be known beforehand
/// worked out: built once per size, outside of any timed interval. Plain data.
///
/// Stripe i of the data travels on rail i, and is a run of the whole schedule by itself.
struct Plan {
  std::string algorithm;
  schedule::Step steps = 0;
  std::size_t element_bytes = 1;
  std::vector<Layout> stripes;
  std::vector<PlannedOp> ops;  // stripe by stripe, in order of steps
  std::vector<std::uint32_t> dependencies;
  std::vector<std::vector<std::uint32_t>> sends;     // [lane] ops in order
  std::vector<std::vector<std::uint32_t>> arrivals;  // [lane] ops in order
  std::vector<std::uint32_t> copies;

  /// The earlier ops whose data this one reads or overwrites. At position p of its span, each of
  /// them has to be settled up to p, or wholly if it ends before.
  [[nodiscard]] std::span<const std::uint32_t> dependencies_of(const PlannedOp& op) const {
    return std::span(dependencies).subspan(op.first_dependency, op.dependencies);
  }
};

/// `lanes` are those of the transport, and have to contain lanes_of(schedule, rank, rails).
/// Throws std::logic_error for a schedule that does not fit together (see schedule/proof.hpp).
[[nodiscard]] Plan make_plan(const Schedule& schedule, Rank rank, const Layout& layout,
                             std::size_t element_bytes, unsigned rails,
                             std::span<const transport::LaneRequest> lanes);

}  // namespace railgauge::executor
