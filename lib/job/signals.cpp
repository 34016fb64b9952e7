#include "job/signals.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>

#include "job/process_state.hpp"

namespace railgauge::job {
namespace {

volatile std::sig_atomic_t caught = 0;
volatile std::sig_atomic_t caught_from = 0;  // this process

extern "C" void remember(int signal, siginfo_t* info, void* /*context*/) {
  if (caught != 0) return;
  caught_from = info->si_pid;
  caught = signal;
}

// The name of launchers/mpirun, before and after it is told to end.
constexpr std::string_view kUntold = "railgauge-mpi";
constexpr std::string_view kTold = "railgauge-told";

bool is_launcher(int pid, const std::filesystem::path& proc) {
  constexpr std::array<std::string_view, 6> kNames{"mpirun", "orterun", "orted",
                                                   "prted",  "prterun", "slurmstepd"};
  return std::ranges::count(kNames, name_of_process(pid, proc)) > 0;
}

std::string_view why_launcher_ends_all(Ender ender) {
  switch (ender) {
    case Ender::launcher: return " ended the job, because another rank died";
    case Ender::either: return " ended the job, after Ctrl-C or because another rank died";
    case Ender::user:
    case Ender::nobody: break;
  }
  return " ended the job, as after Ctrl-C";
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_sigaction = remember;
  action.sa_flags = SA_SIGINFO;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

int caught_signal() noexcept {
  return caught;
}

Ender ender_of(int signal, int sender, const std::filesystem::path& proc) {
  if (signal == 0) return Ender::nobody;
  if (signal != SIGTERM || !is_launcher(sender, proc)) return Ender::user;
  const std::string above = name_of_process(parent_of_process(sender, proc), proc);
  if (above == kTold) return Ender::user;
  return above == kUntold ? Ender::launcher : Ender::either;
}

Ender ender() {
  return ender_of(caught, caught_from);
}

/// Ctrl-C is a SIGINT for the launcher: whoever reads of a SIGTERM looks for somebody who sent it.
std::string signal_text() {
  const int signal = caught;
  if (signal == SIGTERM && is_launcher(caught_from, "/proc"))
    return "interrupted: " + name_of_process(caught_from) +
           std::string(why_launcher_ends_all(ender()));
  const std::string name = signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP";
  return "interrupted by signal " + std::to_string(signal) + " (" + name + ")";
}

}  // namespace railgauge::job
