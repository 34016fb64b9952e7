#include "results/pairs.hpp"

#include <algorithm>

#include "finding/words.hpp"

namespace railgauge::results {
std::string_view word(PairVerdict verdict) {
  return json::word_of(verdict, {"UNKNOWN", "PASS", "FAIL"});
}

std::string_view word(PathLabel label) {
  return json::word_of(label,
                       {"not-asked", "told", "no-switch", "no-answer", "by-queue-pair", "sprayed"});
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
