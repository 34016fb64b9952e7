#pragma once

#include <sys/types.h>

#include <array>
#include <optional>
#include <vector>

#include "softroce/device/port.hpp"
#include "softroce/device/shortcut.hpp"
#include "softroce/shortcut/table.hpp"

namespace railgauge::softroce {

/// A peer that is a process of this host. Its table is checked before every copy, so that revoked
/// access is refused. Usually only the header must be read: while its epoch is unchanged, so are
/// the entries read before.
class ProcessPeer final : public ShortcutPeer {
 public:
  explicit ProcessPeer(const Greeting& greeting)
      : process_(static_cast<pid_t>(greeting.process)),
        table_(greeting.table),
        cookie_(greeting.cookie),
        number_(greeting.sender) {}

  /// Whether it exists and may be accessed: 0, or the errno that says why not.
  int probe();

  bool carry_out(const SendRequest& request, std::span<const ibv_sge> elements,
                 std::uint64_t offset, std::size_t bytes) override;
  bool lost() const override { return lost_; }

 private:
  bool read(std::span<const iovec> local, std::span<const iovec> remote) const;
  bool read_header(TableHeader& out);
  bool refresh(std::uint32_t key);
  RegionEntry& slot(std::uint32_t key);
  std::optional<std::uint64_t> resolve(const SendRequest& request);

  pid_t process_;
  std::uint64_t table_;
  Cookie cookie_;
  std::uint32_t number_;
  bool lost_ = false;
  std::uint64_t epoch_ = 1;  // odd: nothing read yet
  QueuePairEntry queue_pair_{};
  std::array<RegionEntry, 16> regions_{};  // by the low bits of their places
};

/// The shortcut between processes of one host. When a queue pair becomes ready it greets its peer a
/// few times until it is answered; a peer that does not answer is reached over the wire.
class ProcessShortcut final : public Shortcut {
 public:
  /// Lets every process of this user read and write this one's memory, as far as PR_SET_PTRACER
  /// (prctl(2)) decides it. Throws std::system_error.
  explicit ProcessShortcut(Port& port);

  void region_changed(std::uint32_t place, const Region* region) override;
  void publish(const QueuePair& queue_pair) override;
  void introduce(QueuePair& queue_pair) override;
  void forget(const QueuePair& queue_pair) override;
  bool receive(std::span<const std::byte> datagram, const Arrival& arrival) override;
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
