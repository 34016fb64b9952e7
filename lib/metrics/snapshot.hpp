#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/time_histogram.hpp"

// lib/metrics holds figures for a monitoring system: families of series, their text as
// Prometheus reads it, and two ways to it, a file and HTTP. It must not know what the figures are
// of: no ranks, ports or results.

namespace railgauge::metrics {

enum class Kind : std::uint8_t {
  gauge,     ///< goes up and down
  counter,   ///< only grows while a process lives; its name ends in _total
  histogram  ///< of seconds: metrics/time_histogram.hpp
};

/// A family of series. Names are Prometheus' (prometheus.io/docs/practices/naming): a prefix, base
/// units (seconds, bytes) as the last word but _total, no abbreviations. A Metric is a constant:
/// its texts have to outlive everything that refers to it.
struct Metric {
  std::string_view name;
  Kind kind = Kind::gauge;
  std::string_view help;  ///< one line
  bool passing = false;   ///< older series may be forgotten for newer ones: see registry.hpp
};

/// Name and value of each label. Values may be any text, names are [a-z_]+.
using Labels = std::vector<std::pair<std::string, std::string>>;
/// With one more.
[[nodiscard]] Labels with(Labels labels, std::string name, std::string_view value);

struct Series {
  Labels labels{};
  double value = 0;       ///< of a gauge or a counter
  TimeHistogram times{};  ///< of a histogram
};

struct Family {
  Metric metric{};
  std::vector<Series> series{};
};

/// All that is known at one moment. No name, and no labels of a name, may be there twice.
using Snapshot = std::vector<Family>;

/// How many series Prometheus makes of it: of a histogram one for each bucket, the sum and the
/// count.
[[nodiscard]] std::size_t series_count(const Snapshot& snapshot);

/// Prometheus' own text, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats), which
/// node_exporter's textfile collector reads, too. Bytes of labels that are not printable ASCII
/// become "?"; nothing has a time stamp, which the textfile collector refuses. Each series has the
/// labels `of_all` first.
[[nodiscard]] std::string text_of(const Snapshot& snapshot, const Labels& of_all = {});

}  // namespace railgauge::metrics
