#pragma once

// lib/predict holds how long collectives take on a fabric, and how sure that is: closed forms,
// loads of links in every step, fair rates. It must not know devices, result documents, or the
// command line.

namespace railgauge::predict {

/// The most of `flows` that one link gets, on average, when each chooses one of `links` by a hash,
/// and there are `independent` such links in all:
/// E[max] = sum over k >= 0 of 1 - (1 - P(Bin(flows, 1/links) > k))^independent.
[[nodiscard]] double expected_most(double flows, double links, double independent);

}  // namespace railgauge::predict
