#include "softroce/engine/engine.hpp"

#include <immintrin.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "softroce/device/context.hpp"
#include "softroce/engine/addresses.hpp"
#include "softroce/shortcut/process_shortcut.hpp"

namespace railgauge::softroce {

namespace {

std::mutex making;  // of the engines

// The lock is held for microseconds: waiting in the kernel would cost more.
constexpr int kTriesBeforeWaiting = 200;

// A process that ends forwards at most this many batches of what has arrived for its neighbours.
constexpr int kLastBatches = 64;

// What a packet has around its payload: IPv6 40, UDP 8, BTH 12, RETH 16, ICRC 4.
constexpr unsigned kHeaders = 80;

// Processes begin at different numbers, so that a packet for one that has ended does not match
// another that took over its address, and that nobody guesses them.
std::uint32_t first_queue_pair(const Neighbours* neighbours) {
  constexpr std::uint32_t kFirst = 0x10;
  if (neighbours != nullptr) return (neighbours->place() << 16) + unguessable() % 0x4000 + kFirst;
  return unguessable() % (kMask24 - kFirst - kMostQueuePairs) + kFirst;
}

// What was asked for, else what the interface's link has.
double line_rate(const Settings& settings, int rail, const Interface& interface) {
  if (settings.rates.size() == 1) return settings.rates[0];
  if (!settings.rates.empty()) return settings.rates[static_cast<std::size_t>(rail)];
  return interface.bits_per_second > 0 ? interface.bits_per_second : kLineBitsPerSecond;
}

}  // namespace

std::atomic<Engine::All*> Engine::all_ = nullptr;

Engine::All& Engine::all() {
  // No lock once they exist: callers may hold an engine's lock, which fork() takes after this one.
  if (All* made = all_.load()) return *made;
  const std::lock_guard lock(making);
  if (All* made = all_.load()) return *made;
  static const int kOnce = [] {
    std::atexit([] {
      if (All* made = all_.load()) {
        for (auto& engine : made->engines) engine->finish();
      }
    });
    return pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  }();
  (void)kOnce;
  // Never deleted: their threads, and destructors of the program's own globals, may still use them.
  auto* made = new All;  // NOLINT(cppcoreguidelines-owning-memory)
  all_ = made;
  return *made;
}

Engine::All::All() {
  for (int i = 0; i < settings.engines; ++i)
    engines.push_back(std::make_unique<Engine>(settings, i));
}

const Settings& Engine::settings() {
  return all().settings;
}

Engine& Engine::of(int rail) {
  auto& engines = all().engines;
  return *engines[static_cast<std::size_t>(rail) % engines.size()];
}

Engine::Engine(const Settings& settings, int number)
    : settings_(settings),
      faults_(number == 0 ? FaultSource::Complaints::told : FaultSource::Complaints::kept,
              settings_.rails) {
  for (int i = number; i < settings_.rails; i += settings_.engines) {
    Rail& rail = rails_[i];
    rail.name = device_name(i);
    rail.bits_per_second = line_rate(settings_, i, {});
  }
}

Rail& Engine::open(int index) {
  const Lock lock(*this);
  Rail& rail = rails_.at(index);
  if (rail.port) return rail;
  Taken taken = rail.reserved ? std::move(*rail.reserved) : take_address(settings_, index);
  rail.reserved.reset();
  rail.interface = interface_of(taken.address);
  auto link = std::make_unique<Link>(taken.address, std::move(taken.socket), index,
                                     std::move(taken.neighbours));
  if (!settings_.capture.empty()) {
    link->capture_to(settings_.capture + "." + std::to_string(getpid()) + "." + rail.name +
                     ".pcap");
  }
  rail.port = std::make_unique<Port>(*link, taken.address, first_queue_pair(link->neighbours()));
  if (rail.interface.mtu > kHeaders) {
    rail.port->mtu = std::min(kMaxMtuBytes, std::bit_floor(rail.interface.mtu - kHeaders));
  }
  rail.bits_per_second = line_rate(settings_, index, rail.interface);
  rail.port->line_bits_per_second = told_rate(settings_.profile, rail.bits_per_second);
  if (!settings_.rates.empty()) rail.port->pacer.set_rate(rail.bits_per_second);
  rail.port->any_order = settings_.any_order;
  rail.port->strict = settings_.strict;
  rail.port->profile = settings_.profile;
  if (settings_.shortcut) {
    rail.port->take_shortcut(std::make_unique<ProcessShortcut>(*rail.port));
  }
  link->counters = &rail.port->counters;
  link->listen_for_pauses(rail.interface, *rail.port);
  rail.link = std::move(link);
  open_.push_back(&rail);
  tick();
  apply_faults(rail);
  if (!thread_started_) start_thread();
  kick();  // it has one more socket to look at
  return rail;
}

void Engine::reserve_address(int index) {
  Rail& rail = rails_.at(index);
  if (rail.port || rail.reserved) return;
  try {
    rail.reserved.emplace(take_address(settings_, index));
    rail.interface = interface_of(rail.reserved->address);
  } catch (const std::exception&) {  // to whoever opens it
  }
}

Engine::Lock::Lock(Engine& engine) : engine_(engine), lock_(engine.mutex_, std::defer_lock) {
  if (lock_.try_lock()) return;
  engine.waiting_.fetch_add(1);
  for (int i = 0; i < kTriesBeforeWaiting && !lock_.owns_lock(); ++i) {
    _mm_pause();
    static_cast<void>(lock_.try_lock());
  }
  if (!lock_.owns_lock()) lock_.lock();
  engine.waiting_.fetch_sub(1);
}

Engine::Lock::~Lock() {
  if (lock_.owns_lock()) engine_.flush();
}

Time Engine::tick() {
  now_ = std::chrono::steady_clock::now();
  for (Rail* rail : open_) {
    rail->port->now = now_;
    rail->link->now = now_;
  }
  return now_;
}

void Engine::flush() {
  for (Rail* rail : open_) rail->link->flush();
}

void Engine::transmit(Port& port) {
  // Whoever runs next sends what exceeded the burst; wake the thread, so that it does if nobody
  // else.
  if (port.transmit()) kick();
}

Time Engine::next_deadline() const {
  Time first = Time::max();
  for (const Rail* rail : open_) {
    first = std::min(first, rail->port->next_timer());
    if (const auto due = rail->link->due()) first = std::min(first, *due);
  }
  for (const CompletionQueue* queue : moderated_) first = std::min(first, queue->announce_at);
  return first;
}

void Engine::kick_if_early() {
  if (mood_ == Mood::block && next_deadline() < asleep_until_) kick();
}

void Engine::kick() {
  if (dead_ || kicked_) return;
  kicked_ = true;
  wake_.raise();
}

void Engine::finish() {
  const Lock lock(*this);
  if (dead_) return;
  tick();
  transmit_all();
  flush();
  for (Rail* rail : open_) {
    if (rail->link->neighbours() != nullptr) leave(*rail);
  }
  if (settings_.print_counters) print_counters();
}

void Engine::leave(Rail& rail) {
  // Forward what has arrived for neighbours and stop receiving: an acknowledgement that is lost
  // here may come from a process that has ended by now, so it would not be sent again.
  for (int i = 0; i < kLastBatches && rail.link->receive(*rail.port); ++i) {
  }
  transmit(*rail.port);
  rail.link->flush();
  rail.link->abandon();
  dead_ = true;
}

void Engine::print_counters() const {
  for (const Rail* rail : open_) {
    std::string line = "softroce: " + rail->name + " " + to_text(rail->port->address);
    for (const auto& [name, value] : rail->port->named_counters()) {
      if (value != 0) line += " " + name + "=" + std::to_string(value);
    }
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

void Engine::before_fork() {
  making.lock();
  if (All* made = all_.load()) {
    for (auto& engine : made->engines) engine->mutex_.lock();
  }
}

void Engine::after_fork_in_parent() {
  if (All* made = all_.load()) {
    for (auto& engine : made->engines) engine->mutex_.unlock();
  }
  making.unlock();
}

void Engine::after_fork_in_child() {
  // The child has no thread of ours and must not answer for its parent. Objects that it inherited
  // stay valid and quiet; a device that it opens is a new one.
  if (All* made = all_.load()) {
    for (auto& engine : made->engines) {
      engine->abandon();
      engine->mutex_.unlock();
    }
    all_ = nullptr;
  }
  making.unlock();
}

void Engine::abandon() {
  dead_ = true;
  for (const Rail* rail : open_) {
    rail->link->abandon();
    rail->port->take_shortcut(nullptr);
  }
  for (auto& [index, rail] : rails_) {
    if (!rail.reserved) continue;
    if (rail.reserved->neighbours) rail.reserved->neighbours->abandon();
    rail.reserved->socket.abandon();
  }
}

}  // namespace railgauge::softroce
