#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "doctor/facts.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::doctor {

/// What a port counted from one recording of its host to the next: counters since boot tell nothing
/// by themselves.
struct History {
  std::string unknown{};  ///< why it is not known, as a sentence; empty: it is
  double seconds = 0;     ///< from one recording to the other
  std::map<std::string, std::int64_t> moved{};  ///< as telemetry::moved()
  std::set<telemetry::Counted> counted{};       ///< what the port has counters of, moved or not
};

/// `earlier`: of the same host; nullptr if it was not recorded. A pure function.
[[nodiscard]] History history_of(const HostFacts* earlier, const HostFacts& later,
                                 const std::string& device, int port);

}  // namespace railgauge::doctor
