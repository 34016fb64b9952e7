#include "experiments/congestion/link_breaker.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <optional>

#include "finding/words.hpp"

namespace railgauge::runner {
namespace {

/// A shell with this command; 0 and an errno in `error` if there is none.
pid_t start(std::string command, int& error) {
  std::string shell = "sh";
  std::string option = "-c";
  const std::array<char*, 4> words{shell.data(), option.data(), command.data(), nullptr};
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  error = posix_spawn(&process, "/bin/sh", nullptr, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  return error == 0 ? process : 0;
}

/// Empty if it did not end in time. A status that another took is no success.
std::optional<int> status_within(pid_t process, std::chrono::milliseconds limit) {
  constexpr std::chrono::milliseconds kTurn{10};
  constexpr int kUnknown = 255 << 8;  // as wait(2) has an exit status
  const auto end = LinkBreaker::Clock::now() + limit;
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(process, &status, WNOHANG)) == 0) {
    if (LinkBreaker::Clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(kTurn);
  }
  return ended == process ? status : kUnknown;
}

std::string ending_text(std::optional<int> status, std::chrono::milliseconds limit) {
  if (!status)
    return "it did not end within " +
           finding::number(std::chrono::duration<double>(limit).count(), "s") + ", and was killed";
  if (WIFSIGNALED(*status)) return "signal " + std::to_string(WTERMSIG(*status));
  return WEXITSTATUS(*status) == 0 ? "" : "exit status " + std::to_string(WEXITSTATUS(*status));
}

/// Why it failed; empty: it did not.
std::string run(const std::string& command, std::chrono::milliseconds limit) {
  int error = 0;
  const pid_t process = start(command, error);
  if (process == 0) return std::string("no shell: ") + std::strerror(error);
  const auto status = status_within(process, limit);
  if (!status) {
    kill(-process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  return ending_text(status, limit);
}

}  // namespace

LinkBreaker::LinkBreaker(const Plan& plan) {
  if (plan.command.empty()) return;
  thread_ = std::thread([this, plan] {
    std::this_thread::sleep_for(plan.after);
    broken_s_ = std::chrono::duration<double>(Clock::now() - plan.origin).count();
    const std::string why = run(plan.command, plan.limit);
    if (!why.empty()) failure_ = "--break-command failed: " + plan.command + " (" + why + ")";
  });
}

}  // namespace railgauge::runner
