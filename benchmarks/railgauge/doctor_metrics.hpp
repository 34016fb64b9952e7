#pragma once

#include <chrono>

#include "doctor/examination.hpp"
#include "metrics/snapshot.hpp"

namespace railgauge::benchmarks {

/// An examination for a monitoring system: the outcome; of each check how many hosts, devices or
/// ports have each verdict, 0 too, so that an alert ends; and the hosts that do not pass, of which
/// many are left out (metrics/registry.hpp).
[[nodiscard]] metrics::Snapshot snapshot_of(const doctor::Document& found,
                                            std::chrono::system_clock::time_point now);

}  // namespace railgauge::benchmarks
