#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// A schedule for people (listing.cpp): what it is, its cost compared with the lower bounds, and
/// every op, a line a rank and step.
[[nodiscard]] std::string as_table(const Schedule& schedule);

/// A schedule for programs (listing.cpp): one JSON object, described in
/// results-schema/railgauge-schedule-1.schema.json.
[[nodiscard]] std::string as_json(const Schedule& schedule);

/// A picture of a schedule (drawing.cpp), a whole SVG document: ranks across, steps down, an arrow
/// for every message with the blocks it carries. Solid arrows overwrite, dashed ones are combined
/// with what is there; each channel has a colour. Copies within a rank are not drawn. Large
/// schedules make large pictures: meant for up to some 32 ranks.
[[nodiscard]] std::string as_svg(const Schedule& schedule);

/// A number in both, with three digits at the most: "1.75".
[[nodiscard]] std::string rounded(double value);

}  // namespace railgauge::schedule
