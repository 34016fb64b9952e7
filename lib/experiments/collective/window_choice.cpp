#include "experiments/collective/window_choice.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::runner {
namespace {

using schedule::Collective;

bool passes_on(Collective collective) {
  return schedule::reduces(collective) || collective == Collective::all_gather ||
         collective == Collective::broadcast;
}

/// 0 if no link says.
double fastest_link(const Session& session) {
  double fastest = 0;
  for (const results::Rank& rank : session.document().ranks) {
    for (const results::RankRail& rail : rank.rails)
      fastest = std::max(fastest, rail.link_gigabits_per_second);
  }
  return fastest;
}

}  // namespace

unsigned default_window(double gigabits_per_second, std::uint32_t chunk_bytes, bool on_software) {
  constexpr double kRoundTripUs = 10;
  constexpr double kBytesPerGigabitMicrosecond = 125;
  constexpr double kLeast = 4;
  constexpr double kMost = 16;  // of --window
  if (on_software) return 1;
  const double bytes = gigabits_per_second * kBytesPerGigabitMicrosecond * kRoundTripUs;
  const double chunks = 2 * (std::ceil(bytes / chunk_bytes) + 1);
  return static_cast<unsigned>(std::clamp(chunks, kLeast, kMost));
}

unsigned default_window(const Session& session, Collective collective, std::uint32_t chunk_bytes,
                        bool of_gpus) {
  constexpr unsigned kLeastOfGpus = 4;
  const double rate = passes_on(collective) ? fastest_link(session) : 0;
  const unsigned window = default_window(rate, chunk_bytes, session.on_software());
  return of_gpus ? std::max(window, kLeastOfGpus) : window;
}

}  // namespace railgauge::runner
