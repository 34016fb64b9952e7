#include "results/pairs.hpp"

#include <algorithm>

namespace railgauge::results {
namespace {

std::string text_of(const PairPath& path) {
  std::string text;
  for (const auto& hop : path.hops) text += (text.empty() ? "" : " > ") + hop.value_or("?");
  return text;
}

}  // namespace

std::string_view word(PairVerdict verdict) {
  switch (verdict) {
    case PairVerdict::unknown: return "UNKNOWN";
    case PairVerdict::pass: return "PASS";
    case PairVerdict::fail: return "FAIL";
  }
  return "";
}

std::string_view word(PathLabel label) {
  switch (label) {
    case PathLabel::not_asked: return "not-asked";
    case PathLabel::told: return "told";
    case PathLabel::no_switch: return "no-switch";
    case PathLabel::no_answer: return "no-answer";
    case PathLabel::by_queue_pair: return "by-queue-pair";
    case PathLabel::sprayed: return "sprayed";
  }
  return "";
}

std::string path_text(const PairRow& row) {
  std::vector<std::string> ways;
  for (const PairPath& path : row.paths) {
    std::string way = text_of(path);
    if (!way.empty() && std::ranges::find(ways, way) == ways.end()) ways.push_back(std::move(way));
  }
  std::string text;
  for (const std::string& way : ways) text += (text.empty() ? "" : "; ") + way;
  return text;
}

}  // namespace railgauge::results
