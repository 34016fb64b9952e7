#include "results/pairs.hpp"

#include <algorithm>

#include "finding/words.hpp"

namespace railgauge::results {
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

std::string path_text(const std::vector<PairPath>& paths) {
  std::vector<std::string> texts;
  for (const PairPath& path : paths) {
    std::vector<std::string> hops;
    for (const auto& hop : path.hops) hops.push_back(hop.value_or("?"));
    const std::string text = finding::joined(hops, " > ");
    if (!text.empty() && std::ranges::count(texts, text) == 0) texts.push_back(text);
  }
  return finding::joined(texts, "; ");
}

}  // namespace railgauge::results
