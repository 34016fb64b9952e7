#include <algorithm>
#include <array>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

/// What the programs around and in a benchmark print of a run that failed. A library's warning that
/// a run survives is not here, nor a word that counts or options may have.
constexpr auto kFailures = std::to_array<std::string_view>(
    {// benchmarks
     "NCCL failure", "RCCL failure", "Test CUDA failure", "Test HIP failure", ": Test failure ",
     ": Test timeout ", "Completion with error", "Failed status ", "Failed to complete run_iter",
     "Failed to exchange data", "Unable to write to socket", "Unable to read from socket",
     "Couldn't read remote address", "Problems with warm up", "enforce fail at", "EnforceNotMet",
     "CCL_ERROR",
     // NCCL, RCCL and their network plugins; PyTorch around them
     "NCCL Error ", "NCCL error in", "NCCL error:", "RCCL error", "ncclSystemError",
     "ncclInternalError", "ncclRemoteError", "ncclUnhandledCudaError", "ncclInvalidUsage",
     "ncclInvalidArgument", "unhandled system error", "unhandled cuda error", "unhandled hip error",
     "remote process exited or there was a network error", "Got completion from peer",
     "Got completion with error", "Request completed with error",
     "NCCL WARN Call to ibv_modify_qp failed", "DistBackendError", "DistNetworkError",
     "DistStoreError", "Watchdog caught collective", "we are taking the entire process down",
     "ChildFailedError", "death signal, shutting down",
     // CUDA and HIP
     "CUDA error: ", "HIP error: ", "CUDA out of memory", "HIP out of memory",
     "an illegal memory access", "unspecified launch failure", "device-side assert triggered",
     "uncorrectable ECC error", "Memory access fault by GPU", "HSA_STATUS_ERROR",
     "fallen off the bus",
     // MPI libraries
     "*** An error occurred in ", "MPI_ERRORS_ARE_FATAL", "MPI_ERRORS_ARE_ABORT",
     "MPI_ABORT was invoked", "Your MPI job will now abort", "Local abort before MPI_INIT",
     "Fatal error in ", "Abort(", "aborting job:", "error_sighandler", "MPT ERROR",
     "Transport retry count exceeded", "RNR retry count exceeded", "Remote access error on",
     "Remote operation error on", "UCX  FATAL",
     // launchers
     "non-zero status", "non-zero exit code", "non-zero return code", "terminated normally, but",
     "exited on signal", "exited due to process rank", "lost communication with",
     "abort is already in progress", "killing job...", "not enough slots available",
     "was unable to launch", "was unable to start", "was unable to reliably start",
     "has unexpectedly failed", "died unexpectedly", "noticed that the job aborted",
     "BAD TERMINATION", "KILLED BY SIGNAL", "terminated badly", "assert (!closed) failed",
     "-> abort job", "initiated application termination", "FAILED! =>", "UNREACHABLE! =>",
     // schedulers and containers
     "Exited with exit code", "Job step aborted", "CANCELLED AT ", "DUE TO TIME LIMIT",
     "DUE TO NODE FAILURE", "DUE TO PREEMPTION", "Force Terminated", "forcing job termination",
     "Terminating StepId=", "Terminating job step", "sending Ctrl-C to", "Node failure on",
     "launch failed:", ": job killed", "oom-kill", "oom_kill event", "OOM Killed", "OOMKilled",
     "OOM killer terminated", "Out of memory: Kill", "Memory cgroup out of memory",
     "memory limit, being killed", "container start failed", "couldn't start container",
     "OCI runtime exec failed", "OCI runtime create failed", "unable to upgrade connection",
     "container not found", "low on resource: ", "BackoffLimitExceeded", "DeadlineExceeded",
     // the C runtime, the kernel and interpreters
     "Caught signal ", "Caught error: ", "*** Process received signal ***", "killed by signal",
     "died from signal", "died due to signal", "terminated by signal", "terminated with signal",
     "exited by signal", "Exited by signal", "Segmentation fault", "core dumped", "dumped core",
     "terminate called ", "pure virtual method called", "stack smashing detected",
     "buffer overflow detected", "glibc detected", "Fatal glibc error", "double free or corruption",
     "corrupted size vs. prev_size", "corrupted double-linked list", "free(): ", "malloc(): ",
     "malloc_consolidate(): ", "munmap_chunk(): ", "realloc(): ", "Assertion `",
     "Sanitizer: ", "symbol lookup error", "error while loading shared libraries",
     "Fatal Python error", "Traceback (most recent call last)",
     // shells
     "timeout: sending signal", "closed by remote host", "client_loop: send disconnect",
     "Timeout, server ", "make: *** [", "zsh: killed", "zsh: terminated", "zsh: abort",
     "zsh: segmentation fault", "zsh: bus error"});

/// What a shell or a scheduler calls a process that a signal ended: "task 3: Killed".
constexpr auto kSignals = std::to_array<std::string_view>(
    {"Killed", "Terminated", "Aborted", "Hangup", "Bus error", "Illegal instruction",
     "Floating point exception", "Trace/breakpoint trap", "Bad system call", "Alarm clock",
     "CPU time limit exceeded", "File size limit exceeded", "User defined signal 1",
     "User defined signal 2", "Out Of Memory"});

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

/// "exit code 137", "Exit status: 1", "exitcode: -9"; 0 is how a run ends well.
bool names_exit_code(std::string_view text) {
  const std::string line = lower(text);
  for (const std::string_view words :
       {"exit code", "exit status", "exitcode", "exited with code", "exited with status"}) {
    const std::size_t at = line.find(words);
    if (at == std::string::npos) continue;
    const std::size_t number = line.find_first_not_of(" :=(-", at + words.size());
    if (number != std::string::npos && line[number] >= '1' && line[number] <= '9') return true;
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
