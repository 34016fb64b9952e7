#pragma once

#include <vector>

namespace railgauge::reachability {

/// A NIC by its place: the host's number, and the rail of that host.
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
/// that none shares its link with another test. The hosts' rounds are those of circle.hpp; while
/// two hosts meet, rail i of the one meets rail i + shift of the other, for every shift. With H
/// hosts of R rails that is R (H - 1) rounds for even H, R H for odd H. `rails` has each host's
/// number of rails, which may differ.
int meeting_rounds(const std::vector<int>& rails, Scope scope);

/// Who meets in round `round`, counted from 0.
std::vector<Meeting> meetings(const std::vector<int>& rails, Scope scope, int round);

}  // namespace railgauge::reachability
