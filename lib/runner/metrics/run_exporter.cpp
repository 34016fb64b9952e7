#include "runner/metrics/run_exporter.hpp"

#include <iostream>

namespace railgauge::runner {

using Clock = std::chrono::steady_clock;

RunExporter::RunExporter(const metrics::Target& target, MetricsNames names) : exporter_(target) {
  if (names == MetricsNames::nccl_inspector) inspector_.emplace();
}

void RunExporter::begin(const results::Document& document) {
  metrics_.begin(document);
  if (inspector_) inspector_->begin(document);
  publish();
}

void RunExporter::row(const results::Document& document) {
  constexpr int kShare = 20;
  metrics_.row(document);
  if (inspector_) inspector_->row(document);
  if (Clock::now() - published_ >= kShare * publishing_took_) publish();
}

void RunExporter::rows(const results::Document& document) {
  const auto* const pairs = std::get_if<results::PairsBody>(&document.body);
  if (pairs == nullptr) return;
  results::Document one;
  for (const results::PairRow& row : pairs->rows) {
    one.body = results::PairsBody{.rows = {row}};
    metrics_.row(one);
  }
}

void RunExporter::end(const results::Document& document) {
  metrics_.end(document);
  publish();
}

void RunExporter::operation(const Operation& operation) {
  if (inspector_) inspector_->operation(operation);
}

void RunExporter::publish() {
  const auto begin = Clock::now();
  try {
    exporter_.publish(inspector_ ? inspector_->snapshot() : metrics_.snapshot());
  } catch (const std::exception& error) {
    if (!complained_) std::cerr << "--metrics: " << error.what() << std::endl;
    complained_ = true;
  }
  published_ = Clock::now();
  publishing_took_ = published_ - begin;
}

}  // namespace railgauge::runner
