#include "results/nic_use.hpp"

#include "schedule/collective.hpp"

namespace railgauge::results {
namespace {

constexpr double kBitsPerByte = 8;

/// osu_bibw, osu_put_bibw, ib_write_bw_bidirectional.
bool is_of_both_directions(const std::string& collective) {
  return collective.ends_with("_bibw") || collective.ends_with("_bidirectional");
}

/// Bytes through a host's NICs in one direction for each byte of bus bandwidth.
std::optional<double> wire_per_busbw(const NicUse& use) {
  constexpr double kOneOfBoth = 0.5;
  if (is_of_both_directions(use.collective)) {
    return use.nodes == 1 ? std::nullopt : std::optional(kOneOfBoth);
  }
  const auto collective = schedule::collective(use.collective);
  const bool one_busy = collective && schedule::rooted(*collective) &&
                        schedule::traits(*collective).size == schedule::SizeRule::per_rank;
  const bool alltoall =
      collective && schedule::traits(*collective).movement == schedule::Movement::transposed;
  const bool all_by_nics = use.beside_nics && use.beside_nics->empty();
  if (use.nodes == 1 && !all_by_nics) return std::nullopt;
  if (one_busy || (!all_by_nics && !alltoall)) return 1;
  if (!use.ranks || !use.nodes || *use.ranks % *use.nodes != 0) return std::nullopt;
  const double ranks = *use.ranks;
  const double per_node = ranks / *use.nodes;
  return all_by_nics || ranks < 2 ? per_node : per_node * (ranks - per_node) / (ranks - 1);
}

}  // namespace

std::optional<double> nics_gigabytes_per_second(const NicUse& use) {
  if (!use.nics_per_node || !use.line_rate_gigabits_per_second) return std::nullopt;
  return *use.nics_per_node * *use.line_rate_gigabits_per_second / kBitsPerByte;
}

std::optional<double> line_rate_fraction(const NicUse& use, double busbw_gigabytes_per_second) {
  const auto nics = nics_gigabytes_per_second(use);
  const auto factor = wire_per_busbw(use);
  if (!nics || !factor) return std::nullopt;
  return busbw_gigabytes_per_second * *factor / *nics;
}

}  // namespace railgauge::results
