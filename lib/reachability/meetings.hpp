#pragma once

#include <vector>

namespace railgauge::reachability {

/// Two of the players, who meet in a round.
struct Match {
  int first = 0;
  int second = 0;
};

/// The rounds of a round robin, in which each of `players` meets every other once, one at a time:
/// one fewer than the players, or as many if their number is odd, and then one rests in each. No
/// schedule has fewer. 0 for a single player.
int round_robin_rounds(int players);

/// Who meets in round `round`, counted from 0: the circle method for tournaments (T. P. Kirkman, On
/// a problem in combinations, 1847; É. Lucas, Récréations mathématiques II, 1883). All players but
/// one stand in a circle, and in round r those meet who stand as far before r as behind it; r meets
/// the one outside, or rests if there is none. NVIDIA's ClusterKit tests pairs of hosts this way.
std::vector<Match> round_robin(int players, int round);

/// A NIC by its place: the host's number, and the rail of that host. Each plane of a rail counts as
/// a rail here.
struct Place {
  int host = 0;
  int rail = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// Two NICs of different hosts that are tested against each other.
struct Meeting {
  Place first;
  Place second;
};

/// Which NICs meet: all of different hosts, or only those of one rail.
enum class Scope { all_rails, same_rail };

/// The rounds in which every two NICs of different hosts meet once, and no NIC two at a time, so
/// that none shares its link with another test. Hosts meet in a round robin; while
/// two hosts meet, rail i of the one meets rail i + shift of the other, for every shift. With H
/// hosts of R rails that is R (H - 1) rounds for even H, R H for odd H. `rails` has each host's
/// number of rails, which may differ.
int meeting_rounds(const std::vector<int>& rails, Scope scope);

/// Who meets in round `round`, counted from 0.
std::vector<Meeting> meetings(const std::vector<int>& rails, Scope scope, int round);

}  // namespace railgauge::reachability
