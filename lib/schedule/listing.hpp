#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// A schedule for people: what it is, its cost beside the lower bounds, and every op, a line a rank
/// and step.
[[nodiscard]] std::string as_table(const Schedule& schedule);

/// A schedule for programs: one JSON object, described in
/// results-schema/railgauge-schedule-1.schema.json.
[[nodiscard]] std::string as_json(const Schedule& schedule);

}  // namespace railgauge::schedule
