#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "metrics/registry.hpp"
#include "results/document.hpp"

namespace railgauge::runner {

/// Which port it is. Software devices of one host that share a name are added up: there the address
/// tells them apart, and every rank has one of its own.
struct PortName {
  std::string host;
  std::string device;
  int port = 1;
  std::optional<int> rail;
  std::optional<int> plane;
};
[[nodiscard]] metrics::Labels labels_of(const PortName& port);
/// A label of something that may not be known: "" then, which is no label to Prometheus.
[[nodiscard]] std::string number_or_nothing(const std::optional<int>& number);
/// Of anything in the results that has those fields.
template <class Port>
[[nodiscard]] PortName name_of(const Port& port) {
  return {port.host, port.device, port.port, port.rail, port.plane};
}

/// What ports are, and what they counted: by classes (telemetry/meaning.hpp), because drivers name
/// the same thing differently, and every name would be a series of every port.
class PortMetrics {
 public:
  explicit PortMetrics(metrics::Registry& registry) : registry_(registry) {}

  /// Every rail of every rank: its link, which device it is.
  void add_ports(const std::vector<results::Rank>& ranks);
  /// The classes that a port can count begin at 0. A class that it cannot count has no series:
  /// nothing is known of it, which is not "nothing happened".
  void add_classes(const PortName& port, const telemetry::Counters& counters);
  /// It counted so much more.
  void add(const PortName& port, const std::map<std::string, std::int64_t>& moved);
  /// From before the first row to after the last, which also has what was between rows.
  void settle(const std::vector<results::PortCounters>& counters);
  void set_link(const PortName& port, double gigabits_per_second);

 private:
  metrics::Registry& registry_;
};

}  // namespace railgauge::runner
