#include "experiments/pairs/clock_meetings.hpp"

#include <vector>

namespace railgauge::runner {

std::optional<congestion::ClockOffset> offset_to_first(job::Communicator& communicator,
                                                       const std::function<double()>& seconds) {
  constexpr int kMeetings = 20;
  std::vector<congestion::Meeting> own;
  for (int at = 0; at < kMeetings; ++at) {
    const double entered = seconds();
    communicator.barrier();
    own.push_back({entered, seconds()});
  }
  return congestion::clock_offset(transport::all_gather(communicator, own).front(), own);
}

}  // namespace railgauge::runner
