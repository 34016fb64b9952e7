#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "metrics/registry.hpp"
#include "results/document.hpp"

namespace railgauge::runner {

/// A label of something that may not be known: "" then, which is no label to Prometheus.
[[nodiscard]] std::string number_or_nothing(const std::optional<int>& number);

/// Which port it is, of anything in the results that has those fields. Software devices of one host
/// that share a name are added up: there the address tells them apart, and every rank has one of
/// its own.
template <class Port>
[[nodiscard]] metrics::Labels labels_of_port(const Port& port, const std::string& host) {
  return {{"host", host},
          {"device", port.device},
          {"port", std::to_string(port.port)},
          {"rail", number_or_nothing(port.rail)},
          {"plane", number_or_nothing(port.plane)}};
}
template <class Port>
[[nodiscard]] metrics::Labels labels_of_port(const Port& port) {
  return labels_of_port(port, port.host);
}

/// What ports are, and what they counted: by classes (telemetry/meaning.hpp), because drivers name
/// the same thing differently, and every name would be a series of every port.
class PortMetrics {
 public:
  explicit PortMetrics(metrics::Registry& registry) : registry_(registry) {}

  /// Every rail of every rank: its link, which device it is.
  void add_ports(const std::vector<results::Rank>& ranks);
  /// Of a port by its labels: the classes that a port can count begin at 0. A class that it cannot
  /// count has no series: nothing is known of it, which is not "nothing happened".
  void add_classes(const metrics::Labels& port, const telemetry::Counters& counters);
  /// It counted so much more.
  void add(const metrics::Labels& port, const std::map<std::string, std::int64_t>& moved);
  /// From before the first row to after the last, which also has what was between rows.
  void settle(const std::vector<results::PortCounters>& counters);
  void set_link(const metrics::Labels& port, double gigabits_per_second);

 private:
  metrics::Registry& registry_;
};

}  // namespace railgauge::runner
