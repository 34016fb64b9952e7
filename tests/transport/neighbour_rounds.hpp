#pragma once

#include <string>
#include <vector>

#include "transport/exchange.hpp"

namespace railgauge::transport {

/// Ranks at a distance of 1, 2, 4... either way round, each once, not in order.
[[nodiscard]] std::vector<Rank> peers_around(Rank rank, Rank ranks);

/// Collective: several exchanges with neighbours, one directly after the other, of messages that
/// differ with both ranks and the round: long, short, and empty ones. In some rounds only half of
/// the ranks have neighbours. Returns what came wrong first; "" if nothing did.
[[nodiscard]] std::string exchange_in_rounds(Exchange& exchange);

}  // namespace railgauge::transport
