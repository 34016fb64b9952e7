// Preloaded into a rank by with_fault: its main thread computes, again and again. COMPUTING=20/1:
// 20 ms of CPU time, then 1 ms of its program.

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

constexpr long kNanosecondsPerMs = 1'000'000;
long compute_ms = 0;
timer_t timer{};
itimerspec pause_between{};

long now_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000 + now.tv_nsec / kNanosecondsPerMs;
}

/// The next one comes when this one has ended, however long it had to wait for a CPU.
void compute(int) {
  const long end_ms = now_ms() + compute_ms;
  while (now_ms() < end_ms) {
  }
  timer_settime(timer, 0, &pause_between, nullptr);
}

__attribute__((constructor)) void begin() {
  long pause_ms = 0;
  const char* const text = getenv("COMPUTING");
  if (text == nullptr || sscanf(text, "%ld/%ld", &compute_ms, &pause_ms) != 2) return;
  pause_between.it_value.tv_nsec = pause_ms * kNanosecondsPerMs;
  struct sigaction action {};
  action.sa_handler = compute;
  action.sa_flags = SA_RESTART;
  sigaction(SIGRTMAX, &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGRTMAX;
  event._sigev_un._tid = gettid();
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
    timer_settime(timer, 0, &pause_between, nullptr);
}

}  // namespace
