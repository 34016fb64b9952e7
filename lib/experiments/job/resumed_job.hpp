#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "results/document.hpp"
#include "results/job.hpp"

namespace railgauge::runner {

/// How far an earlier run of a job came, as all its ranks need it.
struct JobProgress {
  std::uint64_t steps = 0;  // of the whole job
  double steps_s = 0;       // that they took, with what was between them
  double elapsed_s = 0;     // since the first timed step began, of parts of a mix, too

  RAILGAUGE_FIELDS((steps), (steps_s), (elapsed_s))
};

/// `running`: of rows of the whole job.
[[nodiscard]] JobProgress progress_of(const std::vector<results::JobStep>& rows,
                                      const std::string& running);

/// Throws std::invalid_argument for an earlier run that this one cannot go on with: of another
/// test, workload or parameters, on other hosts or rails, with other options, or without a row. All
/// of `now` has to be known but its rows.
void check_resumable(const results::Document& earlier, const results::Document& now);

/// Rows of an earlier run, before those of this one, and how far it came.
void put_first(const results::Document& earlier, const JobProgress& progress,
               results::JobBody& now);

}  // namespace railgauge::runner
