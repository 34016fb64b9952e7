#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "validation/files.hpp"
#include "validation/journal.hpp"
#include "validation/site_report.hpp"
#include "validation/waivers.hpp"

namespace railgauge::validation {

/// What of a plan is to be run.
struct Selection {
  std::vector<std::string> only{};  ///< stages; empty: all
  std::string from{};  ///< this stage and those after it once more, whatever they ended with
};

/// Throws std::invalid_argument for a stage that the plan does not have.
void check_selection(const Plan& plan, const Selection& selection);

/// Stages, their limits and their sum; with `commands`, what each runs.
void announce(std::ostream& out, const Journal& journal, const Site& site,
              const Selection& selection, bool commands);

struct Run {
  SiteReport report{};
  bool interrupted = false;
};

/// Runs what has not ended, in the order of the plan, and notes each step in the journal, so that
/// the same call goes on after any end. A stage is skipped if one that it needs failed or was
/// skipped, or if its program is not installed. Says on `remarks` what begins and what it ended
/// with. Throws std::system_error if the journal or a log cannot be written: what has ended is
/// kept. Waivers that have expired are not applied.
[[nodiscard]] Run run_stages(Journal journal, const Site& site, const Selection& selection,
                             const Waivers& waivers, std::ostream& remarks);

}  // namespace railgauge::validation
