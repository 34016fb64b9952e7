#include "softroce/cm/socket_connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "softroce/cm/socket_calls.hpp"
#include "softroce/cm/socket_ports.hpp"

namespace railgauge::softroce::cm {
namespace {

constexpr std::chrono::seconds kPatience{10};           // with a stranger that says nothing
constexpr std::chrono::milliseconds kLastRepeat{4000};  // of a question that is not answered

// A listener that is made anew, as perftest does between two connections, is found by a client on
// hardware, whose request takes its time; here it would come too early.
constexpr std::chrono::milliseconds kGrace{200}, kNextTry{10};

}  // namespace

Sockets::Connection::Connection(Sockets& sockets, int descriptor, Id listener)
    : Watched(sockets, descriptor, EPOLLIN), listener_(listener), open_(true) {
  deadline = sockets.now + kPatience;
  set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
}

Sockets::Connection::~Connection() {
  if (asking_ != nullptr) asking_->forget_caller();
}

void Sockets::Connection::send(const Message& message) {
  const MessageBytes bytes = encode(message);
  if (message.kind == Kind::request) request_ = bytes;
  unsent_.insert(unsent_.end(), bytes.begin(), bytes.end());
  if (open_) push();
}

void Sockets::Connection::belongs_to(Id id) {
  id_ = id;
  kept_.reset();
  deadline = Time::max();
  watch(EPOLLIN);
}

void Sockets::Connection::keep(const Message& message) {
  kept_ = message;
  deadline = Time::max();
  watch(0);
}

void Sockets::Connection::ask_at(StreamPort& port) {
  asking_ = &port;
  refused_for_good_ = sockets_.now + kGrace;
  question_.nonce = serial() << 32 ^ static_cast<std::uint64_t>(getpid()) ^
                    static_cast<std::uint64_t>(sockets_.now.time_since_epoch().count());
  ask();
}

void Sockets::Connection::ask() {
  deadline = sockets_.now + repeat_;
  repeat_ = std::min(repeat_ * 2, kLastRepeat);
  if (refused_) deadline = std::min(deadline, refused_for_good_);
  // An error is what an earlier question brought back: the next one is sent.
  for (int tries = 0; tries < 2; ++tries) {
    if (::send(asking_->descriptor(), &question_, sizeof question_, MSG_NOSIGNAL) >= 0) return;
    if (errno == EAGAIN || errno == EINTR || errno == ENOBUFS) return;
  }
  fail_soon(errno);
}

void Sockets::Connection::on_refusal() {
  if (descriptor() >= 0) return;  // it was found in the meantime
  if (sockets_.now >= refused_for_good_) return fail(ECONNREFUSED);
  refused_ = true;
  deadline = sockets_.now + kNextTry;
}

void Sockets::Connection::on_end(int error) {
  const bool was_listeners = asking_ != nullptr && !heard_;
  if (!was_listeners || sockets_.now >= refused_for_good_) return fail(error);
  replace(-1, 0);
  open_ = false;
  unsent_.assign(request_.begin(), request_.end());
  on_refusal();
}

void Sockets::Connection::on_answer(const Answer& answer) {
  if (answer.nonce != question_.nonce || descriptor() >= 0) return;
  refused_ = false;
  if (answer.port == 0) return on_refusal();
  dial(ntohs(answer.port));
}

void Sockets::Connection::dial(std::uint16_t port) {
  deadline = Time::max();
  sockaddr_storage name{};
  const socklen_t length = to_sockaddr(to_.address, port, name);
  const int descriptor = socket(name.ss_family, SOCK_STREAM | kSocketFlags, 0);
  if (descriptor < 0) return fail_soon(errno);
  set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
  const int error =
      ::connect(descriptor, reinterpret_cast<const sockaddr*>(&name), length) == 0 ? 0 : errno;
  replace(descriptor, EPOLLOUT);
  if (error != 0 && error != EINPROGRESS) fail_soon(error);
}

void Sockets::Connection::fail_soon(int error) {
  failure_ = error;
  deadline = sockets_.now;
}

void Sockets::Connection::fail(int error) {
  if (stranger()) {
    sockets_.strangers_.erase(serial());
  } else {
    sockets_.manager->lost(id_, error);
  }
}

void Sockets::Connection::on_time() {
  if (failure_ != 0) return fail(failure_);
  if (stranger()) return fail(ETIMEDOUT);
  // Hosts say so only a few times a second.
  if (refused_ && sockets_.now >= refused_for_good_) return fail(ECONNREFUSED);
  deadline = Time::max();
  if (asking_ != nullptr && descriptor() < 0) ask();
}

void Sockets::Connection::on_ready(unsigned events) {
  if (!open_) return connected();
  if ((events & EPOLLOUT) != 0) push();
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) read();
}

void Sockets::Connection::connected() {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return on_end(error);
  open_ = true;
  push();
}

void Sockets::Connection::push() {
  while (!unsent_.empty()) {
    const ssize_t sent = ::send(descriptor(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (sent < 0) break;  // full; or over, which the next read() says
    unsent_.erase(unsent_.begin(), unsent_.begin() + sent);
  }
  watch(unsent_.empty() ? EPOLLIN : EPOLLIN | EPOLLOUT);
}

void Sockets::Connection::read() {
  if (kept_) return fail(ECONNRESET);  // nothing is read of it, so this is its end
  const ssize_t bytes = recv(descriptor(), &arrived_.at(bytes_), arrived_.size() - bytes_, 0);
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (bytes <= 0) return on_end(bytes == 0 ? ECONNRESET : errno);
  heard_ = true;
  bytes_ += static_cast<std::size_t>(bytes);
  if (bytes_ < arrived_.size()) return;
  bytes_ = 0;
  const auto message = decode(arrived_);
  if (!message) return fail(EPROTO);
  if (!stranger()) return sockets_.manager->received(id_, *message);
  sockets_.hand_over(serial(), *message);
}

}  // namespace railgauge::softroce::cm
