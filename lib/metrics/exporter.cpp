#include "metrics/exporter.hpp"

#include "metrics/exposition.hpp"

namespace railgauge::metrics {

Exporter::Exporter(const Target& target) : target_(target) {
  if (!target_.is_http()) {
    file_.emplace(target_.file);
    return;
  }
  publish({});
  server_ = std::make_unique<HttpServer>(target_.address, target_.port,
                                         [this](Format format) { return text(format); });
  target_.port = server_->port();
}

std::string Exporter::place() const {
  return target_.is_http() ? "http://" + word(target_) + "/metrics" : target_.file;
}

void Exporter::publish(const Snapshot& snapshot) {
  if (file_) return file_->replace(text_of(snapshot, Format::prometheus));
  for (const Format format : {Format::prometheus, Format::openmetrics}) {
    auto next = std::make_shared<const std::string>(text_of(snapshot, format));
    const std::lock_guard lock(mutex_);
    texts_[format].swap(next);
  }
}

HttpServer::Text Exporter::text(Format format) const {
  const std::lock_guard lock(mutex_);
  return texts_.at(format);
}

}  // namespace railgauge::metrics
