#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace railgauge::validation {

/// A program to run, with all that it starts.
struct Job {
  std::vector<std::string> words{};  ///< program, arguments
  std::filesystem::path log{};       ///< what it prints, appended
  std::filesystem::path folder{};    ///< to run it in; empty: this one
  std::chrono::seconds limit{60};
  std::chrono::seconds grace{30};  ///< before it is killed, once it was told to end or left others
};

/// How it ended.
struct Ending {
  enum class How { exited, killed, timed_out, interrupted, not_started };
  How how = How::exited;
  int status = 0;             ///< as a shell has it: 128 + the signal
  std::string why{};          ///< a sentence, unless it ended with 0
  std::size_t leftovers = 0;  ///< processes of its own that had to be killed
};

/// Runs a job in a process group of its own and waits for it. At the limit, or when this process is
/// told to end (SIGINT, SIGTERM, SIGHUP, which are blocked meanwhile), the group gets SIGTERM,
/// after the grace SIGKILL. What it leaves behind on this host is ended, too. If this process is
/// killed, the job gets SIGTERM.
[[nodiscard]] Ending run(const Job& job);

/// The words of a text, as a shell splits them: quotes and backslashes, but no commands. Throws
/// std::invalid_argument if a quote is open, or for characters that a shell would act on.
[[nodiscard]] std::vector<std::string> shell_words(const std::string& text);

/// The same words as a line that a shell reads back.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

}  // namespace railgauge::validation
