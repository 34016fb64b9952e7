#include "validation/process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <set>
#include <stdexcept>
#include <system_error>

#include "results/file_descriptor.hpp"

namespace railgauge::validation {
namespace {

using Clock = std::chrono::steady_clock;
using How = Ending::How;
using results::FileDescriptor;

constexpr int kNoProgram = 127;
constexpr int kSignalStatus = 128;

sigset_t awaited_signals() {
  sigset_t set{};
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
  return set;
}

/// Blocks them, so that they are waited for, and puts back what was.
class BlockedSignals {
 public:
  BlockedSignals() : awaited_(awaited_signals()) {
    ::sigprocmask(SIG_BLOCK, &awaited_, &before_);
    ::sigaction(SIGCHLD, nullptr, &child_before_);
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &plain, nullptr);
  }
  ~BlockedSignals() {
    ::sigaction(SIGCHLD, &child_before_, nullptr);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  [[nodiscard]] const sigset_t& before() const { return before_; }

  /// One that came within that time; 0: none did.
  [[nodiscard]] int wait(std::chrono::milliseconds time) const {
    constexpr long kNanosecondsPerMillisecond = 1'000'000;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    const timespec limit{seconds.count(), (time - seconds).count() * kNanosecondsPerMillisecond};
    return std::max(0, ::sigtimedwait(&awaited_, nullptr, &limit));
  }

 private:
  sigset_t awaited_;
  sigset_t before_{};
  struct sigaction child_before_ {};
};

/// Becomes the parent of what its descendants leave behind.
class Subreaper {
 public:
  Subreaper() {
    ::prctl(PR_GET_CHILD_SUBREAPER, &before_, 0, 0, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  }
  ~Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, before_, 0, 0, 0); }
  Subreaper(const Subreaper&) = delete;
  Subreaper& operator=(const Subreaper&) = delete;

 private:
  int before_ = 0;
};

/// In the child: never returns.
[[noreturn]] void become(std::vector<char*>& argv, const char* folder, int log, int trouble,
                         pid_t parent, const sigset_t& mask) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kNoProgram);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  if (*folder == '\0' || ::chdir(folder) == 0) ::execvp(argv.front(), argv.data());
  const int error = errno;
  if (::write(trouble, &error, sizeof error) < 0) ::_exit(kNoProgram);
  ::_exit(kNoProgram);
}

std::vector<char*> argv_of(std::vector<std::string>& words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return argv;
}

FileDescriptor opened_log(const std::filesystem::path& path) {
  constexpr mode_t kMode = 0644;
  FileDescriptor log(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kMode));
  if (log.number() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write " + path.string());
  return log;
}

/// Throws std::system_error if there can be no process; `error`: why the program could not start.
pid_t start(const Job& job, const sigset_t& mask, int& error) {
  const FileDescriptor log = opened_log(job.log);
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot start a process");
  const FileDescriptor reading(pipe[0]);
  FileDescriptor writing(pipe[1]);
  std::vector<std::string> words = job.words;
  std::vector<char*> argv = argv_of(words);
  const std::string folder = job.folder;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (child == 0) become(argv, folder.c_str(), log.number(), writing.number(), parent, mask);
  ::setpgid(child, child);
  writing = FileDescriptor(-1);  // closes it
  error = 0;
  if (::read(reading.number(), &error, sizeof error) != sizeof error) error = 0;
  return child;
}

/// Processes that this one is the parent of.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  std::ifstream file("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (pid_t child = 0; file >> child;) all.push_back(child);
  return all;
}

void reap() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

/// What is left of a job ends by itself (a launcher ends its ranks), or is killed. Returns how many
/// had to be.
std::size_t end_leftovers(const BlockedSignals& signals, const std::vector<pid_t>& others,
                          std::chrono::seconds grace) {
  constexpr std::chrono::seconds kPatience{15};
  constexpr int kMostPasses = 10'000;
  const auto left = [&] {
    reap();
    auto all = children();
    std::erase_if(all, [&](pid_t one) { return std::ranges::find(others, one) != others.end(); });
    return all;
  };
  const auto until = Clock::now() + std::min(kPatience, grace);
  while (!left().empty() && Clock::now() < until)
    static_cast<void>(signals.wait(std::chrono::milliseconds(100)));
  std::set<pid_t> killed;
  // What is killed may take a while to end, and leave children of its own.
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const auto remaining = left();
    if (remaining.empty()) break;
    for (const pid_t one : remaining) ::kill(one, SIGKILL);
    killed.insert(remaining.begin(), remaining.end());
    static_cast<void>(signals.wait(std::chrono::milliseconds(50)));
  }
  return killed.size();
}

const char* signal_name(int number) {
  const char* const name = ::sigabbrev_np(number);
  return name == nullptr ? "?" : name;
}

Ending ending_of(int wait_status, How how, const Job& job) {
  Ending ending{.how = how};
  ending.status =
      WIFSIGNALED(wait_status) ? kSignalStatus + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  if (how == How::timed_out) {
    ending.why = "it was ended at its limit of " + std::to_string(job.limit.count()) + " s";
  } else if (how == How::interrupted) {
    ending.why = "it was interrupted";
  } else if (WIFSIGNALED(wait_status)) {
    ending.how = How::killed;
    ending.why = std::string("it was killed by SIG") + signal_name(WTERMSIG(wait_status));
  } else if (ending.status != 0) {
    ending.why = "exit status " + std::to_string(ending.status);
    if (ending.status > kSignalStatus)
      ending.why += std::string(": killed by SIG") + signal_name(ending.status - kSignalStatus);
  }
  return ending;
}

Ending wait_for(pid_t child, const Job& job, const BlockedSignals& signals) {
  How how = How::exited;
  bool told = false;
  auto until = Clock::now() + job.limit;
  const auto tell = [&](How why) {
    if (std::exchange(told, true)) return;
    how = why;
    ::kill(-child, SIGTERM);
    until = Clock::now() + job.grace;
  };
  while (true) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) return ending_of(status, how, job);
    const int signal = signals.wait(std::chrono::milliseconds(200));
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) tell(How::interrupted);
    if (Clock::now() < until) continue;
    if (told) ::kill(-child, SIGKILL);
    tell(How::timed_out);
  }
}

}  // namespace

Ending run(const Job& job) {
  const BlockedSignals signals;
  const Subreaper subreaper;
  const auto others = children();
  int error = 0;
  const pid_t child = start(job, signals.before(), error);
  Ending ending = wait_for(child, job, signals);
  if (error != 0) {
    ending.how = How::not_started;
    ending.why = job.words.front() + ": " + std::generic_category().message(error);
  }
  ending.leftovers = end_leftovers(signals, others, job.grace);
  return ending;
}

std::vector<std::string> shell_words(const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool blank = quote == '\0' && std::strchr(" \t\n", c) != nullptr;
    if (blank) {
      in_word = false;
      continue;
    }
    if (!std::exchange(in_word, true)) words.emplace_back();
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      words.back() += text[++at];
    } else if (quote != '\'' && std::strchr("$`", c) != nullptr) {
      throw std::invalid_argument(std::string("'") + c + "' is not expanded: write the value");
    } else if (quote == '\0' && std::strchr("|&;<>()", c) != nullptr) {
      throw std::invalid_argument(std::string("'") + c +
                                  "' is of a shell: give one command with its options");
    } else {
      words.back() += c;
    }
  }
  if (quote != '\0')
    throw std::invalid_argument(std::string("there is no end of the quote ") + quote);
  return words;
}

std::string shell_line(const std::vector<std::string>& words) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace railgauge::validation
