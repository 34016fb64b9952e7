#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "soak/packet_balance.hpp"
#include "soak/places.hpp"

namespace railgauge::soak {

/// Sees what ports tell by themselves: counters that moved, links that went down or run at another
/// speed. An event is of a rail, or plane of it, and a kind, and names the port that explains what
/// was counted: several ports count the same packet. What is the consequence of something worse on
/// its rail is no event of its own: packets that were sent again because some were lost, and lost
/// because they were falsified. Where every packet is counted, what was lost is what is missing,
/// and is told some windows later; else it is what ports that miss packets tell.
class CounterWatch {
 public:
  /// `places` has to live as long.
  explicit CounterWatch(const Places& places) : places_(&places) {}

  [[nodiscard]] std::vector<Event> take(const Window& window);

  /// Whether packets are missing at the end of the last window, though it is not told yet.
  [[nodiscard]] bool misses_packets() const { return balance_.is_undecided(); }

  /// What was counted between two runs. A run that is killed leaves time-outs and exhausted retries
  /// behind, so they tell nothing, nor do counters that were reset.
  [[nodiscard]] std::vector<Event> take(const Gap& gap);

 private:
  struct Link {
    std::string state{};
    std::optional<double> gigabits_per_second{};
  };

  [[nodiscard]] std::vector<Event> packets(const Window& window);
  [[nodiscard]] Event told(const Lost& lost) const;
  void remember(const Window& window);
  void look_at_link(const Window& window, const PortSample& port, std::vector<Event>& events);

  const Places* places_;
  std::map<PortKey, Link> links_;
  PacketBalance balance_;
  std::deque<Window> last_{};   // as many as packets may be missing for: their ports alone
  std::vector<Event> flaps_{};  // in them
};

}  // namespace railgauge::soak
