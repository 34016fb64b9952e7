#pragma once

#include <poll.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "softroce/device/completion_queue.hpp"
#include "softroce/device/port.hpp"
#include "softroce/engine/addresses.hpp"
#include "softroce/engine/link.hpp"
#include "softroce/engine/settings.hpp"
#include "softroce/engine/yielding.hpp"
#include "softroce/faults/fault_source.hpp"

namespace railgauge::softroce {

/// One soft device of this process: its port and its wire.
struct Rail {
  std::string name;
  std::optional<Taken> reserved{};  ///< for when it is opened: somebody has asked for its address
  std::unique_ptr<Link> link{};
  std::unique_ptr<Port> port{};
  Interface interface {};
  double bits_per_second = kLineBitsPerSecond;  ///< that it says it has: Port::line_bits_per_second
};

/// Soft devices of this process, with one lock and one thread. A process has an engine for each
/// device, so that threads which drive different devices never wait for each other; or, where CPUs
/// are few, one for several devices or all: every engine takes a thread (Settings::engines). A
/// device has the same engine, and so a single address, however often it is opened. Engines are
/// never destroyed, and know nothing of each other: nobody holds the locks of two, but for fork().
///
/// Who makes progress: a thread that posts sends immediately; a thread that polls an empty
/// completion queue receives for its device (for the engine's others only every few times),
/// answers and runs timers; the engine's own thread does the same while nobody polls, and stays out
/// of the way otherwise.
class Engine {
 public:
  /// Of every settings.engines-th device from `number` on; see of().
  Engine(const Settings& settings, int number);

  /// Of this process. Throws std::invalid_argument if the environment is invalid.
  static const Settings& settings();
  /// The engine of this device; what is called with a device's number must be called on its engine.
  /// Throws as settings().
  static Engine& of(int rail);

  /// Takes an address for this rail on first use. Throws std::runtime_error that says what to do.
  Rail& open(int rail);
  /// Takes an address for this rail, which it will have when it is opened; nothing if there is
  /// none: open() says why. Under the lock.
  void reserve_address(int rail);
  const Rail& rail(int index) const { return rails_.at(index); }

  /// Holds the lock; its destructor sends the packets that outboxes hold.
  class Lock {
   public:
    explicit Lock(Engine& engine);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    std::unique_lock<std::mutex>& native() { return lock_; }

   private:
    Engine& engine_;
    std::unique_lock<std::mutex> lock_;
  };

  /// After something was posted. Under the lock.
  void kick_if_early();
  /// Sends what is ready on one port. Under the lock.
  void transmit(Port& port);
  /// Makes progress because an empty completion queue was polled. Under the lock, which it releases
  /// when it yields.
  void poll(CompletionQueue& queue, Lock& lock);
  /// Someone is about to wait for an event, so the thread must be running. Under the lock.
  void expect_events();
  /// Updates the time of every port. Under the lock.
  Time tick();
  /// Notified when events are acknowledged.
  std::condition_variable acknowledged;

  /// This queue is going away. Under the lock.
  void forget(CompletionQueue& queue);
  /// This queue needs a call when its moderated event is due. Under the lock.
  void moderate(CompletionQueue& queue);

  /// Sends what is owed, because the process is ending.
  void finish();

 private:
  /// All engines of the process, and what they have in common.
  struct All {
    All();
    Settings settings = read_settings();
    std::vector<std::unique_ptr<Engine>> engines;
  };
  static All& all();

  void start_thread();
  void run();
  enum class Mood { park, block, spin };
  Mood mood(Time now);
  void sleep(Mood mood, Time until, std::vector<pollfd>& descriptors);
  std::vector<pollfd> awaited(Mood mood) const;
  nanoseconds parked_for() const;
  void give_way(Lock& lock);
  bool turn(CompletionQueue* awaited);
  bool receive(const CompletionQueue* awaited);
  bool reads_own_only() const;
  void transmit_all();
  void run_timers();
  void drain(Rail& rail);
  void look_at_faults();
  void apply_faults(Rail& rail);
  Time next_deadline() const;
  void flush();
  void kick();
  void print_counters() const;
  void leave(Rail& rail);
  void abandon();

  static std::atomic<All*> all_;

  static void before_fork();
  static void after_fork_in_parent();
  static void after_fork_in_child();

  const Settings& settings_;
  FaultSource faults_;
  std::map<int, Rail> rails_;  // by the devices' numbers
  std::vector<Rail*> open_;
  std::vector<CompletionQueue*> moderated_;
  std::mutex mutex_;
  std::atomic<int> waiting_{0};  // application threads waiting for the lock
  Signal wake_;
  bool thread_started_ = false;
  bool dead_ = false;  // in a child after fork(), and after leaving its neighbours
  Mood mood_ = Mood::block;
  Time asleep_until_ = Time::max();
  std::uint64_t polls_ = 0;
  std::uint64_t polls_seen_ = 0;
  unsigned empty_polls_ = 0;
  Time vain_since_{};        // the first of them
  bool giving_way_ = false;  // a thread that polls has given its CPU away
  Yielding yielding_;
  Time now_{};
  Time last_arrival_{};
  Time last_turn_of_thread_{};
  Time no_spin_until_{};
  bool events_expected_ = false;
  bool kicked_ = false;
};

}  // namespace railgauge::softroce
