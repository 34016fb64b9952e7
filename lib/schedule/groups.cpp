#include "schedule/groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace railgauge::schedule {
namespace {

void expect_one_size(const std::vector<std::vector<Rank>>& members) {
  std::set<std::size_t> sizes;
  for (const auto& group : members) sizes.insert(group.size());
  if (sizes.size() <= 1) return;
  throw std::invalid_argument("groups of " + std::to_string(*sizes.begin()) + " to " +
                              std::to_string(*sizes.rbegin()) +
                              " ranks; every group must have the same number of ranks");
}

}  // namespace

Groups::Groups(Rank ranks) : members_(1), places_(ranks) {
  members_[0].resize(ranks);
  std::iota(members_[0].begin(), members_[0].end(), Rank{0});
  for (Rank rank = 0; rank < ranks; ++rank) places_[rank].number = rank;
}

Groups::Groups(std::span<const std::uint64_t> colors) {
  std::map<std::uint64_t, std::size_t> group_of;
  for (const std::uint64_t color : colors) {
    const std::size_t group = group_of.try_emplace(color, group_of.size()).first->second;
    if (group == members_.size()) members_.emplace_back();
    members_[group].push_back(static_cast<Rank>(places_.size()));
    places_.push_back({group, static_cast<Rank>(members_[group].size() - 1)});
  }
  expect_one_size(members_);
}

Schedule side_by_side(const Schedule& of_group, std::shared_ptr<const Groups> groups) {
  Schedule all = of_group;
  all.ranks = static_cast<Rank>(groups->count()) * groups->size();
  all.rule = [rule = of_group.rule, groups = std::move(groups)](Rank rank, Step step, Ops& ops) {
    const std::size_t before = ops.size();
    rule(groups->number_of(rank), step, ops);
    const std::vector<Rank>& members = groups->members()[groups->group_of(rank)];
    for (std::size_t i = before; i < ops.size(); ++i) ops[i].peer = members[ops[i].peer];
  };
  return all;
}

Schedule among(const Schedule& of_group, std::vector<Rank> members) {
  Schedule all = of_group;
  all.ranks = *std::ranges::max_element(members) + 1;
  std::unordered_map<Rank, Rank> numbers;
  for (Rank number = 0; number < members.size(); ++number) numbers[members[number]] = number;
  all.rule = [rule = of_group.rule, members = std::move(members), numbers = std::move(numbers)](
                 Rank rank, Step step, Ops& ops) {
    const auto own = numbers.find(rank);
    if (own == numbers.end()) return;
    const std::size_t before = ops.size();
    rule(own->second, step, ops);
    for (std::size_t i = before; i < ops.size(); ++i) ops[i].peer = members[ops[i].peer];
  };
  return all;
}

}  // namespace railgauge::schedule
