#include "reachability/modular_range.hpp"

namespace railgauge::reachability {

int circle_rounds(int players) {
  if (players < 2) return 0;
  return players % 2 == 0 ? players - 1 : players;
}

std::vector<Match> circle_round(int players, int round) {
  const int circle = circle_rounds(players);
  std::vector<Match> matches;
  if (players % 2 == 0 && circle > 0) matches.push_back({round, players - 1});
  for (int distance = 1; 2 * distance < circle; ++distance) {
    matches.push_back({(round + distance) % circle, (round - distance + circle) % circle});
  }
  return matches;
}

}  // namespace railgauge::reachability
