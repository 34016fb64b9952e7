#include "experiments/collective/geometry.hpp"

namespace railgauge::runner {
namespace {

using schedule::Layout;
using schedule::Rank;
using schedule::SizeRule;

Geometry alike(std::uint64_t bytes, std::size_t count, const Layout& layout) {
  return {bytes, count, layout, [layout](Rank) { return layout; }};
}

Geometry even(const schedule::Schedule& schedule, std::size_t elements, std::size_t element_bytes) {
  constexpr std::size_t kWholeBytes = 16;
  const std::size_t step = kWholeBytes / element_bytes;
  const std::size_t count = elements / schedule.ranks / step * step;
  return alike(count * schedule.ranks * element_bytes, count, Layout::each(count, schedule.blocks));
}

Geometry uneven(const schedule::Schedule& schedule, Rank rank, std::uint64_t bytes,
                std::size_t element_bytes, const Traffic& traffic) {
  const auto blocks = std::make_shared<const Blocks>(traffic.blocks(bytes / element_bytes));
  const auto layout_of = [blocks](Rank of) {
    return Layout::listed(blocks->to(of), blocks->from(of), blocks->most());
  };
  return {blocks->most() * element_bytes, blocks->most() / schedule.ranks, layout_of(rank),
          layout_of};
}

}  // namespace

std::size_t Geometry::input_begin(const schedule::Schedule& schedule,
                                  const schedule::Place& place) const {
  if (schedule::traits(schedule.collective).size != SizeRule::uneven) {
    return layout.span({place.block % schedule.blocks, 1}).begin;
  }
  const Layout theirs = layout_of(place.rank);
  return theirs.span({place.block, 1}).begin - theirs.elements();
}

Geometry geometry_of(const schedule::Schedule& schedule, Rank rank, std::uint64_t bytes,
                     std::size_t element_bytes, const Traffic& traffic) {
  const std::size_t elements = bytes / element_bytes;
  switch (schedule::traits(schedule.collective).size) {
    case SizeRule::vector:
      return alike(elements * element_bytes, elements, Layout::whole(elements, schedule.blocks));
    case SizeRule::single:
      return alike(elements * element_bytes, elements, Layout::each(elements, 1));
    case SizeRule::uneven: return uneven(schedule, rank, bytes, element_bytes, traffic);
    case SizeRule::per_rank: return even(schedule, elements, element_bytes);
    case SizeRule::none: break;
  }
  return alike(0, 0, Layout::each(1, 1));
}

}  // namespace railgauge::runner
