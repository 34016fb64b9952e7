#include "congestion/path_shares.hpp"

#include <algorithm>
#include <limits>

#include "predict/fair_rates.hpp"

namespace railgauge::congestion {
namespace {

/// What the slowest links of its queue pairs carry together.
double carried(const Step& step, const Flow& flow) {
  double sum = flow.paths.empty() ? 1 : 0;
  for (const Path& path : flow.paths) {
    double least = 1;
    for (const Link& link : links_of(path)) least = std::min(least, rate_of(step, link));
    sum += least;
  }
  return sum;
}

/// Numbers for links, in the order in which they are asked for.
class Numbers {
 public:
  std::uint32_t of(const Link& link) {
    return numbers_.emplace(link, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  /// In parts of the line rate.
  [[nodiscard]] std::vector<double> rates(const Step& step) const {
    std::vector<double> rates(numbers_.size());
    for (const auto& [link, number] : numbers_) rates[number] = rate_of(step, link);
    return rates;
  }

 private:
  std::map<Link, std::uint32_t> numbers_;
};

/// Of each flow, over these paths of its queue pairs.
std::vector<double> rates(const Step& step, bool over_paths) {
  Numbers numbers;
  predict::Flows flows;
  const std::vector<Path> none(1);
  for (const Flow& flow : step.flows) {
    for (const Path& path : over_paths ? flow.paths : none) {
      flows.links.push_back(numbers.of({in_words(flow.from), ""}));
      flows.links.push_back(numbers.of({"", in_words(flow.to)}));
      for (const Link& link : links_of(path)) flows.links.push_back(numbers.of(link));
      flows.end_flow();
    }
  }
  const auto each = predict::fair_rates(flows, numbers.rates(step));
  std::vector<double> sums;
  auto next = each.begin();
  for (const Flow& flow : step.flows) {
    double sum = 0;
    for (std::size_t pair = 0; pair < (over_paths ? flow.paths.size() : 1); ++pair) sum += *next++;
    sums.push_back(sum);
  }
  return sums;
}

using Loads = std::map<Link, double>;

void add(Loads& loads, const Path& path, double flows) {
  for (const Link& link : links_of(path)) loads[link] += flows;
}

/// By which one more grows the sum of the squares.
double cost(const Loads& loads, const Path& path) {
  if (!is_known(path)) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const Link& link : links_of(path)) {
    const auto found = loads.find(link);
    sum += 1 + 2 * (found == loads.end() ? 0 : found->second);
  }
  return sum;
}

std::size_t cheapest(const Loads& loads, const std::vector<Path>& candidates) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at < candidates.size(); ++at) {
    const double now = cost(loads, candidates[at]);
    if (now < least) best = at;
    least = std::min(least, now);
  }
  return best;
}

}  // namespace

bool is_known(const Path& path) {
  return !path.empty() && std::ranges::count(path, "") == 0;
}

std::vector<Link> links_of(const Path& path) {
  std::vector<Link> links;
  for (std::size_t at = 1; at < path.size(); ++at) links.emplace_back(path[at - 1], path[at]);
  return links;
}

double rate_of(const Step& step, const Link& link) {
  const auto found = step.link_rates.find(link);
  return found == step.link_rates.end() ? 1 : found->second;
}

std::vector<double> fair_shares(const Step& step) {
  std::vector<double> shares = rates(step, false);
  for (std::size_t at = 0; at < shares.size(); ++at)
    shares[at] = std::min(shares[at], carried(step, step.flows[at]));
  return shares;
}

std::string rates_from(const Step& step) {
  return step.link_rates.empty() ? "the NICs' line rate on each link"
                                 : "the rates of --topology on each link";
}

std::optional<std::vector<double>> path_shares(const Step& step) {
  for (const Flow& flow : step.flows) {
    if (flow.paths.empty() || !std::ranges::all_of(flow.paths, is_known)) return std::nullopt;
  }
  return rates(step, true);
}

std::map<Link, double> link_loads(const Step& step) {
  Loads loads;
  for (const Link& link : step.known_links) loads[link] = 0;
  for (const Flow& flow : step.flows) {
    for (const Path& path : flow.paths)
      add(loads, path, 1.0 / static_cast<double>(flow.paths.size()));
  }
  return loads;
}

std::vector<std::vector<std::size_t>> spread_over(std::span<const std::vector<Path>> candidates,
                                                  int queue_pairs) {
  constexpr int kMostRounds = 16;
  Loads loads;
  std::vector<std::vector<std::size_t>> chosen(candidates.size());
  bool better = true;
  for (int round = 0; better && round < kMostRounds; ++round) {
    better = false;
    for (std::size_t flow = 0; flow < candidates.size(); ++flow) {
      const auto& paths = candidates[flow];
      for (std::size_t pair = 0; !paths.empty() && pair < static_cast<std::size_t>(queue_pairs);
           ++pair) {
        const bool is_new = pair == chosen[flow].size();
        if (is_new) chosen[flow].push_back(0);
        std::size_t& own = chosen[flow][pair];
        if (!is_new) add(loads, paths[own], -1);
        const std::size_t best = cheapest(loads, paths);
        if (is_new || cost(loads, paths[best]) < cost(loads, paths[own])) {
          own = best;
          better = true;
        }
        add(loads, paths[own], 1);
      }
    }
  }
  return chosen;
}

}  // namespace railgauge::congestion
