#include "softroce/cm/service.hpp"

#include <poll.h>
#include <pthread.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

namespace railgauge::softroce::cm {
namespace {

std::atomic<Service*> the_service = nullptr;
std::mutex making;

}  // namespace

Service& Service::instance() {
  if (Service* service = the_service.load()) return *service;
  // The engine first, whose handlers of fork() are to run inside of ours: we hold our lock when we
  // ask for its.
  static_cast<void>(soft_devices());
  const std::lock_guard lock(making);
  if (Service* service = the_service.load()) return *service;
  static const int kOnce = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  (void)kOnce;
  // Never deleted: its thread may be running.
  auto* service = new Service;  // NOLINT(cppcoreguidelines-owning-memory)
  the_service = service;
  return *service;
}

Service::Service() : devices_(soft_devices()), manager_(sockets_, *devices_) {
  sockets_.manager = &manager_;
}

Time Service::tick() {
  return manager_.now = sockets_.now = std::chrono::steady_clock::now();
}

std::shared_ptr<Channel> Service::open() {
  auto channel = std::make_shared<Channel>();
  const std::lock_guard lock(mutex_);
  if (!thread_started_) start_thread();
  return channel;
}

void Service::rename(Channel& channel, int descriptor) {
  const std::lock_guard lock(mutex_);
  channel.rename(descriptor);
}

void Service::close(Channel& channel) {
  const std::lock_guard lock(mutex_);
  tick();
  manager_.close(channel);
}

int Service::execute(Channel& channel, std::span<const std::byte> written, Lookup look_up) {
  return asks_for_event(written) ? wait_for_event(channel, written, look_up)
                                 : execute_locked(channel, written, look_up);
}

int Service::execute_locked(Channel& channel, std::span<const std::byte> written, Lookup look_up) {
  const std::lock_guard lock(mutex_);
  tick();
  const int error = cm::execute(manager_, channel, written, look_up);
  if (std::min(manager_.next_deadline(), sockets_.next_deadline()) < asleep_until_) wake_.raise();
  return error;
}

/// The descriptor counts the events, so that reading it waits as the program made it wait: for
/// ever, not at all, or until a signal's handler has run.
int Service::wait_for_event(Channel& channel, std::span<const std::byte> written, Lookup look_up) {
  for (;;) {
    if (const int error = channel.wait()) return error;
    const int error = execute_locked(channel, written, look_up);
    if (error != EAGAIN) return error;  // else the event was dropped since
  }
}

void Service::start_thread() {
  thread_started_ = true;
  // Signals are the program's: none is delivered to a thread that it does not know of.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([this] { run(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Time Service::turn() {
  const std::lock_guard lock(mutex_);
  tick();
  sockets_.handle();
  sockets_.on_time();
  manager_.on_time();
  return asleep_until_ = std::min(manager_.next_deadline(), sockets_.next_deadline());
}

void Service::run() {
  pthread_setname_np(pthread_self(), "softroce-cm");
  std::array<pollfd, 2> awaited{{{.fd = sockets_.descriptor(), .events = POLLIN, .revents = 0},
                                 {.fd = wake_.descriptor(), .events = POLLIN, .revents = 0}}};
  for (;;) {
    const Time until = turn();
    int timeout = -1;
    if (until != Time::max()) {
      const auto left = until - std::chrono::steady_clock::now();
      timeout = static_cast<int>(
          std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(left).count()));
    }
    poll(awaited.data(), awaited.size(), timeout);
    if ((awaited[1].revents & POLLIN) != 0) wake_.take();
  }
}

void Service::before_fork() {
  making.lock();
  if (Service* service = the_service.load()) service->mutex_.lock();
}

void Service::after_fork_in_parent() {
  if (Service* service = the_service.load()) service->mutex_.unlock();
  making.unlock();
}

void Service::after_fork_in_child() {
  if (Service* service = the_service.load()) {
    service->sockets_.abandon();
    service->mutex_.unlock();
    the_service = nullptr;
  }
  making.unlock();
}

}  // namespace railgauge::softroce::cm
