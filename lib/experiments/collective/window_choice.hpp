#pragma once

#include <cstdint>

#include "runner/session.hpp"
#include "schedule/collective.hpp"

namespace railgauge::runner {

/// How many chunks of a size are in flight on a channel by default. On hardware those that a link
/// of this rate carries in a round trip of 10 us, and one that is being reduced, twice: grants come
/// when half a window is used up. At least 4, as where the rate is not known (0), and at most 16.
/// On software devices one: more only fill caches.
[[nodiscard]] unsigned default_window(double gigabits_per_second, std::uint32_t chunk_bytes,
                                      bool on_software);

/// The same for the fastest link of all ranks, so that all have the same. What moves data in one
/// hop keeps 4: it has more of longer chunks anyway, and a channel to every rank.
/// At least 4 for data of GPUs, on software, too: a GPU starts to copy and to combine as late as it
/// ends them, so that one chunk would wait for the other.
[[nodiscard]] unsigned default_window(const Session& session, schedule::Collective collective,
                                      std::uint32_t chunk_bytes, bool of_gpus);

}  // namespace railgauge::runner
