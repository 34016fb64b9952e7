#include "soak/header.hpp"

#include "finding/words.hpp"
#include "results/same_run.hpp"
#include "soak/plan.hpp"

namespace railgauge::soak {
namespace {

std::string difference_of_plans(const std::vector<Phase>& recorded, const std::vector<Phase>& now) {
  std::string found = results::differs("the number of phases", std::to_string(recorded.size()),
                                       std::to_string(now.size()));
  for (std::size_t i = 0; i < now.size() && found.empty(); ++i) {
    found = results::differs("phase " + std::to_string(i + 1) + " of the plan",
                             in_words(recorded[i]), in_words(now[i]));
  }
  return found;
}

}  // namespace

std::string difference(const Header& recorded, const Header& now) {
  constexpr int kDigits = 6;
  std::string found =
      results::differs("--window", finding::number(recorded.window_s, kDigits) + " s",
                       finding::number(now.window_s, kDigits) + " s");
  if (found.empty()) {
    found = results::differs("--load", finding::number(recorded.load_percent, kDigits) + " %",
                             finding::number(now.load_percent, kDigits) + " %");
  }
  if (found.empty()) found = results::difference_of_fabrics(recorded.ranks, now.ranks);
  if (found.empty()) found = difference_of_plans(recorded.plan, now.plan);
  if (found.empty()) found = results::difference_of_options(recorded.options, now.options);
  return found;
}

}  // namespace railgauge::soak
