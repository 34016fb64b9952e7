#include "schedule/collective.hpp"

#include <algorithm>
#include <array>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {
namespace {

// clang-format off
constexpr auto kTraits = [] {
  using C = Combining;
  using B = BusFactor;
  using enum Collective;
  using enum Holding;
  using enum Movement;
  using enum SizeRule;
  return std::to_array<CollectiveTraits>({
    // collective    name              combining      in    out   movement    size      bus factor
    {all_reduce,     "all_reduce",     C::once,       all,  all,  in_place,   vector,   B::twice},
    {reduce,         "reduce",         C::once,       all,  root, in_place,   vector,   B::one},
    {reduce_scatter, "reduce_scatter", C::once,       all,  own,  in_place,   per_rank, B::others},
    {broadcast,      "broadcast",      C::none,       root, all,  in_place,   vector,   B::one},
    {all_gather,     "all_gather",     C::none,       own,  all,  in_place,   per_rank, B::others},
    {gather,         "gather",         C::none,       own,  root, in_place,   per_rank, B::others},
    {scatter,        "scatter",        C::none,       root, own,  in_place,   per_rank, B::others},
    {all_to_all,     "alltoall",       C::none,       all,  all,  transposed, per_rank, B::others},
    {all_to_all_v,   "alltoallv",      C::none,       all,  all,  transposed, uneven,   B::others},
    {sendrecv,       "sendrecv",       C::none,       all,  all,  to_next,    single,   B::one},
    {barrier,        "barrier",        C::repeatedly, all,  all,  in_place,   none,     B::none},
  });
}();
// clang-format on

constexpr bool every_collective_has_its_row() {
  for (std::size_t i = 0; i < kTraits.size(); ++i) {
    if (static_cast<std::size_t>(kTraits.at(i).collective) != i) return false;
  }
  return kTraits.back().collective == Collective::barrier;  // the last enumerator
}
static_assert(every_collective_has_its_row());

/// Whether `part` of the blocks has this one.
bool has(Holding part, const Schedule& schedule, Rank rank, Block block) {
  switch (part) {
    case Holding::all: return true;
    case Holding::own: return rank == block;
    case Holding::root: return rank == schedule.root;
  }
  return false;
}

}  // namespace

const CollectiveTraits& traits(Collective collective) {
  return kTraits.at(static_cast<std::size_t>(collective));
}

std::span<const CollectiveTraits> collectives() {
  return kTraits;
}

std::string_view name(Collective collective) {
  return traits(collective).name;
}

std::optional<Collective> collective(std::string_view name) {
  const auto* const found = std::ranges::find(kTraits, name, &CollectiveTraits::name);
  if (found == kTraits.end()) return std::nullopt;
  return found->collective;
}

double bus_factor(Collective collective, Rank ranks) {
  if (ranks == 1) return 0;
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (traits(collective).bus_factor) {
    case BusFactor::none: break;
    case BusFactor::one: return 1;
    case BusFactor::others: return others;
    case BusFactor::twice: return 2 * others;
  }
  return 0;
}

bool reduces(Collective collective) {
  return traits(collective).combining != Combining::none;
}

bool rooted(Collective collective) {
  return traits(collective).input == Holding::root || traits(collective).output == Holding::root;
}

bool separate_buffers(Collective collective) {
  return traits(collective).movement != Movement::in_place;
}

bool is_input(const Schedule& schedule, Rank rank, Block block) {
  if (separate_buffers(schedule.collective)) {
    return block >= schedule.blocks && block < 2 * schedule.blocks;
  }
  return block < schedule.blocks && has(traits(schedule.collective).input, schedule, rank, block);
}

bool is_output(const Schedule& schedule, Rank rank, Block block) {
  return block < schedule.blocks && has(traits(schedule.collective).output, schedule, rank, block);
}

Place source_of(const Schedule& schedule, Rank rank, Block block) {
  switch (traits(schedule.collective).movement) {
    case Movement::transposed: return {block, schedule.blocks + rank};
    case Movement::to_next:
      return {(rank + schedule.ranks - 1) % schedule.ranks, schedule.blocks + block};
    case Movement::in_place: break;
  }
  return {traits(schedule.collective).input == Holding::root ? schedule.root : block, block};
}

}  // namespace railgauge::schedule
