#pragma once

#include <vector>

#include "softroce/device/port.hpp"
#include "softroce/device/shortcut.hpp"
#include "softroce/shortcut/greeting.hpp"
#include "softroce/shortcut/table.hpp"

namespace railgauge::softroce {

/// The shortcut between processes of one host. When a queue pair becomes ready it greets its peer,
/// some times, until it is answered; whoever is not known by then is reached over the wire.
class ProcessShortcut final : public Shortcut {
 public:
  /// Lets every process of this user read and write this one's memory, as far as the kernel is
  /// asked for it (prctl(2), PR_SET_PTRACER). Throws std::system_error.
  explicit ProcessShortcut(Port& port);

  void region_changed(std::uint32_t place, const Region* region) override;
  void publish(const QueuePair& queue_pair) override;
  void introduce(QueuePair& queue_pair) override;
  void forget(const QueuePair& queue_pair) override;
  bool receive(std::span<const std::byte> datagram, const Address& source) override;
  void run_timers() override;

 private:
  struct Introduction {
    QueuePair* queue_pair = nullptr;
    Time again{};
    nanoseconds pause{};
    unsigned left = 0;
  };

  void greet(const QueuePair& queue_pair, bool asks);
  void meet(QueuePair& queue_pair, const Greeting& greeting);
  void cancel(const QueuePair& queue_pair);

  Port& port_;
  PublishedTable table_;
  std::vector<Introduction> introductions_;
};

}  // namespace railgauge::softroce
