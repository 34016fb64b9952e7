#pragma once

#include <string>
#include <string_view>

namespace railgauge::job {

// What a process has to know and do before MPI is up.

/// Whether this process is the one of the job, or of its host, that should speak for all: those
/// with rank 0. Only the launcher's environment tells; a process that was started without one
/// speaks for itself.
[[nodiscard]] bool speaks_for_job();
[[nodiscard]] bool speaks_for_host();

/// Gives this process `rails` software devices, soft0 ..., which verbs then finds like any other:
/// with libsoftroce.so loaded before libibverbs. The loader does that only at the start of a
/// program, so the first call starts this program again, with the same arguments, and does not
/// return. To be called before there are threads, devices or MPI. Throws RunFailure (environment)
/// when the library is missing or cannot be loaded.
void load_soft_devices(int rails, char** argv);

/// Lets this process open as many files as it may: raises the soft limit of descriptors to the hard
/// one (setrlimit(2)). To be called before there are devices or MPI. Throws RunFailure
/// (environment) where even that is too few for MPI and one device.
void raise_descriptor_limit();

/// What to type for one of the launchers, "mpirun", "softroce" or "lab": launchers/mpirun in the
/// tree, railgauge-mpirun where that is installed beside this program.
[[nodiscard]] std::string launcher(std::string_view name);

}  // namespace railgauge::job
