#pragma once

#include <sys/types.h>

#include <array>
#include <optional>

#include "softroce/device/shortcut.hpp"
#include "softroce/shortcut/greeting.hpp"

namespace railgauge::softroce {

/// A peer that is a process of this host. Its table is asked before every copy, so that what it has
/// taken back is refused. Most of the time only the header has to be read: as long as its epoch
/// stays, so do the entries that were read before.
class ProcessPeer final : public ShortcutPeer {
 public:
  explicit ProcessPeer(const Greeting& greeting)
      : process_(static_cast<pid_t>(greeting.process)),
        table_(greeting.table),
        cookie_(greeting.cookie),
        number_(greeting.sender) {}

  /// Whether it is there and may be reached: 0, or the errno that says why not.
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
  std::uint64_t epoch_ = 1;  // odd: nothing was read yet
  QueuePairEntry queue_pair_{};
  std::array<RegionEntry, 16> regions_{};  // by the low bits of their places
};

}  // namespace railgauge::softroce
