#include "softroce/cm/sockets.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "softroce/cm/socket_calls.hpp"
#include "softroce/cm/socket_connection.hpp"
#include "softroce/cm/socket_ports.hpp"

namespace railgauge::softroce::cm {
namespace {

constexpr int kEventsAtOnce = 64;
constexpr std::size_t kMostStrangers = 4096;

}  // namespace

Sockets::Watched::Watched(Sockets& sockets, int descriptor, unsigned events)
    : sockets_(sockets), descriptor_(descriptor), serial_(sockets.next_serial_++) {
  sockets_.watched_[serial_] = this;
  if (descriptor < 0) return;
  epoll_event event{.events = events, .data = {.u64 = serial_}};
  epoll_ctl(sockets_.descriptor_, EPOLL_CTL_ADD, descriptor_, &event);
}

Sockets::Watched::~Watched() {
  sockets_.watched_.erase(serial_);
  if (descriptor_ >= 0) close(descriptor_);
}

void Sockets::Watched::watch(unsigned events) const {
  epoll_event event{.events = events, .data = {.u64 = serial_}};
  epoll_ctl(sockets_.descriptor_, EPOLL_CTL_MOD, descriptor_, &event);
}

void Sockets::Watched::replace(int descriptor, unsigned events) {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = descriptor;
  if (descriptor < 0) return;
  epoll_event event{.events = events, .data = {.u64 = serial_}};
  epoll_ctl(sockets_.descriptor_, EPOLL_CTL_ADD, descriptor_, &event);
}

Sockets::Sockets() : descriptor_(epoll_create1(EPOLL_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
}

Sockets::~Sockets() {
  strangers_.clear();
  if (descriptor_ >= 0) close(descriptor_);
}

std::unique_ptr<Port> Sockets::take(const Wanted& wanted, int& error) {
  const int type = wanted.datagrams ? SOCK_STREAM : SOCK_DGRAM;
  const int descriptor = bound_socket(wanted, wanted.at.port, type, error);
  if (descriptor < 0) return nullptr;
  if (!wanted.datagrams) return std::make_unique<StreamPort>(*this, descriptor, wanted);
  if (::listen(descriptor, kWaiting) == 0) {
    return std::make_unique<DatagramPort>(*this, descriptor);
  }
  error = errno;
  close(descriptor);
  return nullptr;
}

int Sockets::listen(Port& port, Id listener) {
  return static_cast<Held&>(port).listen(listener);
}

std::unique_ptr<Link> Sockets::connect(Id id, Port& port, const Endpoint& to) {
  return static_cast<Held&>(port).connect(id, to);
}

Endpoint Sockets::source_for(const Endpoint& to) {
  constexpr std::uint16_t kAnyPort = 9;
  sockaddr_storage name{};
  const socklen_t length = to_sockaddr(to.address, kAnyPort, name);
  const int descriptor = socket(name.ss_family, SOCK_DGRAM | kSocketFlags, 0);
  if (descriptor < 0) return {};
  Endpoint found;
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  // Connecting a UDP socket sends nothing; it makes the kernel look for a route.
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&name), length) == 0 &&
      getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size) == 0) {
    found = {.family = to.family, .address = from_sockaddr(own)};
  }
  close(descriptor);
  return found;
}

void Sockets::welcome(int descriptor, Id listener) {
  if (listener == kNoId || strangers_.size() >= kMostStrangers) {
    close(descriptor);
    return;
  }
  auto stranger = std::make_unique<Connection>(*this, descriptor, listener);
  const std::uint64_t serial = stranger->serial();
  strangers_[serial] = std::move(stranger);
}

void Sockets::hand_over(std::uint64_t serial, const Message& message) {
  auto node = strangers_.extract(serial);
  Connection* const connection = node.mapped().get();
  std::unique_ptr<Link> link = std::move(node.mapped());
  if (manager->request(connection->listener(), link, message)) return;
  connection->keep(message);
  static_cast<void>(link.release());
  strangers_[serial] = std::unique_ptr<Connection>(connection);
}

void Sockets::resume(Id listener) {
  const auto first = std::ranges::find_if(strangers_, [listener](const auto& entry) {
    return entry.second->kept_for(listener).has_value();
  });
  if (first == strangers_.end()) return;
  const Message message = *first->second->kept_for(listener);
  hand_over(first->first, message);
}

void Sockets::handle() {
  std::array<epoll_event, kEventsAtOnce> events{};
  const int number = epoll_wait(descriptor_, events.data(), kEventsAtOnce, 0);
  for (int i = 0; i < number; ++i) {
    const epoll_event& event = events.at(static_cast<std::size_t>(i));
    const auto found = watched_.find(event.data.u64);  // one before may have ended it
    if (found != watched_.end()) found->second->on_ready(event.events);
  }
}

Time Sockets::next_deadline() const {
  Time first = Time::max();
  for (const auto& [serial, watched] : watched_) first = std::min(first, watched->deadline);
  return first;
}

void Sockets::on_time() {
  std::vector<std::uint64_t> due;
  for (const auto& [serial, watched] : watched_) {
    if (watched->deadline <= now) due.push_back(serial);
  }
  for (const std::uint64_t serial : due) {
    const auto found = watched_.find(serial);
    if (found != watched_.end()) found->second->on_time();
  }
}

void Sockets::abandon() {
  for (const auto& [serial, watched] : watched_) {
    if (watched->descriptor_ >= 0) close(watched->descriptor_);
    watched->descriptor_ = -1;
  }
  close(descriptor_);
  descriptor_ = -1;
}

}  // namespace railgauge::softroce::cm
