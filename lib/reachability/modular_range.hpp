#pragma once

#include <vector>

namespace railgauge::reachability {

/// Two of the players, who meet in a round.
struct Match {
  int first = 0;
  int second = 0;
};

/// The rounds in which each of `players` meets every other one once, and nobody two at a time: one
/// fewer than the players, or as many if their number is odd, and then one rests in each. No
/// schedule has fewer. 0 for a single player.
int circle_rounds(int players);

/// Who meets in round `round`, counted from 0: the circle method for tournaments (T. P. Kirkman, On
/// a problem in combinations, 1847; É. Lucas, Récréations mathématiques II, 1883). The players but
/// one stand in a circle, and in round r those meet who stand as far before r as behind it; r meets
/// the one who stands outside, or rests if there is none. NVIDIA's ClusterKit tests pairs of hosts
/// so.
std::vector<Match> circle_round(int players, int round);

}  // namespace railgauge::reachability
