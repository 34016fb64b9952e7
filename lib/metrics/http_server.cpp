#include "metrics/http_server.hpp"

#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace railgauge::metrics {
namespace {

constexpr unsigned kMostConnections = 16;
constexpr unsigned kIdleSeconds = 10;  // of a connection that asks nothing
constexpr const char* kPath = "/metrics";

[[noreturn]] void fail(int error, const std::string& address, std::uint16_t port) {
  throw std::system_error(error, std::generic_category(),
                          "cannot serve metrics on " + address + " port " + std::to_string(port));
}

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses look_up(const std::string& address, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string service = std::to_string(port);
  if (getaddrinfo(address.c_str(), service.c_str(), &hints, &found) != 0) {
    fail(EADDRNOTAVAIL, address, port);
  }
  return {found, &freeaddrinfo};
}

/// A socket that listens.
int listen_on(const std::string& address, std::uint16_t port) {
  const Addresses found = look_up(address, port);
  const int number = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (number < 0) fail(errno, address, port);
  const int yes = 1;  // else the port of a run that has just ended is taken for a minute
  ::setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(number, found->ai_addr, found->ai_addrlen) == 0 &&
      ::listen(number, static_cast<int>(kMostConnections)) == 0) {
    return number;
  }
  const int reason = errno;
  ::close(number);
  fail(reason, address, port);
}

std::uint16_t port_of(int socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
  in_port_t port = 0;  // at the same place in IPv4 and IPv6
  std::memcpy(&port, reinterpret_cast<const char*>(&bound) + sizeof(sa_family_t), sizeof port);
  return ntohs(port);
}

/// Signals are for the thread that runs the benchmark, which they have to wake. Threads that are
/// started while this is there take none.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_{};
};

/// The calling thread, once.
void give_way_to_others() {
  constexpr int kLast = 19;
  thread_local const int lowered =
      ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kLast);
  (void)lowered;  // else the answer takes its turn with the others
}

MHD_Result send(MHD_Connection* connection, unsigned status, const char* type,
                std::string_view text) {
  MHD_Response* response = MHD_create_response_from_buffer(
      text.size(), const_cast<char*>(text.data()), MHD_RESPMEM_MUST_COPY);
  if (response == nullptr) return MHD_NO;
  MHD_add_response_header(response, "Content-Type", type);
  const MHD_Result queued = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return queued;
}

MHD_Result answer_to(const HttpServer& server, MHD_Connection* connection, std::string_view path,
                     std::string_view method) {
  constexpr const char* kPlain = "text/plain; charset=utf-8";
  if (method != "GET" && method != "HEAD") {
    return send(connection, MHD_HTTP_METHOD_NOT_ALLOWED, kPlain, "GET /metrics\n");
  }
  if (path != kPath) return send(connection, MHD_HTTP_NOT_FOUND, kPlain, "GET /metrics\n");
  return send(connection, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", *server.text());
}

/// libmicrohttpd is C: no exception may pass.
MHD_Result answer(void* server, MHD_Connection* connection, const char* path, const char* method,
                  const char*, const char*, std::size_t*, void**) noexcept {
  give_way_to_others();
  try {
    return answer_to(*static_cast<const HttpServer*>(server), connection, path, method);
  } catch (const std::exception&) {  // no memory: the scrape fails, the run does not
    return MHD_NO;
  }
}

}  // namespace

HttpServer::HttpServer(const std::string& address, std::uint16_t port, Source source)
    : source_(std::move(source)) {
  const int socket = listen_on(address, port);
  port_ = port_of(socket);
  const WithoutSignals none;
  errno = 0;
  daemon_ = MHD_start_daemon(MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ITC, 0, nullptr, nullptr,
                             &answer, this, MHD_OPTION_LISTEN_SOCKET, socket,
                             MHD_OPTION_CONNECTION_LIMIT, kMostConnections,
                             MHD_OPTION_CONNECTION_TIMEOUT, kIdleSeconds, MHD_OPTION_END);
  if (daemon_ != nullptr) return;
  const int reason = errno == 0 ? EAGAIN : errno;
  ::close(socket);
  fail(reason, address, port);
}

HttpServer::~HttpServer() {
  MHD_stop_daemon(daemon_);
}

}  // namespace railgauge::metrics
