#pragma once

#include <string>
#include <string_view>

namespace railgauge::metrics {

/// A file of metrics for node_exporter's textfile collector, which reads all *.prom of a folder
/// whenever it is scraped: replaced as a whole, by rename, so that it never reads half of one.
class TextFile {
 public:
  /// Says whether it can be written, and leaves it as it is. A file that is there already is
  /// replaced only if it is one of these, or empty: this path is the same from run to run, but a
  /// slip must not cost anybody anything else. Throws std::system_error or std::runtime_error.
  explicit TextFile(std::string path);

  /// Throws std::system_error; what was there is kept then.
  void replace(std::string_view metrics) const;

 private:
  std::string path_;
  std::string temporary_;  // beside it, of this process
};

}  // namespace railgauge::metrics
