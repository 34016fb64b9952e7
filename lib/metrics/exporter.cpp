#include "metrics/exporter.hpp"

#include <filesystem>

#include "metrics/snapshot.hpp"

namespace railgauge::metrics {

namespace {

/// "nightly" of /metrics/nightly.prom: node_exporter refuses equal series of two files in a folder.
std::string name_of(const std::string& file) {
  return std::filesystem::path(file).stem();
}

}  // namespace

Exporter::Exporter(const Target& target) : target_(target) {
  if (!target_.is_http()) {
    file_.emplace(target_.file);
    return;
  }
  publish({});
  server_ = std::make_unique<HttpServer>(target_.address, target_.port, [this] { return text(); });
  target_.port = server_->port();
}

std::string Exporter::place() const {
  return target_.is_http() ? "http://" + word(target_) + "/metrics" : target_.file;
}

void Exporter::publish(const Snapshot& snapshot) {
  if (file_) return file_->replace(text_of(snapshot, {{"file", name_of(target_.file)}}));
  auto next = std::make_shared<const std::string>(text_of(snapshot));
  const std::lock_guard lock(mutex_);
  text_.swap(next);
}

HttpServer::Text Exporter::text() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

}  // namespace railgauge::metrics
