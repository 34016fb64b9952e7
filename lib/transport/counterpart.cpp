#include "transport/counterpart.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace railgauge::transport {

Lane counterpart(std::span<const LaneRequest> ours, Lane lane, Rank us,
                 std::span<const LaneRequest> theirs) {
  const LaneRequest wanted = ours[lane];
  auto before = std::count(ours.begin(), ours.begin() + lane, wanted);
  for (Lane i = 0; i < theirs.size(); ++i) {
    if (theirs[i] == LaneRequest{us, wanted.rail} && before-- == 0) return i;
  }
  throw std::logic_error("rank " + std::to_string(wanted.peer) + " has no lane to rank " +
                         std::to_string(us) + " on rail " + std::to_string(wanted.rail));
}

}  // namespace railgauge::transport
