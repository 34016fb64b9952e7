#include "transport/local_socket.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

namespace railgauge::transport {
namespace {

// Nothing here waits: the callers' exchange guarantees that the other side has already acted.
constexpr int kKind = SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK;
constexpr socklen_t kNameBytes = offsetof(sockaddr_un, sun_path) + LocalAddress{}.size();

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

FileHandle make_socket() {
  FileHandle made(socket(AF_UNIX, kKind, 0));
  if (made.number() < 0) fail("making a Unix socket");
  return made;
}

/// Space for one file in a message.
struct Control {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> bytes{};
};

msghdr message(iovec& word, Control& control) {
  msghdr made{};
  made.msg_iov = &word;
  made.msg_iovlen = 1;
  made.msg_control = control.bytes.data();
  made.msg_controllen = control.bytes.size();
  return made;
}

int file_in(msghdr& message) {
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  int file = -1;
  std::memcpy(&file, CMSG_DATA(header), sizeof file);
  return file;
}

}  // namespace

LocalListener listen_locally() {
  FileHandle made = make_socket();
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const auto* ours = reinterpret_cast<const sockaddr*>(&name);
  if (bind(made.number(), ours, sizeof name.sun_family) != 0) fail("naming a Unix socket");
  if (listen(made.number(), SOMAXCONN) != 0) fail("listening on a Unix socket");
  socklen_t bytes = sizeof name;
  getsockname(made.number(), reinterpret_cast<sockaddr*>(&name), &bytes);
  if (bytes != kNameBytes) throw std::runtime_error("the kernel's name for a socket is no such");
  LocalAddress address{};
  std::memcpy(address.data(), name.sun_path, address.size());
  return {std::move(made), address};
}

FileHandle connect_locally(const LocalAddress& address, Rank peer) {
  FileHandle made = make_socket();
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, address.data(), address.size());
  if (connect(made.number(), reinterpret_cast<const sockaddr*>(&name), kNameBytes) == 0) {
    return made;
  }
  // Not a system_error: "connection refused" would be taken for the fabric's.
  throw std::runtime_error(
      "rank " + std::to_string(peer) +
      " is not found on this host by shared memory (is it in another container, with a network "
      "namespace of its own?): " +
      std::generic_category().message(errno));
}

LocalCaller accept_locally(const LocalListener& listener) {
  for (;;) {
    FileHandle caller(
        accept4(listener.socket.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (caller.number() < 0) fail("a rank of this host has not connected, or is another user's");
    ucred who{};
    socklen_t bytes = sizeof who;
    const int error = getsockopt(caller.number(), SOL_SOCKET, SO_PEERCRED, &who, &bytes);
    if (error == 0 && who.uid == geteuid()) return {std::move(caller), who.pid};
  }
}

void send_file(const FileHandle& socket, const FileHandle& file, std::uint32_t word) {
  Control control;
  iovec part{&word, sizeof word};
  msghdr sent = message(part, control);
  cmsghdr* header = CMSG_FIRSTHDR(&sent);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  const int number = file.number();
  std::memcpy(CMSG_DATA(header), &number, sizeof number);
  if (sendmsg(socket.number(), &sent, MSG_NOSIGNAL) < 0) {
    fail("handing shared memory to a rank of this host");
  }
}

ReceivedFile receive_file(const FileHandle& socket) {
  std::uint32_t word = 0;
  Control control;
  iovec part{&word, sizeof word};
  msghdr received = message(part, control);
  const ssize_t bytes = recvmsg(socket.number(), &received, MSG_CMSG_CLOEXEC);
  if (bytes < 0) fail("taking shared memory from a rank of this host");
  FileHandle file(bytes == 0 ? -1 : file_in(received));
  if (file.number() >= 0) return {std::move(file), word};
  throw std::runtime_error(bytes == 0 ? "a rank of this host has ended"
                                      : "a rank of this host hands over something else");
}

}  // namespace railgauge::transport
