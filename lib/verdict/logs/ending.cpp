#include <algorithm>
#include <array>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

/// What benchmarks, MPI launchers, schedulers and shells print of a run that failed.
constexpr auto kFailures = std::to_array<std::string_view>({"Test NCCL failure",
                                                            "Test CUDA failure",
                                                            "Test HIP failure",
                                                            ": Test failure ",
                                                            ": Test timeout ",
                                                            "NCCL failure",
                                                            "NCCL Error ",
                                                            "ncclSystemError",
                                                            "ncclInternalError",
                                                            "ncclRemoteError",
                                                            "ncclUnhandledCudaError",
                                                            "Got completion from peer",
                                                            "Got completion with error",
                                                            "non-zero status",
                                                            "non-zero exit code",
                                                            "terminated normally, but",
                                                            "exited on signal",
                                                            "Caught signal ",
                                                            "*** Process received signal ***",
                                                            "MPI_ABORT was invoked",
                                                            "lost communication with a remote",
                                                            "abort is already in progress",
                                                            "BAD TERMINATION OF",
                                                            "Exited with exit code",
                                                            "Fatal error in ",
                                                            "CANCELLED AT ",
                                                            "oom-kill",
                                                            "OOMKilled",
                                                            "timeout: sending signal",
                                                            "closed by remote host",
                                                            "client_loop: send disconnect",
                                                            "make: *** [",
                                                            "Segmentation fault",
                                                            "core dumped",
                                                            "fallen off the bus",
                                                            "terminate called after throwing",
                                                            "Traceback (most recent call last)",
                                                            "ChildFailedError",
                                                            "unhandled system error",
                                                            "unhandled cuda error",
                                                            "unhandled hip error",
                                                            "Completion with error",
                                                            "Failed status ",
                                                            "assert (!closed) failed",
                                                            "Failed to complete run_iter"});

/// What a shell or a scheduler calls a process that a signal ended: "task 3: Killed".
constexpr auto kSignals =
    std::to_array<std::string_view>({"Killed", "Terminated", "Aborted", "Hangup", "Bus error",
                                     "Illegal instruction", "Floating point exception"});

/// The whole line, or what follows ": " at its end, or, as of bash, the number of a process:
/// "run: line 12: 652 Killed    all_reduce_perf".
bool names_signal(std::string_view line, std::string_view signal) {
  const std::size_t at = line.find(signal);
  if (at == std::string_view::npos) return false;
  std::string_view before = line.substr(0, at);
  const std::string_view after = line.substr(at + signal.size());
  const bool last = after.find_first_not_of(" \r") == std::string_view::npos;
  if (before.empty() || before.ends_with(": ")) return last;
  if (!before.ends_with(' ') || before.find(": line ") == std::string_view::npos) return false;
  before.remove_suffix(1);
  before = before.substr(before.find_last_not_of("0123456789") + 1);
  return !before.empty() && (last || after.starts_with(' '));
}

/// "exit code 137", "exit status: 1"; 0 is how a run ends well.
bool names_exit_code(std::string_view line) {
  for (const std::string_view words : {"exit code", "exit status", "Exit code", "EXIT CODE"}) {
    const std::size_t at = line.find(words);
    if (at == std::string_view::npos) continue;
    const std::size_t number = line.find_first_not_of(" :=(-", at + words.size());
    if (number != std::string_view::npos && line[number] >= '1' && line[number] <= '9') return true;
  }
  return false;
}

bool tells_failure(std::string_view line) {
  const auto has = [&](std::string_view words) {
    return line.find(words) != std::string_view::npos;
  };
  return std::ranges::any_of(kFailures, has) || names_exit_code(line) ||
         std::ranges::any_of(kSignals,
                             [&](std::string_view signal) { return names_signal(line, signal); });
}

/// The first and the last words of a benchmark's output. Between two of the first, with `each`, the
/// last are missing too if a run was cut.
struct Frame {
  std::string_view format;
  std::string_view needs;  // else the log is an excerpt
  std::string_view first;
  std::string_view last;
  bool each = true;
};

constexpr std::array kFrames{
    Frame{"nccl-table", "# nThread ", "# nThread ", "Out of bounds values"},
    Frame{"nccl-table", "# railgauge version ", "# railgauge version ",
          "# Collective test concluded"},
    Frame{"imb", "# List of Benchmarks to run", "# List of Benchmarks to run",
          "# All processes entering MPI_Finalize"},
    Frame{"imb", "# Benchmarking:", "# Benchmarking:", "# All done", false},
    Frame{"perftest", " local address", "#iterations", "-----"},
    Frame{"vendor", "nccom-test ", "size(B)", "Avg bus bandwidth"}};

std::size_t line_of(std::string_view text, std::string_view part) {
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.find(part) != std::string_view::npos) return number;
  }
  return 0;
}

void tell_frame(std::string_view text, const Frame& frame, LogContent& content) {
  std::size_t number = 0;
  std::size_t open = 0;  // the line of the first words that no last ones have followed
  bool begun = false;
  bool cut = false;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.find(frame.first) != std::string_view::npos) {
      cut = cut || (open > 0 && frame.each);
      open = number;
      begun = true;
    } else if (line.find(frame.last) != std::string_view::npos) {
      open = 0;
    }
  }
  if (begun && open == 0 && !cut) return tell_end(content, Ended::complete, 0, "");
  tell_end(content, Ended::cut, number,
           "the log ends without '" + std::string(frame.last) + "': the run is unfinished");
}

}  // namespace

void tell_end(LogContent& content, Ended how, std::size_t line, const std::string& why) {
  content.ended = std::max(content.ended, how);
  if (how > Ended::complete) content.because.push_back({line, why});
}

void read_end(std::string_view text, std::string_view format, LogContent& content) {
  constexpr std::size_t kMost = 4;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (content.because.size() >= kMost) break;
    const bool wrong = line.find("DATA VALIDATION ERROR") != std::string_view::npos;  // of OSU
    if (!wrong && !tells_failure(line)) continue;
    constexpr std::size_t kLength = 120;
    tell_end(content, wrong ? Ended::wrong_data : Ended::failed, number,
             std::string(line.substr(0, kLength)));
  }
  if (content.ended >= Ended::failed) return;
  for (const Frame& frame : kFrames) {
    if (frame.format == format && line_of(text, frame.needs) > 0) tell_frame(text, frame, content);
  }
}

}  // namespace railgauge::verdict
