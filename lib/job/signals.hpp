#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace railgauge::job {

/// From now on SIGINT, SIGTERM and SIGHUP do not end this process but are remembered, so that what
/// was measured can be written. A write to a closed pipe is an error, not a death. Once per
/// process.
void catch_signals();

/// The signal that arrived first; 0 as long as none has. Any thread.
[[nodiscard]] int caught_signal() noexcept;

/// Who ends the job by a signal. MPI's launcher sends SIGTERM to all ranks when it is told to end,
/// and also when one of them has died.
enum class Ender : std::uint8_t {
  nobody,    ///< no signal has arrived
  user,      ///< who signalled this process, or told the launcher to end
  launcher,  ///< MPI's, and nobody told launchers/mpirun to end: a rank has died
  either,    ///< one of these two; only launchers/mpirun shows whether it was told
};

/// Of a signal from the process `sender`, from what PROC/PID/comm and PROC/PID/status (proc(5))
/// show: launchers/mpirun, the parent of Open MPI's mpirun, changes its name when it is told to
/// end.
[[nodiscard]] Ender ender_of(int signal, int sender, const std::filesystem::path& proc = "/proc");

/// Of the signal that arrived first.
[[nodiscard]] Ender ender();

/// Of the signal that arrived: "interrupted by signal 15 (SIGTERM)", "interrupted: mpirun ended the
/// job, because another rank died".
[[nodiscard]] std::string signal_text();

}  // namespace railgauge::job
