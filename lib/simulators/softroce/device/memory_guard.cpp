#include "softroce/device/memory_guard.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <mutex>

namespace railgauge::softroce {

thread_local sigjmp_buf* detail::recovery = nullptr;

namespace {

constexpr std::array<int, 2> kGuarded = {SIGSEGV, SIGBUS};

std::atomic<bool> guarding = false;
std::mutex changing;
std::array<struct sigaction, kGuarded.size()> of_program{};

/// libc's own, behind the one that this library may have put in front of it.
int real_sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  using Function = int(int, const struct sigaction*, struct sigaction*);
  static auto* const real = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, "sigaction"));
  return real(signal, action, before);
}

std::size_t place_of(int signal) {
  return signal == kGuarded[0] ? 0 : 1;
}

bool is_guarded(int signal) {
  return signal == kGuarded[0] || signal == kGuarded[1];
}

void restore_default(int signal) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  real_sigaction(signal, &action, nullptr);
}

/// Not sent by kill() and the like, but raised by an instruction, which runs again on return.
bool is_fault(const siginfo_t& info) {
  return info.si_code > 0;
}

/// The end that the program would have had without us.
void by_default(int signal, const siginfo_t& info) {
  restore_default(signal);
  if (!is_fault(info)) raise(signal);
}

/// With the mask that the kernel would have set (sigaction(2)); what the handler jumps out of, its
/// own jump restores.
void by_program(const struct sigaction& action, int signal, siginfo_t* info, void* context) {
  sigset_t mask = action.sa_mask;
  sigset_t before;
  if ((action.sa_flags & SA_NODEFER) == 0) sigaddset(&mask, signal);
  pthread_sigmask(SIG_BLOCK, &mask, &before);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, info, context);
  } else {
    action.sa_handler(signal);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (detail::recovery != nullptr && is_fault(*info)) siglongjmp(*detail::recovery, 1);
  struct sigaction& kept = of_program[place_of(signal)];
  const struct sigaction action = kept;
  if ((static_cast<unsigned>(action.sa_flags) & SA_RESETHAND) != 0) kept.sa_handler = SIG_DFL;
  if (action.sa_handler == SIG_IGN && !is_fault(*info)) return;
  if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
    return by_default(signal, *info);
  by_program(action, signal, info, context);
}

}  // namespace

void guard_memory() {
#if defined(__SANITIZE_THREAD__)
  return;  // see guarded()
#endif
  const std::lock_guard lock(changing);
  if (guarding) return;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  // On the program's alternate stack, if it has one, as its own handler may need it; and not
  // blocked, as recovery jumps out of the handler.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : kGuarded) {
    real_sigaction(signal, nullptr, &of_program[place_of(signal)]);
    real_sigaction(signal, &action, nullptr);
  }
  guarding = true;
}

int program_action(int signal, const struct sigaction* action, struct sigaction* before) {
  if (!is_guarded(signal) || !guarding) return real_sigaction(signal, action, before);
  const std::lock_guard lock(changing);
  struct sigaction& kept = of_program[place_of(signal)];
  if (before != nullptr) *before = kept;
  if (action != nullptr) kept = *action;
  return 0;
}

}  // namespace railgauge::softroce
