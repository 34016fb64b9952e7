#pragma once

#include <cstddef>
#include <cstdint>

#include "congestion/observation.hpp"

namespace railgauge::congestion {

/// A step in which senders 1, 2, ... send to host 0 for a second, from `begin_s` on, sampled every
/// 10 ms. Every port counts every signal; nothing was counted but packets.
[[nodiscard]] Step incast(double load, int senders = 4, double begin_s = 0);

[[nodiscard]] finding::Endpoint nic_of(int host);
[[nodiscard]] PortSeries& port_in(Step& step, int host);

/// That host counted the signal so often in each sample from `from_s` on, for `seconds`.
void plant(Step& step, int host, Signal signal, std::int64_t count, double from_s = 0,
           double seconds = 1);
/// The same of all senders.
void plant_at_senders(Step& step, Signal signal, std::int64_t count, double from_s = 0);
/// The host's port does not count it.
void hide(Step& step, int host, Signal signal);

/// ECN at work: marks, CNPs that are sent and received.
void plant_ecn(Step& step, double from_s = 0);

/// A link of a switch in the step, with what it counted in each of its 50 samples.
LinkSeries& add_link(Step& step, const char* from, const char* to, LinkSeries::Sample each,
                     int priority = 3);

}  // namespace railgauge::congestion
