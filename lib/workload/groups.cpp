#include "workload/groups.hpp"

#include <limits>
#include <map>
#include <stdexcept>

namespace railgauge::workload {
namespace {

/// A color of each rank, below 0 for none, in the order of members in their groups.
class ByColor {
 public:
  explicit ByColor(Rank ranks) { made_.places.resize(ranks); }

  void add(Rank rank, std::int64_t color) {
    const auto instance =
        static_cast<std::uint32_t>(instances_.try_emplace(color, instances_.size()).first->second);
    if (instance == made_.instances.size()) made_.instances.emplace_back();
    auto& members = made_.instances[instance];
    made_.places[rank] = {instance, static_cast<Rank>(members.size())};
    members.push_back(rank);
  }
  [[nodiscard]] bool has(Rank rank) const {
    return made_.places[rank].instance != Membership::kNone;
  }
  [[nodiscard]] Membership made() && { return std::move(made_); }

 private:
  Membership made_{};
  std::map<std::int64_t, std::size_t> instances_{};
};

Membership by_lists(const Workload& workload, const Group& group, const std::string& at,
                    Rank ranks) {
  ByColor groups(ranks);
  for (std::size_t list = 0; list < group.lists.size(); ++list) {
    const std::string field = at + ".lists[" + std::to_string(list) + "]";
    if (group.lists[list].empty()) refuse(workload, field, "is empty");
    for (const std::uint32_t rank : group.lists[list]) {
      const std::string is = "has rank " + std::to_string(rank);
      if (rank >= ranks)
        refuse(workload, field, is + ": ranks are 0 to " + std::to_string(ranks - 1));
      if (groups.has(rank)) refuse(workload, field, is + " twice, or another list has it");
      groups.add(rank, static_cast<std::int64_t>(list));
    }
  }
  return std::move(groups).made();
}

Membership by_stride(const Workload& workload, const Group& group, const std::string& at,
                     Rank ranks, const Scope& scope) {
  const std::int64_t size = value_of(workload, group.size, at + ".size", scope, 1);
  const std::int64_t stride =
      group.stride.given() ? value_of(workload, group.stride, at + ".stride", scope, 1) : 1;
  if (size > ranks || stride > ranks || ranks % (size * stride) != 0)
    refuse(workload, at,
           "has " + std::to_string(size) + " ranks, each " + std::to_string(stride) +
               " from the next: " + std::to_string(ranks) + " ranks are no multiple of that");
  ByColor groups(ranks);
  for (Rank rank = 0; rank < ranks; ++rank)
    groups.add(rank, rank / (size * stride) * stride + rank % stride);
  return std::move(groups).made();
}

Membership by_color(const Workload& workload, const Group& group, const std::string& at, Rank ranks,
                    Scope& scope) {
  ByColor groups(ranks);
  for (Rank rank = 0; rank < ranks; ++rank) {
    scope.set("rank", rank);
    const std::int64_t color = value_of(workload, group.color, at + ".color", scope,
                                        std::numeric_limits<std::int64_t>::min());
    scope.drop();
    if (color >= 0) groups.add(rank, color);
  }
  return std::move(groups).made();
}

}  // namespace

std::int64_t value_of(const Workload& workload, const Expression& expression,
                      const std::string& field, const Scope& scope, std::int64_t least) {
  std::int64_t value = 0;
  try {
    value = evaluate(expression.text, scope);
  } catch (const std::invalid_argument& error) {
    refuse(workload, field, std::string("is ") + error.what());
  }
  if (value >= least) return value;
  refuse(workload, field,
         "is " + std::to_string(value) + ": it has to be " + std::to_string(least) + " or more");
}

Membership membership_of(const Workload& workload, std::size_t number, Rank ranks, Scope& scope) {
  const Group& group = workload.groups[number];
  const std::string at = "groups[" + std::to_string(number) + "]";
  if (group.size.given()) return by_stride(workload, group, at, ranks, scope);
  if (group.color.given()) return by_color(workload, group, at, ranks, scope);
  return by_lists(workload, group, at, ranks);
}

}  // namespace railgauge::workload
