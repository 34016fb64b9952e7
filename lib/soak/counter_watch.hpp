#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "soak/packet_balance.hpp"
#include "soak/places.hpp"

namespace railgauge::soak {

/// Finds what ports count: packets that were lost, corrupted or retransmitted, links that went down
/// or run at another speed, resets. A finding is of a rail, or plane of it, and a cause, at the
/// port that explains what was counted: several ports count the same packet. What a worse finding
/// on its rail explains is none of its own: packets that were retransmitted because some were lost,
/// and lost because they were corrupted. Where every packet is counted, what is missing is lost,
/// and is found some windows later; else it is what ports that miss packets count.
class CounterWatch {
 public:
  /// `places` has to live as long.
  explicit CounterWatch(const Places& places) : places_(&places) {}

  [[nodiscard]] std::vector<finding::Finding> take(const Window& window);

  /// Whether packets are missing at the end of the last window that may still arrive.
  [[nodiscard]] bool misses_packets() const { return balance_.is_undecided(); }

  /// What was counted between two runs. A run that is killed leaves time-outs and exhausted
  /// retries, so they are ignored, as are counters that were reset.
  [[nodiscard]] std::vector<finding::Finding> take(const Gap& gap);

 private:
  struct Link {
    std::string state{};
    std::optional<double> gigabits_per_second{};
  };

  [[nodiscard]] std::vector<finding::Finding> packets(const Window& window);
  [[nodiscard]] finding::Finding finding_of(const Lost& lost) const;
  void remember(const Window& window);
  void look_at_link(const Window& window, const PortSample& port,
                    std::vector<finding::Finding>& findings);
  void look_at_speed(const Window& window, const PortSample& port, Link& link,
                     std::vector<finding::Finding>& findings) const;

  const Places* places_;
  std::map<PortKey, Link> links_;
  PacketBalance balance_;
  std::deque<Window> last_{};  // as many as packets may be missing for: their ports alone
  std::vector<finding::Finding> flaps_{};  // in them
};

}  // namespace railgauge::soak
