#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// A picture of a schedule, a whole SVG document: ranks across, steps down, an arrow for every
/// message with the blocks it carries. Solid arrows overwrite, dashed ones are combined with what
/// is there; each channel has a colour. Copies within a rank are dots. Large schedules make large
/// pictures: meant for up to some 32 ranks.
[[nodiscard]] std::string as_svg(const Schedule& schedule);

}  // namespace railgauge::schedule
