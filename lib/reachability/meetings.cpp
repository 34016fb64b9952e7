#include "reachability/meetings.hpp"

#include <algorithm>

#include "reachability/modular_range.hpp"

namespace railgauge::reachability {
namespace {

/// At least 1: hosts without any have rounds in which nobody meets.
int most_rails(const std::vector<int>& rails) {
  return rails.empty() ? 1 : std::max(1, *std::ranges::max_element(rails));
}

int shifts(const std::vector<int>& rails, Scope scope) {
  return scope == Scope::same_rail ? 1 : most_rails(rails);
}

}  // namespace

int meeting_rounds(const std::vector<int>& rails, Scope scope) {
  return circle_rounds(static_cast<int>(rails.size())) * shifts(rails, scope);
}

std::vector<Meeting> meetings(const std::vector<int>& rails, Scope scope, int round) {
  const int shift = round % shifts(rails, scope);
  const int hosts_round = round / shifts(rails, scope);
  std::vector<Meeting> pairs;
  for (const Match& hosts : circle_round(static_cast<int>(rails.size()), hosts_round)) {
    for (int rail = 0; rail < rails[static_cast<std::size_t>(hosts.first)]; ++rail) {
      const int other = (rail + shift) % most_rails(rails);
      if (other >= rails[static_cast<std::size_t>(hosts.second)]) continue;
      pairs.push_back({{hosts.first, rail}, {hosts.second, other}});
    }
  }
  return pairs;
}

}  // namespace railgauge::reachability
