#pragma once

#include <cstddef>
#include <cstdint>

#include "schedule/layout.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::benchmarks {

/// What a size means for a collective, as nccl-tests counts: the larger of what a rank puts in and
/// takes out. Where every rank has a block, blocks are of whole 16 bytes, and rounded down.
struct Geometry {
  std::uint64_t size_bytes = 0;  // in fact
  std::size_t count = 0;         // elements: of a rank's block where there are such
  schedule::Layout layout;

  [[nodiscard]] std::size_t buffer_bytes(std::size_t element_bytes) const {
    return layout.elements() * element_bytes;
  }
};

/// A barrier has no size, and moves one element.
[[nodiscard]] Geometry geometry_of(const schedule::Schedule& schedule, std::uint64_t bytes,
                                   std::size_t element_bytes);

}  // namespace railgauge::benchmarks
