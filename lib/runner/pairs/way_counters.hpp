#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "results/port_events.hpp"
#include "runner/all_nics.hpp"
#include "runner/pairs/pair_tester.hpp"

namespace railgauge::runner {

/// What ports counted during a round, and which way it is about: a port sends and receives, and
/// what it counts of packets that it received tells nothing about those that it sent.
class WayCounters {
 public:
  /// `document` has the ports that count at all. Both have to outlive it.
  WayCounters(const results::Document& document, const AllNics& all,
              std::vector<results::PortEvents> events);

  void add_to(WayFigures& way) const;

 private:
  using Moved = std::map<std::string, std::int64_t>;

  [[nodiscard]] bool counts(std::size_t nic) const;
  [[nodiscard]] Moved moved(std::size_t nic) const;
  template <class Port>
  [[nodiscard]] bool is_of(const Port& port, std::size_t nic) const;

  const results::Document& document_;
  const AllNics& all_;
  std::vector<results::PortEvents> events_;
};

}  // namespace railgauge::runner
