#pragma once

#include <cstdint>
#include <string>

#include "metrics/snapshot.hpp"

namespace railgauge::metrics {

/// How series are written.
enum class Format : std::uint8_t {
  /// Prometheus' own text, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats):
  /// what node_exporter's textfile collector reads.
  prometheus,
  /// OpenMetrics 1.0.0: a counter's family has no _total, and the text ends with "# EOF".
  openmetrics,
};

/// All of it. Bytes of labels that are not printable ASCII become "?", for either format has to be
/// UTF-8; nothing has a time stamp, which the textfile collector refuses.
[[nodiscard]] std::string text_of(const Snapshot& snapshot, Format format);

/// The header field Content-Type.
[[nodiscard]] const char* content_type(Format format);

}  // namespace railgauge::metrics
