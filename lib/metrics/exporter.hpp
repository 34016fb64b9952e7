#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "metrics/http_server.hpp"
#include "metrics/snapshot.hpp"
#include "metrics/target.hpp"
#include "metrics/text_file.hpp"

namespace railgauge::metrics {

/// Shows one snapshot after the other where a monitoring system looks: in a file, which stays when
/// the process ends, or by HTTP as long as this lives. Who publishes never waits for who reads, and
/// does all the work: a snapshot becomes text, a millisecond for 5,000 series, which takes the
/// place of the last; who asks by HTTP gets it as it is.
class Exporter {
 public:
  /// Throws std::system_error or std::runtime_error, which names file or port: it cannot be
  /// written, is somebody else's, or is taken.
  explicit Exporter(const Target& target);

  /// From here on this is seen. Throws std::system_error if the file cannot be written (a full
  /// disk); what was there is kept then, and the next snapshot may succeed. One thread at a time.
  void publish(const Snapshot& snapshot);

  /// The file, or "http://127.0.0.1:9400/metrics".
  [[nodiscard]] std::string place() const;

 private:
  [[nodiscard]] HttpServer::Text text() const;

  Target target_;
  mutable std::mutex mutex_;  // held while a pointer is copied
  HttpServer::Text text_;
  std::optional<TextFile> file_;
  std::unique_ptr<HttpServer> server_;  // ends before what it reads
};

}  // namespace railgauge::metrics
