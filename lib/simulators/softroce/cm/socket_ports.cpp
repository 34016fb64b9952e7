#include "softroce/cm/socket_ports.hpp"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "softroce/cm/socket_calls.hpp"

namespace railgauge::softroce::cm {
namespace {

constexpr std::chrono::milliseconds kShortOfDescriptors{100};

}  // namespace

Sockets::Acceptor::Acceptor(Sockets& sockets, int descriptor)
    : Watched(sockets, descriptor, EPOLLIN) {}

void Sockets::Acceptor::on_ready(unsigned) {
  const int accepted = accept4(descriptor(), nullptr, nullptr, kSocketFlags);
  if (accepted >= 0) return sockets_.welcome(accepted, listener);
  if (errno == EAGAIN || errno == ECONNABORTED || errno == EINTR) return;
  // No descriptors or no memory: the connection would be reported again at once.
  watch(0);
  deadline = sockets_.now + kShortOfDescriptors;
}

void Sockets::Acceptor::on_time() {
  deadline = Time::max();
  watch(EPOLLIN);
}

Sockets::DatagramPort::DatagramPort(Sockets& sockets, int descriptor)
    : sockets_(sockets), acceptor_(sockets, descriptor), number_(port_of_socket(descriptor)) {}

std::unique_ptr<Sockets::Connection> Sockets::DatagramPort::connect(Id id, const Endpoint& to) {
  auto connection = std::make_unique<Connection>(sockets_, id, to);
  connection->dial(to.port);
  return connection;
}

Sockets::StreamPort::StreamPort(Sockets& sockets, int descriptor, const Wanted& wanted)
    : Watched(sockets, descriptor, EPOLLIN), wanted_(wanted) {
  set_option(descriptor, IPPROTO_IP, IP_PKTINFO, 1);
  set_option(descriptor, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
  number_ = port_of_socket(descriptor);
}

Sockets::StreamPort::~StreamPort() {
  if (caller_ != nullptr) caller_->forget_port();
}

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
  set_option(this->descriptor(), SOL_SOCKET, SO_REUSEADDR, 0);
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

}  // namespace railgauge::softroce::cm
