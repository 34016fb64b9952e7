#include "reachability/meetings.hpp"

#include <algorithm>

namespace railgauge::reachability {

int round_robin_rounds(int players) {
  if (players < 2) return 0;
  return players % 2 == 0 ? players - 1 : players;
}

std::vector<Match> round_robin(int players, int round) {
  const int circle = round_robin_rounds(players);
  std::vector<Match> matches;
  if (players % 2 == 0 && circle > 0) matches.push_back({round, players - 1});
  for (int distance = 1; 2 * distance < circle; ++distance) {
    matches.push_back({(round + distance) % circle, (round - distance + circle) % circle});
  }
  return matches;
}

namespace {

/// At least 1: without any rails there are rounds in which no NICs meet.
int most_rails(const std::vector<int>& rails) {
  return rails.empty() ? 1 : std::max(1, *std::ranges::max_element(rails));
}

int shifts(const std::vector<int>& rails, Scope scope) {
  return scope == Scope::same_rail ? 1 : most_rails(rails);
}

}  // namespace

int meeting_rounds(const std::vector<int>& rails, Scope scope) {
  return round_robin_rounds(static_cast<int>(rails.size())) * shifts(rails, scope);
}

std::vector<Meeting> meetings(const std::vector<int>& rails, Scope scope, int round) {
  const int shift = round % shifts(rails, scope);
  const int hosts_round = round / shifts(rails, scope);
  std::vector<Meeting> pairs;
  for (const Match& hosts : round_robin(static_cast<int>(rails.size()), hosts_round)) {
    for (int rail = 0; rail < rails[static_cast<std::size_t>(hosts.first)]; ++rail) {
      const int other = (rail + shift) % most_rails(rails);
      if (other >= rails[static_cast<std::size_t>(hosts.second)]) continue;
      pairs.push_back({{hosts.first, rail}, {hosts.second, other}});
    }
  }
  return pairs;
}

}  // namespace railgauge::reachability
