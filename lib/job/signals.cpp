#include "job/signals.hpp"

#include <csignal>
#include <initializer_list>

namespace railgauge::job {
namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void remember(int signal) {
  if (caught == 0) caught = signal;
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = remember;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

int caught_signal() noexcept {
  return caught;
}

}  // namespace railgauge::job
