#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

struct MHD_Daemon;

namespace railgauge::metrics {

/// Answers GET /metrics, by libmicrohttpd, on one thread of its own that gives way to all others of
/// the processor it shares with them (nice 19), and takes no signals. It is not for the open
/// internet: there is no encryption and no password.
class HttpServer {
 public:
  using Text = std::shared_ptr<const std::string>;
  /// Called for each answer, on the server's thread.
  using Source = std::function<Text()>;

  /// Listens from here on. Throws std::system_error, which names address and port.
  HttpServer(const std::string& address, std::uint16_t port, Source source);
  /// Ends open connections.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// The one it listens on, also if it was asked for any.
  [[nodiscard]] std::uint16_t port() const { return port_; }

  [[nodiscard]] Text text() const { return source_(); }

 private:
  Source source_;
  std::uint16_t port_ = 0;
  MHD_Daemon* daemon_ = nullptr;
};

}  // namespace railgauge::metrics
