#include <array>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

/// What benchmarks, MPI launchers and schedulers print of a run that failed.
constexpr auto kFailures = std::to_array<std::string_view>({"Test NCCL failure",
                                                            "Test CUDA failure",
                                                            "Test HIP failure",
                                                            ": Test failure ",
                                                            "NCCL failure",
                                                            "non-zero status",
                                                            "non-zero exit code",
                                                            "exited on signal",
                                                            "MPI_ABORT was invoked",
                                                            "BAD TERMINATION OF",
                                                            "Exited with exit code",
                                                            "Fatal error in PMPI",
                                                            "Fatal error in internal",
                                                            "DUE TO TIME LIMIT",
                                                            "oom-kill",
                                                            "Segmentation fault",
                                                            "core dumped",
                                                            "terminate called after throwing",
                                                            "Traceback (most recent call last)",
                                                            "unhandled system error",
                                                            "unhandled cuda error",
                                                            "Completion with error",
                                                            "Failed status ",
                                                            "Failed to complete run_iter"});

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
    for (const std::string_view failure : kFailures) {
      if (line.find(failure) == std::string_view::npos) continue;
      constexpr std::size_t kLength = 120;
      tell_end(content, Ended::failed, number, std::string(line.substr(0, kLength)));
      break;
    }
  }
  if (content.ended >= Ended::failed) return;
  for (const Frame& frame : kFrames) {
    if (frame.format == format && line_of(text, frame.needs) > 0) tell_frame(text, frame, content);
  }
}

}  // namespace railgauge::verdict
