#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "softroce/engine/udp_socket.hpp"
#include "softroce/wire/pause_frame.hpp"

namespace railgauge::softroce {

/// The pause frames that a netdev receives, which UDP sockets do not see. The kernel puts them into
/// memory, so that looking for one takes no system call.
class PauseListener {
 public:
  /// Null on loopback, and where this process may not look (CAP_NET_RAW): then nobody pauses.
  static std::unique_ptr<PauseListener> open(const Interface& interface);
  ~PauseListener();
  PauseListener(const PauseListener&) = delete;
  PauseListener& operator=(const PauseListener&) = delete;

  /// The next one that has come, if there is one.
  std::optional<PauseQuanta> take();
  int descriptor() const { return descriptor_; }

 private:
  explicit PauseListener(int descriptor) : descriptor_(descriptor) {}
  bool listen(unsigned interface_index);

  int descriptor_;
  std::byte* ring_ = nullptr;
  std::size_t next_ = 0;
};

}  // namespace railgauge::softroce
