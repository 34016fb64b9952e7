#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace railgauge::job {

enum class ProcessState : std::uint8_t {
  there,    ///< it runs, or could
  stopped,  ///< by a signal or a debugger
  ended,    ///< it is gone, or nobody has fetched its status yet
};

/// What a process of this host is doing, by its number, as the kernel tells in PROC/PID/stat
/// (proc(5), its third field). A number that has been given to another process since is taken for
/// the first.
[[nodiscard]] ProcessState state_of_process(int pid, const std::filesystem::path& proc = "/proc");

/// The name of a process (PROC/PID/comm); empty: there is none.
[[nodiscard]] std::string name_of_process(int pid, const std::filesystem::path& proc = "/proc");

/// The process that started it or has taken it over (PPid in PROC/PID/status); 0: not known.
[[nodiscard]] int parent_of_process(int pid, const std::filesystem::path& proc = "/proc");

}  // namespace railgauge::job
