// The actions for SIGSEGV and SIGBUS that a program sets are kept behind our own, as the memory
// guard needs to see its faults first.

#include <csignal>

#include "softroce/device/memory_guard.hpp"
#include "softroce/paths/libc.hpp"

#if !defined(__SANITIZE_THREAD__)  // which calls them before what it needs in functions is there

namespace {

using railgauge::softroce::program_action;
using Handler = void (*)(int);

}  // namespace

SOFTROCE_LIBC(int, sigaction,
              (int signal, const struct sigaction* action, struct sigaction* before)) {
  return program_action(signal, action, before);
}

/// As in BSD and glibc: system calls go on, and the action stays (signal(2)).
SOFTROCE_LIBC(Handler, signal, (int signal, Handler handler)) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, signal);
  return program_action(signal, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

#endif
