#include "runner/metrics/vital_metrics.hpp"

#include "runner/metrics/base_units.hpp"

namespace railgauge::runner {
namespace {

constexpr metrics::Metric kVerdict{
    .name = "railgauge_verdict",
    .help =
        "1 for the verdict of a check that holds now, 0 for the others. Checks: run, how the "
        "run ended; data, what was verified; soak. UNKNOWN until there is an answer."};
constexpr metrics::Metric kLastSample{
    .name = "railgauge_last_sample_timestamp_seconds",
    .help = "When the last row or window was measured; before the first, when the run began."};

}  // namespace

void set_verdict(metrics::Registry& registry, const std::string& check, std::string_view verdict) {
  if (verdict != "PASS" && verdict != "FAIL") verdict = "UNKNOWN";
  for (const std::string_view one : {"PASS", "FAIL", "UNKNOWN"}) {
    registry.set(kVerdict, {{"check", check}, {"verdict", std::string(one)}},
                 one == verdict ? 1 : 0);
  }
}

void set_last_sample(metrics::Registry& registry, std::chrono::system_clock::time_point time) {
  registry.set(kLastSample, {}, unix_seconds(time));
}

}  // namespace railgauge::runner
