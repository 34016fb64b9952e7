#pragma once

#include <poll.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::softfabric {

/// A listening Unix socket: a client sends one line, gets the answer, and the connection ends.
class ControlSocket {
 public:
  /// Takes the place of a socket that nobody listens on any more. Throws std::system_error.
  explicit ControlSocket(const std::string& path);
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  /// What to wait for, in addition to what is there.
  void add_to(std::vector<pollfd>& descriptors) const;
  /// Takes clients, reads lines, writes answers, as far as that is possible without waiting.
  void serve(const std::function<std::string(std::string_view line)>& answer);

 private:
  struct Client {
    int descriptor = -1;
    std::string line{};
    std::string answer{};
    bool answered = false;
  };
  void accept_clients();
  static bool read_line(Client& client);
  static bool write_answer(Client& client);

  std::string path_;
  int descriptor_ = -1;
  std::vector<Client> clients_;
};

/// What a softswitch answers that listens there. Throws std::system_error.
std::string ask(const std::string& path, std::string_view line);

}  // namespace railgauge::softfabric
