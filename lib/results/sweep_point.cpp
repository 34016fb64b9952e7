#include "results/sweep_point.hpp"

#include <algorithm>

#include "finding/words.hpp"
#include "measure/sizes.hpp"

namespace railgauge::results {
namespace {

/// A point's parts in words, all of them, in a fixed order.
std::vector<std::string> parts_of(const SweepPoint& point) {
  const std::string rails = (point.rails.size() == 1 ? "rail " : "rails ") + joined(point.rails);
  const std::string chunk =
      point.chunk_bytes == 0 ? "unknown size" : measure::format_size(point.chunk_bytes);
  return {point.own_rails ? "own rails" : rails,
          finding::counted(point.queue_pairs, "queue pair"),
          "chunks of " + chunk,
          "traffic class " + std::to_string(point.traffic_class),
          "root " + std::to_string(point.root),
          std::string(word(point.memory)) + " memory",
          point.split.empty() ? "one group" : "split " + point.split};
}

}  // namespace

std::string_view word(MemoryKind memory) {
  return json::word_of(memory, {"host", "gpu"});
}

std::string joined(const std::vector<unsigned>& rails) {
  std::string text;
  for (const unsigned rail : rails) text += (text.empty() ? "" : "+") + std::to_string(rail);
  return text;
}

std::string rails_of(const SweepPoint& point) {
  return point.own_rails ? "own" : joined(point.rails);
}

std::string in_words(const SweepPoint& point, const std::vector<SweepPoint>& all) {
  std::string words;
  const std::vector<std::string> parts = parts_of(point);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const bool varies = std::ranges::any_of(
        all, [&](const SweepPoint& other) { return parts_of(other)[part] != parts[part]; });
    if (varies) words += (words.empty() ? "" : ", ") + parts[part];
  }
  if (point.unreduced) words += (words.empty() ? "" : ", ") + std::string(kUnreduced);
  return words;
}

}  // namespace railgauge::results
