#include "softroce/cm/sockets.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "softroce/cm/question.hpp"

namespace railgauge::softroce::cm {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kSocketFlags = SOCK_NONBLOCK | SOCK_CLOEXEC;
constexpr int kWaiting = 4096;  // connections that the kernel keeps until they are accepted
constexpr int kEventsAtOnce = 64;
constexpr std::size_t kMostStrangers = 4096;
constexpr seconds kPatience{10};  // with a stranger that says nothing
constexpr milliseconds kShortOfDescriptors{100};
constexpr milliseconds kFirstRepeat{100}, kLastRepeat{4000};  // of a question that is not answered

// A listener that is made anew, as perftest does between two connections, is found by a client on
// hardware, whose request takes its time; here it would come too early.
constexpr milliseconds kGrace{200}, kNextTry{10};

void set(int descriptor, int level, int option, int value) {
  setsockopt(descriptor, level, option, &value, sizeof value);
}

std::uint16_t port_of_socket(int descriptor) {
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &length) != 0) return 0;
  return port_of(name);
}

/// A socket bound to the address; -1 with `error`.
int bound_socket(const Network::Wanted& wanted, std::uint16_t port, int type, int& error) {
  sockaddr_storage name{};
  const socklen_t length = to_sockaddr(wanted.at.address, port, name);
  const int descriptor = socket(name.ss_family, type | kSocketFlags, 0);
  if (descriptor >= 0) {
    if (wanted.shared || type == SOCK_STREAM) set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1);
    if (name.ss_family == AF_INET6) {
      set(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, wanted.only_ipv6 ? 1 : 0);
    }
    if (bind(descriptor, reinterpret_cast<const sockaddr*>(&name), length) == 0) return descriptor;
  }
  error = errno;
  if (descriptor >= 0) close(descriptor);
  return -1;
}

}  // namespace

// ---- What is watched ----

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

// ---- Connections ----

/// One TCP connection and the messages on it. A client's begins without one, until it knows the
/// listener's TCP port.
class Sockets::Connection final : public Link, public Watched {
 public:
  /// A client's.
  Connection(Sockets& sockets, Id id, const Endpoint& to)
      : Watched(sockets, -1, 0), id_(id), to_(to) {}
  /// A stranger's.
  Connection(Sockets& sockets, int descriptor, Id listener)
      : Watched(sockets, descriptor, EPOLLIN), listener_(listener), open_(true) {
    deadline = sockets.now + kPatience;
    set(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
  }
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const Message& message) override;
  void belongs_to(Id id) override;
  void on_ready(unsigned events) override;
  void on_time() override;

  /// Asks the listener's UDP port where it is, and again if there is no answer.
  void ask_at(StreamPort& port);
  /// What came back. May destroy the object.
  void on_answer(const Answer& answer);
  /// Nobody listens there, or not yet, or no longer. May destroy the object.
  void on_refusal();
  /// The connection has ended. May destroy the object.
  void on_end(int error);
  /// Connects to this TCP port.
  void dial(std::uint16_t port);
  /// Tells the identifier, but not before the caller has returned.
  void fail_soon(int error);
  /// Tells the identifier that it is over; of a stranger, nobody. Destroys the object.
  void fail(int error);
  void forget_port() { asking_ = nullptr; }

  /// A stranger's request, while its listener has no room for it.
  void keep(const Message& message);
  std::optional<Message> kept_for(Id listener) const {
    return listener == listener_ ? kept_ : std::nullopt;
  }
  Id listener() const { return listener_; }

 private:
  bool stranger() const { return id_ == kNoId; }
  void ask();
  void connected();
  void push();
  void read();

  Id id_ = kNoId;
  Id listener_ = kNoId;
  Endpoint to_{};
  StreamPort* asking_ = nullptr;
  Question question_{};
  milliseconds repeat_ = kFirstRepeat;
  Time refused_for_good_{};
  MessageBytes request_{};  // what was sent first
  bool heard_ = false, refused_ = false;
  int failure_ = 0;
  bool open_ = false;
  MessageBytes arrived_{};
  std::size_t bytes_ = 0;
  std::vector<std::byte> unsent_;
  std::optional<Message> kept_;
};

// ---- Ports ----

/// A TCP socket that listens.
class Sockets::Acceptor final : public Watched {
 public:
  Acceptor(Sockets& sockets, int descriptor) : Watched(sockets, descriptor, EPOLLIN) {}

  Id listener = kNoId;  ///< whose connections they are; nobody's are closed

  void on_ready(unsigned) override {
    const int accepted = accept4(descriptor(), nullptr, nullptr, kSocketFlags);
    if (accepted >= 0) return sockets_.welcome(accepted, listener);
    if (errno == EAGAIN || errno == ECONNABORTED || errno == EINTR) return;
    // No descriptors or no memory: the connection would be reported again at once.
    watch(0);
    deadline = sockets_.now + kShortOfDescriptors;
  }
  void on_time() override {
    deadline = Time::max();
    watch(EPOLLIN);
  }
};

/// A port number that this process has.
class Sockets::Held : public Port {
 public:
  virtual int listen(Id listener) = 0;
  virtual std::unique_ptr<Connection> connect(Id id, const Endpoint& to) = 0;
};

/// Of RDMA_PS_TCP: a UDP socket.
class Sockets::StreamPort final : public Held, public Watched {
 public:
  StreamPort(Sockets& sockets, int descriptor, const Wanted& wanted)
      : Watched(sockets, descriptor, EPOLLIN), wanted_(wanted) {
    set(descriptor, IPPROTO_IP, IP_PKTINFO, 1);
    set(descriptor, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
    number_ = port_of_socket(descriptor);
  }
  ~StreamPort() override {
    if (caller_ != nullptr) caller_->forget_port();
  }
  StreamPort(const StreamPort&) = delete;
  StreamPort& operator=(const StreamPort&) = delete;

  std::uint16_t number() const override { return number_; }
  int listen(Id listener) override;
  std::unique_ptr<Connection> connect(Id id, const Endpoint& to) override;
  void on_ready(unsigned) override { caller_ != nullptr ? hear() : answer(); }
  void forget_caller() { caller_ = nullptr; }

 private:
  void answer() const;
  void hear();

  Wanted wanted_;
  std::uint16_t number_ = 0;
  std::unique_ptr<Acceptor> acceptor_;
  Connection* caller_ = nullptr;
};

/// Of RDMA_PS_UDP: a TCP socket, which listens from the beginning, so that nobody else can have it.
class Sockets::DatagramPort final : public Held {
 public:
  DatagramPort(Sockets& sockets, int descriptor)
      : sockets_(sockets), acceptor_(sockets, descriptor), number_(port_of_socket(descriptor)) {}

  std::uint16_t number() const override { return number_; }
  int listen(Id listener) override {
    acceptor_.listener = listener;
    return 0;
  }
  std::unique_ptr<Connection> connect(Id id, const Endpoint& to) override {
    auto connection = std::make_unique<Connection>(sockets_, id, to);
    connection->dial(to.port);
    return connection;
  }

 private:
  Sockets& sockets_;
  Acceptor acceptor_;
  std::uint16_t number_;
};

int Sockets::StreamPort::listen(Id listener) {
  int error = 0;
  const int descriptor = bound_socket(wanted_, 0, SOCK_STREAM, error);
  if (descriptor < 0) return error;
  if (::listen(descriptor, kWaiting) != 0) {
    error = errno;
    close(descriptor);
    return error;
  }
  // Nobody may share the number of a listener, and who asks this socket would not reach both.
  set(this->descriptor(), SOL_SOCKET, SO_REUSEADDR, 0);
  acceptor_ = std::make_unique<Acceptor>(sockets_, descriptor);
  acceptor_->listener = listener;
  return 0;
}

std::unique_ptr<Sockets::Connection> Sockets::StreamPort::connect(Id id, const Endpoint& to) {
  auto connection = std::make_unique<Connection>(sockets_, id, to);
  sockaddr_storage name{};
  const socklen_t length = to_sockaddr(to.address, to.port, name);
  if (::connect(descriptor(), reinterpret_cast<const sockaddr*>(&name), length) != 0) {
    connection->fail_soon(errno);
  } else {
    caller_ = connection.get();
    connection->ask_at(*this);
  }
  return connection;
}

void Sockets::StreamPort::hear() {
  Answer answer;
  const ssize_t bytes = recv(descriptor(), &answer, sizeof answer, 0);
  if (bytes == sizeof answer && answer.magic == Answer{}.magic) return caller_->on_answer(answer);
  if (bytes < 0 && errno == ECONNREFUSED) return caller_->on_refusal();
  if (bytes < 0 && errno != EAGAIN && errno != EINTR) caller_->fail(errno);
}

namespace {

/// The datagram's own destination as the source of the answer: who asked is connected to it.
void answer_from_there(msghdr& header) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != IPPROTO_IP || part->cmsg_type != IP_PKTINFO) continue;
    in_pktinfo info{};
    std::memcpy(&info, CMSG_DATA(part), sizeof info);
    info.ipi_spec_dst = info.ipi_addr;
    info.ipi_ifindex = 0;
    std::memcpy(CMSG_DATA(part), &info, sizeof info);
  }
}

}  // namespace

void Sockets::StreamPort::answer() const {
  Question question;
  sockaddr_storage from{};
  iovec piece{&question, sizeof question};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(in6_pktinfo)) * 2> control{};
  msghdr header{};
  header.msg_name = &from;
  header.msg_namelen = sizeof from;
  header.msg_iov = &piece;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  const ssize_t bytes = recvmsg(descriptor(), &header, 0);
  if (bytes != sizeof question || question.magic != Question{}.magic) return;
  answer_from_there(header);
  Answer answer{.nonce = question.nonce};
  if (acceptor_) answer.port = htons(port_of_socket(acceptor_->descriptor()));
  piece = {&answer, sizeof answer};
  sendmsg(descriptor(), &header, MSG_NOSIGNAL);  // lost: it is asked again
}

// ---- Connections ----

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
  set(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
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

// ---- All of them ----

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
