// Who receives, answers and runs timers, and when. The choices were measured; each is explained
// where it is made.

#include <immintrin.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <thread>

#include "softroce/engine/engine.hpp"

namespace railgauge::softroce {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// This many fruitless polls in kParked mean that the program polls in a loop and makes progress
// itself: the thread would only compete for the lock.
constexpr std::uint64_t kPolling = 8;
// How long the thread then stays away, and so the longest that an answer can be late after the
// program stops polling, where nobody shares the CPU.
constexpr nanoseconds kParked = microseconds(200);
// Where programs take turns on it, each wake-up of the thread takes a turn from one of them: with
// 16 a CPU, 200 us left them none. It is longer than a peer's least timer (RoundTrip), so that some
// packets are sent again; with 200 us there were more of them.
constexpr nanoseconds kParkedAmongOthers = milliseconds(2);
// After traffic the thread polls this long for more before it sleeps, because a wake-up costs about
// 5 us. Not if others want the CPU, which shows as a long time between two polls.
constexpr nanoseconds kSpin = microseconds(50);
constexpr nanoseconds kPushedAside = microseconds(300);
constexpr int kSpinPause = 2;  // times as long as it was preempted
// Polling a queue reads the socket of its own device, and only every so many times those of the
// engine's other devices: a program that polls one queue after another would read every socket for
// each of them. Not where programs take turns on a CPU: there every socket is read in each turn.
constexpr std::uint64_t kOthersTurn = 8;
// A turn handles at most this many batches before others get the lock.
constexpr int kBatchesPerTurn = 4;
// Before a timer runs: about as many as the largest socket (udp_socket.cpp) can hold of the
// smallest datagrams, so that a peer that never stops sending does not keep timers from running.
constexpr int kBatchesInSocket = 2048;

}  // namespace

void Engine::poll(CompletionQueue& queue, Lock& lock) {
  ++polls_;
  if (dead_) return;
  const bool came = turn(&queue);
  queue.show(now_);
  if (came) {
    empty_polls_ = 0;
    return;
  }
  if (++empty_polls_ == 1) vain_since_ = now_;
  if (empty_polls_ >= yielding_.patience()) give_way(lock);
}

void Engine::give_way(Lock& lock) {
  empty_polls_ = 0;
  giving_way_ = true;
  const nanoseconds polled = std::chrono::steady_clock::now() - vain_since_;
  // Without the lock, so that the thread can answer our peers in the meantime.
  lock.native().unlock();
  const Time left = std::chrono::steady_clock::now();
  sched_yield();
  const nanoseconds away = std::chrono::steady_clock::now() - left;
  lock.native().lock();
  giving_way_ = false;
  yielding_.came_back(polled, away);
}

bool Engine::turn(CompletionQueue* awaited) {
  tick();
  // Answers that the last turn left for later, and what did not fit into its burst.
  transmit_all();
  flush();
  const bool came = receive(awaited);
  // The program gets its completion first, and the peer its acknowledgement with the next call or
  // at the latest from the parked thread: that saves half a microsecond per message.
  // Not if it may have to wait for its next turn on the CPU.
  const bool later =
      awaited != nullptr && awaited->size() > 0 && mood_ == Mood::park && yielding_.alone();
  if (!later) {
    transmit_all();
    flush();
  }
  look_at_faults();
  run_timers();
  if (!later) transmit_all();
  flush();
  return came;
}

bool Engine::receive(const CompletionQueue* awaited) {
  bool any = false;
  const Port* own =
      awaited != nullptr && reads_own_only() ? context_of(awaited->context).port : nullptr;
  for (Rail* rail : open_) {
    if (own != nullptr && own != rail->port.get()) continue;
    for (int i = 0; i < kBatchesPerTurn && rail->link->receive(*rail->port); ++i) {
      any = true;
      if (!rail->link->maybe_more() || (awaited != nullptr && awaited->size() > 0)) break;
    }
    rail->link->run_shapers(*rail->port);
  }
  if (any) last_arrival_ = now_;
  return any;
}

bool Engine::reads_own_only() const {
  return yielding_.alone() && polls_ % kOthersTurn != 0;
}

void Engine::transmit_all() {
  for (Rail* rail : open_) {
    if (rail->port->wants()) rail->port->transmit();
  }
}

void Engine::moderate(CompletionQueue& queue) {
  forget(queue);
  moderated_.push_back(&queue);
}

void Engine::forget(CompletionQueue& queue) {
  std::erase(moderated_, &queue);
}

void Engine::run_timers() {
  for (CompletionQueue* queue : moderated_) queue->announce_when_due(now_);
  for (Rail* rail : open_) {
    if (rail->port->next_timer() <= now_) drain(*rail);
    rail->port->run_timers();
  }
}

/// An answer that has come but waits in the socket, because nobody ran to read it, is not missing.
void Engine::drain(Rail& rail) {
  for (int i = 0; i < kBatchesInSocket && rail.link->receive(*rail.port); ++i) {
  }
  rail.link->run_shapers(*rail.port);
}

void Engine::look_at_faults() {
  if (!faults_.changed(now_)) {
    for (Rail* rail : open_) rail->port->set_link(rail->link->link_up());
    return;
  }
  for (Rail* rail : open_) apply_faults(*rail);
}

void Engine::apply_faults(Rail& rail) {
  const FaultPlan& plan = faults_.plan();
  const Faults faults = faults_of(plan, rail.name, Direction::transmit);
  if (faults.counters_reset) rail.port->reset_counters();
  rail.port->ignores_cnps = faults.cnps_ignored;
  rail.link->configure(plan, rail.name, now_);
  rail.port->set_link(rail.link->link_up());
}

void Engine::expect_events() {
  events_expected_ = true;
  if (mood_ == Mood::park) kick();
}

void Engine::start_thread() {
  thread_started_ = true;
  // Signals are the program's: none is delivered to a thread that it does not know of, but for the
  // faults of the memory guard.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigdelset(&all, SIGSEGV);
  sigdelset(&all, SIGBUS);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([this] { run(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Engine::run() {
  pthread_setname_np(pthread_self(), "softroce");
  for (;;) {
    Mood next = Mood::block;
    Time until;
    std::vector<pollfd> descriptors;
    {
      const Lock lock(*this);
      if (dead_) return;
      kicked_ = false;
      turn(nullptr);
      next = mood_ = mood(now_);
      for (const Rail* rail : open_) {
        if (rail->port->wants()) next = Mood::spin;  // it stopped for its burst only
      }
      if (next != Mood::spin) {
        until = asleep_until_ = next == Mood::park ? now_ + parked_for() : next_deadline();
        descriptors = awaited(next);
      }
    }
    sleep(next, until, descriptors);
  }
}

nanoseconds Engine::parked_for() const {
  return yielding_.alone() ? kParked : kParkedAmongOthers;
}

std::vector<pollfd> Engine::awaited(Mood mood) const {
  std::vector<pollfd> descriptors{{.fd = wake_.descriptor(), .events = POLLIN, .revents = 0}};
  if (mood == Mood::park) return descriptors;
  for (const Rail* rail : open_) {
    descriptors.push_back({.fd = rail->link->descriptor(), .events = POLLIN, .revents = 0});
    if (const Neighbours* neighbours = rail->link->neighbours()) {
      descriptors.push_back({.fd = neighbours->descriptor(), .events = POLLIN, .revents = 0});
    }
    if (const PauseListener* pauses = rail->link->pauses()) {
      descriptors.push_back({.fd = pauses->descriptor(), .events = POLLIN, .revents = 0});
    }
  }
  return descriptors;
}

Engine::Mood Engine::mood(Time now) {
  const auto many = kPolling * static_cast<std::uint64_t>(parked_for() / kParked);
  const bool polling = (giving_way_ || polls_ - polls_seen_ >= many) && !events_expected_;
  polls_seen_ = polls_;
  events_expected_ = false;
  const nanoseconds since_last = now - last_turn_of_thread_;
  last_turn_of_thread_ = now;
  if (polling) return Mood::park;
  const nanoseconds spin = settings_.spin_us < 0 ? kSpin : microseconds(settings_.spin_us);
  if (mood_ == Mood::spin && since_last > kPushedAside)
    no_spin_until_ = now + kSpinPause * since_last;
  if (now < no_spin_until_ || now - last_arrival_ >= spin) return Mood::block;
  return Mood::spin;
}

void Engine::sleep(Mood next, Time until, std::vector<pollfd>& descriptors) {
  if (next == Mood::spin) {
    // Long enough for a program's thread to get the lock.
    do {
      for (int i = 0; i < 4; ++i) _mm_pause();
    } while (waiting_.load() > 0);
    return;
  }
  timespec timeout{};
  const timespec* limit = nullptr;
  if (until != Time::max()) {
    const auto left =
        std::max(nanoseconds{0}, nanoseconds(until - std::chrono::steady_clock::now()));
    timeout.tv_sec = left.count() / 1000000000;
    timeout.tv_nsec = left.count() % 1000000000;
    limit = &timeout;
  }
  ppoll(descriptors.data(), descriptors.size(), limit, nullptr);
  if (descriptors[0].revents != 0) wake_.take();
}

}  // namespace railgauge::softroce
