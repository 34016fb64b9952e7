#pragma once

namespace railgauge::job {

/// Whether this process is the one of the job, or of its host, that should speak for all: those
/// with rank 0. Before MPI is up only the launcher's environment tells; a process that was started
/// without one speaks for itself.
[[nodiscard]] bool speaks_for_job();
[[nodiscard]] bool speaks_for_host();

}  // namespace railgauge::job
