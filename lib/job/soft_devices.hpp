#pragma once

namespace railgauge::job {

/// Gives this process `rails` devices in software, soft0 ..., which verbs then finds like any
/// other: with libsoftroce.so loaded before libibverbs. The loader does that at the start of a
/// program only, so the first call starts this program again, with the same arguments, and does not
/// return. To be called before there are threads, devices or MPI. Throws RunFailure (environment)
/// when the library is not there or cannot be loaded.
void load_soft_devices(int rails, char** argv);

}  // namespace railgauge::job
