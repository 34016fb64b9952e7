#include "validation/kind.hpp"

#include <array>
#include <cstddef>

namespace railgauge::validation {
namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::soak) + 1;

/// In the order of Kind.
constexpr std::array<KindFacts, kKinds> kTable{{
    {"doctor", "hosts", "railgauge", "no error of a host", true, true},
    {"reachability", "reachability", "reachability_perf", "every pair of NICs of a rail connects",
     true, true},
    {"bandwidth", "bandwidth of pairs", "pairs_perf",
     "every pair at 90 % of line rate and at 80 % of comparable pairs", true, true},
    {"latency", "latency of pairs", "pairs_perf", "every pair within the limit of comparable pairs",
     true, true},
    {"collective", "collectives", "", "right data, and the criteria of the plan", false, true},
    {"congestion", "congestion", "congestion_perf", "ECN marks before PFC pauses; no drop", false,
     true},
    {"isolate", "faulty component", "isolate_perf", "no faulty host, NIC, link or switch", true,
     false},
    {"job", "job", "job_perf", "no failure", false, true},
    {"soak", "soak", "soak_perf", "no packet lost, no wrong data", false, true},
}};

}  // namespace

const KindFacts& facts_of(Kind kind) {
  return kTable.at(static_cast<std::size_t>(kind));
}

std::string_view word(Kind kind) {
  return static_cast<std::size_t>(kind) < kKinds ? facts_of(kind).word : std::string_view();
}

}  // namespace railgauge::validation
