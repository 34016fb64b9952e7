#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "experiments/collective/traffic.hpp"
#include "schedule/collective.hpp"
#include "schedule/layout.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::runner {

/// What a size means for a collective, as nccl-tests counts: the larger of what a rank puts in and
/// takes out. Where every rank has a block, blocks are of whole 16 bytes, and rounded down.
struct Geometry {
  std::uint64_t size_bytes = 0;  // in fact; where ranks differ, of the one with most
  std::size_t count = 0;         // elements: of a rank's block where there are such
  schedule::Layout layout;       // of this rank
  std::function<schedule::Layout(schedule::Rank)> layout_of;

  [[nodiscard]] std::size_t buffer_bytes(std::size_t element_bytes) const {
    return layout.elements() * element_bytes;
  }
  /// The element of its rank's input with which a block begins.
  [[nodiscard]] std::size_t input_begin(const schedule::Schedule& schedule,
                                        const schedule::Place& place) const;
};

/// A barrier has no size, and moves one element. `traffic` is for all-to-all-v.
[[nodiscard]] Geometry geometry_of(const schedule::Schedule& schedule, schedule::Rank rank,
                                   std::uint64_t bytes, std::size_t element_bytes,
                                   const Traffic& traffic);

}  // namespace railgauge::runner
