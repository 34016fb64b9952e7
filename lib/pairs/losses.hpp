#pragma once

#include <cstdint>
#include <vector>

#include "finding/finding.hpp"
#include "results/endpoint.hpp"

namespace railgauge::pairs {

/// Packets that were lost between two NICs, both ways and in all rounds; most of them from `one` to
/// `other`. A pair may be fast enough
/// and lose some all the same.
struct PairLoss {
  results::Endpoint one{};
  results::Endpoint other{};
  std::int64_t packets = 0;
};

/// Places that explain which pairs lost packets: ports, hosts and rails nearly all of whose pairs
/// did, most pairs first. Of what these leave, few pairs each by itself, and more in one finding of
/// the fabric; so are packets of which no pair lost more than one or two. `pairs`: all that were
/// tested; that some lost packets is known. `cause`: packet loss, or corruption.
[[nodiscard]] std::vector<finding::Finding> findings_of_losses(const std::vector<PairLoss>& pairs,
                                                               finding::Cause cause);

}  // namespace railgauge::pairs
