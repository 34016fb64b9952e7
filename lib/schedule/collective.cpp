#include "schedule/collective.hpp"

#include <algorithm>
#include <array>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {
namespace {

struct Named {
  Collective collective;
  std::string_view name;
};
constexpr std::array<Named, 11> kNames{{{Collective::all_reduce, "all_reduce"},
                                        {Collective::reduce, "reduce"},
                                        {Collective::reduce_scatter, "reduce_scatter"},
                                        {Collective::broadcast, "broadcast"},
                                        {Collective::all_gather, "all_gather"},
                                        {Collective::gather, "gather"},
                                        {Collective::scatter, "scatter"},
                                        {Collective::all_to_all, "alltoall"},
                                        {Collective::all_to_all_v, "alltoallv"},
                                        {Collective::sendrecv, "sendrecv"},
                                        {Collective::barrier, "barrier"}}};

}  // namespace

std::string_view name(Collective collective) {
  return std::ranges::find(kNames, collective, &Named::collective)->name;
}

std::optional<Collective> collective(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name, &Named::name);
  if (found == kNames.end()) return std::nullopt;
  return found->collective;
}

double bus_factor(Collective collective, Rank ranks) {
  if (ranks == 1 || collective == Collective::barrier) return 0;
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (collective) {
    case Collective::all_reduce: return 2 * others;
    case Collective::reduce:
    case Collective::broadcast:
    case Collective::sendrecv: return 1;
    default: return others;
  }
}

bool reduces(Collective collective) {
  return collective == Collective::all_reduce || collective == Collective::reduce ||
         collective == Collective::reduce_scatter || collective == Collective::barrier;
}

bool rooted(Collective collective) {
  return collective == Collective::reduce || collective == Collective::broadcast ||
         collective == Collective::gather || collective == Collective::scatter;
}

bool separate_buffers(Collective collective) {
  return collective == Collective::all_to_all || collective == Collective::all_to_all_v ||
         collective == Collective::sendrecv;
}

bool is_input(const Schedule& schedule, Rank rank, Block block) {
  if (separate_buffers(schedule.collective)) {
    return block >= schedule.blocks && block < 2 * schedule.blocks;
  }
  if (block >= schedule.blocks) return false;
  switch (schedule.collective) {
    case Collective::broadcast:
    case Collective::scatter: return rank == schedule.root;
    case Collective::all_gather:
    case Collective::gather: return rank == block;
    default: return true;
  }
}

bool is_output(const Schedule& schedule, Rank rank, Block block) {
  if (block >= schedule.blocks) return false;
  switch (schedule.collective) {
    case Collective::reduce:
    case Collective::gather: return rank == schedule.root;
    case Collective::reduce_scatter:
    case Collective::scatter: return rank == block;
    default: return true;
  }
}

Place source_of(const Schedule& schedule, Rank rank, Block block) {
  switch (schedule.collective) {
    case Collective::all_to_all:
    case Collective::all_to_all_v: return {block, schedule.blocks + rank};
    case Collective::sendrecv:
      return {(rank + schedule.ranks - 1) % schedule.ranks, schedule.blocks + block};
    case Collective::broadcast:
    case Collective::scatter: return {schedule.root, block};
    default: return {block, block};
  }
}

}  // namespace railgauge::schedule
