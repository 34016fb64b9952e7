#pragma once

#include <mutex>

#include "softroce/cm/commands.hpp"
#include "softroce/cm/sockets.hpp"
#include "softroce/device/context.hpp"

namespace railgauge::softroce::cm {

/// The connection manager of this process, with its lock and its thread, which starts with the
/// first channel and sleeps until a peer or a deadline wants something. A child of fork() gets one
/// of its own when it opens a channel; the channels that it inherited are of no use to it.
class Service {
 public:
  /// Throws std::system_error.
  static Service& instance();

  std::shared_ptr<Channel> open();  ///< Throws std::system_error.
  /// What a program writes to a channel. Returns errno.
  int execute(Channel& channel, std::span<const std::byte> written, Lookup look_up);
  /// The descriptor that was its own is closed; this one is a duplicate of it.
  void rename(Channel& channel, int descriptor);
  /// The program has closed its last descriptor of it.
  void close(Channel& channel);

 private:
  Service();
  void start_thread();
  void run();
  Time turn();
  int execute_locked(Channel& channel, std::span<const std::byte> written, Lookup look_up);
  int wait_for_event(Channel& channel, std::span<const std::byte> written, Lookup look_up);
  Time tick();

  static void before_fork();
  static void after_fork_in_parent();
  static void after_fork_in_child();

  std::mutex mutex_;
  Sockets sockets_;
  std::unique_ptr<Devices> devices_;
  Manager manager_;
  Signal wake_;
  Time asleep_until_ = Time::max();
  bool thread_started_ = false;
};

/// The soft devices of this process, by way of its engine.
std::unique_ptr<Devices> soft_devices();

}  // namespace railgauge::softroce::cm
