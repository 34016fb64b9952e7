#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// All ranks in groups of one size, which run a collective each, at the same time.
class Groups {
 public:
  /// One group of all.
  explicit Groups(Rank ranks);
  /// Ranks of one color form a group, in their order. Groups are in the order of their first ranks.
  /// Throws std::invalid_argument, which tells the sizes, unless all are of one size.
  explicit Groups(std::span<const std::uint64_t> colors);

  [[nodiscard]] const std::vector<std::vector<Rank>>& members() const { return members_; }
  [[nodiscard]] std::size_t count() const { return members_.size(); }
  [[nodiscard]] Rank size() const { return static_cast<Rank>(members_.front().size()); }
  [[nodiscard]] std::size_t group_of(Rank rank) const { return places_[rank].group; }
  /// The rank's number in its group, from 0 on.
  [[nodiscard]] Rank number_of(Rank rank) const { return places_[rank].number; }

 private:
  struct Place {
    std::size_t group = 0;
    Rank number = 0;
  };

  std::vector<std::vector<Rank>> members_{};  // [group][number]
  std::vector<Place> places_{};               // [rank]
};

/// What a group's ranks do, told of all ranks: the ops of `of_group`, with peers by their rank
/// among all. Blocks are the group's. `of_group` has as many ranks as a group.
[[nodiscard]] Schedule side_by_side(const Schedule& of_group, std::shared_ptr<const Groups> groups);

/// What the ranks of one group do, told of ranks among more: members have the group's numbers, in
/// their order, and all others do nothing. `members` are as many as `of_group` has ranks.
[[nodiscard]] Schedule among(const Schedule& of_group, std::vector<Rank> members);

}  // namespace railgauge::schedule
