#include "softfabric/softswitch/control_socket.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace railgauge::softfabric {
namespace {

constexpr int kWaiting = 16;  // clients that have not been taken yet
constexpr std::size_t kLongestLine = 4096;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) fail(ENAMETOOLONG, path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

int unix_socket(int flags) {
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (descriptor < 0) fail(errno, "socket(AF_UNIX)");
  return descriptor;
}

template <class Call>
int with_address(int descriptor, const std::string& path, const Call& call) {
  const sockaddr_un address = address_of(path);
  return call(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

bool somebody_listens(const std::string& path) {
  const int descriptor = unix_socket(0);
  const bool listens = with_address(descriptor, path, connect) == 0;
  close(descriptor);
  return listens;
}

bool would_block() {
  return errno == EAGAIN || errno == EINTR;
}

}  // namespace

ControlSocket::ControlSocket(const std::string& path) : path_(path) {
  address_of(path);
  if (somebody_listens(path)) fail(EADDRINUSE, "control socket " + path);
  unlink(path.c_str());
  descriptor_ = unix_socket(SOCK_NONBLOCK);
  if (with_address(descriptor_, path, bind) == 0 && listen(descriptor_, kWaiting) == 0) return;
  const int error = errno;
  close(descriptor_);
  fail(error, "control socket " + path);
}

ControlSocket::~ControlSocket() {
  for (const Client& client : clients_) close(client.descriptor);
  close(descriptor_);
  unlink(path_.c_str());
}

void ControlSocket::add_to(std::vector<pollfd>& descriptors) const {
  descriptors.push_back({.fd = descriptor_, .events = POLLIN, .revents = 0});
  for (const Client& client : clients_) {
    const short events = client.answered ? POLLOUT : POLLIN;
    descriptors.push_back({.fd = client.descriptor, .events = events, .revents = 0});
  }
}

void ControlSocket::accept_clients() {
  for (;;) {
    const int descriptor = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) return;
    clients_.push_back({.descriptor = descriptor});
  }
}

void ControlSocket::serve(const std::function<std::string(std::string_view line)>& answer) {
  accept_clients();
  std::erase_if(clients_, [&](Client& client) {
    bool ended = !client.answered && read_line(client);
    if (!ended && !client.answered && client.line.find('\n') != std::string::npos) {
      client.answer = answer(client.line.substr(0, client.line.find('\n')));
      client.answered = true;
    }
    ended = ended || (client.answered && write_answer(client));
    if (ended) close(client.descriptor);
    return ended;
  });
}

/// True if the client has gone, or says too much.
bool ControlSocket::read_line(Client& client) {
  std::array<char, kLongestLine> buffer{};
  const ssize_t bytes = read(client.descriptor, buffer.data(), buffer.size());
  if (bytes < 0) return !would_block();
  client.line.append(buffer.data(), static_cast<std::size_t>(bytes));
  if (client.line.find('\n') != std::string::npos) return false;
  if (bytes == 0 && !client.line.empty()) client.line += '\n';  // a line that ends with the stream
  return client.line.empty() || client.line.size() > kLongestLine;
}

/// True if that is all, or the client has gone.
bool ControlSocket::write_answer(Client& client) {
  const ssize_t bytes =
      send(client.descriptor, client.answer.data(), client.answer.size(), MSG_NOSIGNAL);
  if (bytes < 0) return !would_block();
  client.answer.erase(0, static_cast<std::size_t>(bytes));
  return client.answer.empty();
}

std::string ask(const std::string& path, std::string_view line) {
  const int descriptor = unix_socket(0);
  std::string text(line);
  text += '\n';
  std::string answer;
  int error = 0;
  if (with_address(descriptor, path, connect) != 0 ||
      send(descriptor, text.data(), text.size(), MSG_NOSIGNAL) < 0) {
    error = errno;
  }
  std::array<char, 65536> buffer{};
  for (ssize_t bytes = 1; error == 0 && bytes > 0;) {
    bytes = read(descriptor, buffer.data(), buffer.size());
    if (bytes < 0) error = errno;
    if (bytes > 0) answer.append(buffer.data(), static_cast<std::size_t>(bytes));
  }
  close(descriptor);
  if (error != 0) fail(error, "control socket " + path);
  return answer;
}

}  // namespace railgauge::softfabric
