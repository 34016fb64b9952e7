#include "benchmarks/geometry.hpp"

namespace railgauge::benchmarks {

using schedule::Collective;
using schedule::Layout;

Geometry geometry_of(const schedule::Schedule& schedule, std::uint64_t bytes,
                     std::size_t element_bytes) {
  const std::size_t elements = bytes / element_bytes;
  switch (schedule.collective) {
    case Collective::all_reduce:
    case Collective::reduce:
    case Collective::broadcast:
      return {elements * element_bytes, elements, Layout::whole(elements, schedule.blocks)};
    case Collective::sendrecv:
      return {elements * element_bytes, elements, Layout::each(elements, 1)};
    case Collective::barrier: return {0, 0, Layout::each(1, 1)};
    default: break;
  }
  constexpr std::size_t kWholeBytes = 16;
  const std::size_t step = kWholeBytes / element_bytes;
  const std::size_t count = elements / schedule.ranks / step * step;
  return {count * schedule.ranks * element_bytes, count, Layout::each(count, schedule.blocks)};
}

}  // namespace railgauge::benchmarks
