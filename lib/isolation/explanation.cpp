#include "isolation/explanation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

namespace railgauge::isolation {
namespace {

constexpr std::size_t kNobody = ~std::size_t{0};
constexpr double kRounding = 1e-6;
/// Where so many tests are bad by chance, none says much.
constexpr double kMostFalsePositives = 0.3;
constexpr int kMostEstimates = 4;
constexpr int kMostSwaps = 3;
constexpr std::size_t kMostComponents = 64;  // more is not a fault in a fabric: it is its state

/// What has to be exceeded out of so many.
double decisive(std::size_t components) {
  return kDecisiveLogOdds + std::log(static_cast<double>(std::max<std::size_t>(components, 1)));
}

constexpr std::size_t kKinds = 4;
/// By Badness.
using PerKind = std::array<double, kKinds>;

std::size_t kind(Badness bad) {
  return static_cast<std::size_t>(bad);
}

/// What a bad test adds to the odds of what it passes.
double weight_of_bad(double false_positive, double false_negative) {
  return std::log((1 - false_negative) / false_positive);
}

/// What a good one takes from them.
double weight_of_good(double false_positive, double false_negative) {
  return std::log((1 - false_positive) / false_negative);
}

class Search {
 public:
  Search(const Incidence& incidence, const std::vector<Badness>& bad,
         const std::vector<int>& rounds, const PerKind& weights)
      : incidence_(incidence),
        bad_(bad),
        rounds_(rounds),
        weights_(weights),
        cover_(incidence.tests(), 0),
        scores_(incidence.components(), 0) {
    for (std::size_t test = 0; test < incidence.tests(); ++test) count(test, 1);
  }

  void run() {
    while (chosen_.size() < kMostComponents) {
      const std::size_t found = best();
      if (found == kNobody || scores_[found] < decisive(incidence_.components())) break;
      chosen_.push_back(found);
      cover(found);
    }
    for (int pass = 0; pass < kMostSwaps && swap(); ++pass) {
    }
    for (const std::size_t one : std::vector<std::size_t>(chosen_)) split(one);
  }

  [[nodiscard]] std::vector<Explanation> explanations() {
    std::vector<Explanation> all;
    for (const std::size_t one : std::vector<std::size_t>(chosen_)) {
      uncover(one);
      if (scores_[one] < decisive(incidence_.components())) {
        std::erase(chosen_, one);  // others explain what it did
        continue;
      }
      all.push_back(describe(one));
      cover(one);
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &Explanation::log_odds);
    return all;
  }

  [[nodiscard]] bool covered(std::size_t test) const { return cover_[test] > 0; }

 private:
  void count(std::size_t test, int times) {
    const double weight = times * weights_[kind(bad_[test])];
    for (const std::uint32_t one : incidence_.passed_by(test)) scores_[one] += weight;
  }

  void cover(std::size_t component) {
    for (const std::uint32_t test : incidence_.through(component)) {
      if (cover_[test]++ == 0) count(test, -1);
    }
  }

  void uncover(std::size_t component) {
    for (const std::uint32_t test : incidence_.through(component)) {
      if (--cover_[test] == 0) count(test, 1);
    }
  }

  /// What disturbs a machine for a moment makes all tests of a round bad that pass it.
  [[nodiscard]] bool bad_in_two_rounds(std::size_t component) const {
    int first = -1;
    for (const std::uint32_t test : incidence_.through(component)) {
      if (bad_[test] == Badness::good || cover_[test] > 0) continue;
      if (first >= 0 && rounds_[test] != first) return true;
      first = rounds_[test];
    }
    return false;
  }

  [[nodiscard]] bool better(std::size_t one, std::size_t than) const {
    if (than == kNobody) return true;
    const double by = scores_[one] - scores_[than];
    return by > kRounding ||
           (by > -kRounding && incidence_.component(one).kind < incidence_.component(than).kind);
  }

  [[nodiscard]] bool has_parts(std::size_t component) const {
    return isolation::has_parts(incidence_.component(component));
  }

  /// Cables are parts of switches.
  [[nodiscard]] bool may_be_part(std::size_t one, Kind whole) const {
    return !has_parts(one) ||
           (incidence_.component(one).kind == Kind::cable && whole != Kind::cable);
  }

  [[nodiscard]] std::size_t best(std::optional<Kind> parts_of = {}) const {
    std::vector<bool> refused(scores_.size(), false);
    for (std::size_t one = 0; parts_of && one < scores_.size(); ++one)
      refused[one] = !may_be_part(one, *parts_of);
    for (;;) {
      std::size_t found = kNobody;
      for (std::size_t one = 0; one < scores_.size(); ++one) {
        if (scores_[one] > 0 && !refused[one] && better(one, found)) found = one;
      }
      if (found == kNobody || bad_in_two_rounds(found)) return found;
      refused[found] = true;
    }
  }

  /// Whether another took the place of one of those chosen.
  bool swap() {
    bool any = false;
    for (std::size_t& one : chosen_) {
      uncover(one);
      const std::size_t found = best();
      if (found != kNobody && scores_[found] > scores_[one] + kRounding) {
        one = found;
        any = true;
      }
      cover(one);
    }
    return any;
  }

  /// Two parts of a spine, as the two directions of a cable, make more of its tests bad than good,
  /// so that it is taken for bad itself: unless they explain more than it, by what makes each
  /// decisive.
  void split(std::size_t whole) {
    if (!has_parts(whole)) return;
    uncover(whole);
    const Parts parts = parts_instead_of(whole);
    if (parts.log_odds > scores_[whole] + kRounding) {
      std::erase(chosen_, whole);
      chosen_.insert(chosen_.end(), parts.components.begin(), parts.components.end());
      for (const std::size_t one : parts.components) cover(one);
      return;
    }
    cover(whole);
  }

  /// Several components, each decisive given those before it, and the odds of all: every further
  /// one has to be unlikely as well.
  struct Parts {
    std::vector<std::size_t> components{};
    double log_odds = 0;
  };

  /// Those that explain best what no other that is chosen does.
  [[nodiscard]] Parts parts_instead_of(std::size_t whole) {
    const double limit = decisive(incidence_.components());
    Parts parts;
    while (chosen_.size() + parts.components.size() < kMostComponents) {
      const std::size_t found = best(incidence_.component(whole).kind);
      if (found == kNobody || scores_[found] < limit) break;
      parts.log_odds += scores_[found] - (parts.components.empty() ? 0 : limit);
      parts.components.push_back(found);
      cover(found);
    }
    for (const std::size_t one : parts.components) uncover(one);
    return parts;
  }

  /// While it is uncovered.
  [[nodiscard]] Explanation describe(std::size_t chosen) {
    Explanation explanation;
    explanation.component = chosen;
    explanation.log_odds = scores_[chosen];
    std::size_t rival = kNobody;
    for (std::size_t one = 0; one < scores_.size(); ++one) {
      if (one == chosen) continue;
      if (std::abs(scores_[one] - scores_[chosen]) < kRounding && incidence_.alike(one, chosen)) {
        explanation.alike.push_back(one);
      } else if (better(one, rival)) {
        rival = one;
      }
    }
    if (rival != kNobody) explanation.rival = rival;
    // If no other is any good, that none is bad is what it is held against.
    const double next = rival == kNobody ? 0 : std::max(0.0, scores_[rival]);
    explanation.log_odds_to_rival = scores_[chosen] - next;
    if (has_parts(chosen)) hold_against_parts(explanation);
    return explanation;
  }

  /// Parts of it may be bad at once instead.
  void hold_against_parts(Explanation& explanation) {
    const Parts parts = parts_instead_of(explanation.component);
    const double odds = explanation.log_odds - parts.log_odds;
    if (parts.components.size() < 2 || odds >= explanation.log_odds_to_rival) return;
    explanation.rival = parts.components.front();
    explanation.rival_parts = parts.components.size();
    explanation.log_odds_to_rival = odds;
  }

  const Incidence& incidence_;
  const std::vector<Badness>& bad_;
  const std::vector<int>& rounds_;
  PerKind weights_;                   // what a test adds to the odds of what it passes
  std::vector<std::uint16_t> cover_;  // by test: how many of those chosen it passes
  std::vector<double> scores_;        // by component, of tests that are not covered
  std::vector<std::size_t> chosen_;
};

struct Share {
  std::size_t bad = 0;
  std::size_t tests = 0;

  [[nodiscard]] double value() const {
    return tests == 0 ? 0 : static_cast<double>(bad) / static_cast<double>(tests);
  }
};

Share uncovered(const Incidence& incidence, const std::vector<Badness>& bad,
                const std::vector<bool>& covered) {
  Share share;
  for (std::size_t test = 0; test < bad.size(); ++test) {
    if (covered[test] || incidence.is_silent(test)) continue;
    ++share.tests;
    share.bad += bad[test] != Badness::good ? 1 : 0;
  }
  return share;
}

/// Of tests that are not covered, by how bad they are.
PerKind shares(const Incidence& incidence, const std::vector<Badness>& bad,
               const std::vector<bool>& covered) {
  PerKind counts{};
  double all = 0;
  for (std::size_t test = 0; test < bad.size(); ++test) {
    if (covered[test] || incidence.is_silent(test)) continue;
    ++counts[kind(bad[test])];
    ++all;
  }
  for (double& count : counts) count /= std::max(all, 1.0);
  return counts;
}

/// Natural logarithm of how much likelier it is that these have a share of their own.
double own_share_odds(const Share& here, double elsewhere) {
  const double share = here.value();
  if (share <= elsewhere) return 0;
  const auto part = [](double count, double own, double other) {
    return count > 0 ? count * std::log(own / other) : 0;
  };
  return part(static_cast<double>(here.bad), share, elsewhere) +
         part(static_cast<double>(here.tests - here.bad), 1 - share, 1 - elsewhere);
}

class Rest {
 public:
  Rest(const Incidence& incidence, const std::vector<Badness>& bad, const std::vector<int>& rounds,
       const std::vector<bool>& covered, double least)
      : incidence_(incidence), bad_(bad), rounds_(rounds), covered_(covered), least_(least) {}

  /// What all tests pass has nothing to be compared with, and comes last.
  [[nodiscard]] std::optional<ElevatedFailureRate> found() const {
    const Share all = uncovered(incidence_, bad_, covered_);
    const auto with_others = [&](const Share& share) { return share.tests < all.tests; };
    const auto best = best_of(all, with_others);
    return best ? best : best_of(all, [](const Share&) { return true; });
  }

 private:
  template <class MayBe>
  [[nodiscard]] std::optional<ElevatedFailureRate> best_of(const Share& all, MayBe may_be) const {
    ElevatedFailureRate best;
    for (std::size_t one = 0; one < incidence_.components(); ++one) {
      const Share share = share_of(one);
      if (!may_be(share)) continue;
      const Share others{all.bad - share.bad, all.tests - share.tests};
      const double odds = own_share_odds(share, std::max(others.value(), least_));
      if (odds > best.log_odds) best = {one, share.bad, share.tests, odds};
    }
    std::optional<ElevatedFailureRate> result;
    if (best.log_odds > decisive(incidence_.components()) + kDecisiveLogOdds) result = best;
    return result;
  }

  /// Empty if it was bad in one round only.
  [[nodiscard]] Share share_of(std::size_t component) const {
    Share share;
    int first = -1;
    bool several = false;
    for (const std::uint32_t test : incidence_.through(component)) {
      if (covered_[test]) continue;
      ++share.tests;
      if (bad_[test] == Badness::good) continue;
      ++share.bad;
      several = several || (first >= 0 && rounds_[test] != first);
      first = rounds_[test];
    }
    return several ? share : Share{};
  }

  const Incidence& incidence_;
  const std::vector<Badness>& bad_;
  const std::vector<int>& rounds_;
  const std::vector<bool>& covered_;
  double least_;
};

double bounded(double share, const Noise& noise) {
  return std::clamp(share, noise.false_positive, kMostFalsePositives);
}

/// `seen`: how often each kind is where nothing is bad. A bad component gives tests one symptom:
/// which, is not known beforehand, so that what it does is spread over the kinds that are in
/// question; else odds that decide would come up by chance.
PerKind weights_of(const PerKind& seen, const Noise& noise) {
  PerKind weights{};
  const auto kinds = std::span(seen).subspan(kind(Badness::slow));
  const auto noisy =
      std::ranges::count_if(kinds, [&](double share) { return share > noise.false_positive; });
  const double spread = std::log(std::max<double>(1, static_cast<double>(noisy)));
  for (std::size_t one = kind(Badness::slow); one < kKinds; ++one)
    weights[one] = weight_of_bad(bounded(seen[one], noise), noise.false_negative) - spread;
  const double bad = bounded(std::reduce(kinds.begin(), kinds.end()), noise);
  weights[kind(Badness::good)] = -weight_of_good(bad, noise.false_negative);
  return weights;
}

Explained searched(const Incidence& incidence, const std::vector<Badness>& bad,
                   const std::vector<int>& rounds, const PerKind& weights) {
  Search search(incidence, bad, rounds, weights);
  search.run();
  Explained result;
  result.components = search.explanations();
  result.covered.resize(bad.size());
  for (std::size_t test = 0; test < bad.size(); ++test) result.covered[test] = search.covered(test);
  return result;
}

/// Whether less of any kind is seen than before, by a tenth or more.
bool less_of_any(const PerKind& now, const PerKind& before, const Noise& noise) {
  constexpr double kLess = 0.9;
  for (std::size_t one = kind(Badness::slow); one < kKinds; ++one) {
    if (bounded(now[one], noise) <= kLess * bounded(before[one], noise)) return true;
  }
  return false;
}

std::size_t tests_needed(std::size_t components, double of_bad, double of_good,
                         double false_negative) {
  constexpr double kFound = 0.99;
  constexpr std::size_t kMost = 1000;
  for (std::size_t tests = 2; tests < kMost; ++tests) {
    const double missing = decisive(components) + static_cast<double>(tests) * of_good;
    const double least = std::ceil(missing / (of_bad + of_good));
    if (least > static_cast<double>(tests)) continue;
    const auto too_few = static_cast<std::size_t>(std::max(1.0, least)) - 1;
    if (1 - at_most(too_few, tests, 1 - false_negative) >= kFound) return tests;
  }
  return kMost;
}

/// Of the kind that weighs least.
std::size_t tests_needed(std::size_t components, const PerKind& weights, const Noise& noise) {
  const double of_bad = *std::ranges::min_element(std::span(weights).subspan(kind(Badness::slow)));
  return tests_needed(components, of_bad, -weights[kind(Badness::good)], noise.false_negative);
}

}  // namespace

double at_most(std::size_t bad, std::size_t tests, double p) {
  const auto logarithm = [&](std::size_t count) {
    const auto n = static_cast<double>(tests);
    const auto k = static_cast<double>(count);
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
           (n - k) * std::log(1 - p);
  };
  double sum = 0;
  for (std::size_t count = 0; count <= bad; ++count) sum += std::exp(logarithm(count));
  return sum;
}

Explained explain(const Incidence& incidence, const std::vector<Badness>& bad,
                  const std::vector<int>& rounds, const Noise& noise) {
  // From the most noise that there can be downwards: what is found then is found without it.
  PerKind seen = shares(incidence, bad, std::vector<bool>(bad.size(), false));
  Explained result;
  for (int estimate = 0; estimate < kMostEstimates; ++estimate) {
    result = searched(incidence, bad, rounds, weights_of(seen, noise));
    const PerKind now = shares(incidence, bad, result.covered);
    if (!less_of_any(now, seen, noise)) break;
    seen = now;
  }
  result.false_positive = bounded(uncovered(incidence, bad, result.covered).value(), noise);
  result.tests_to_find = tests_needed(
      incidence.components(), weights_of(shares(incidence, bad, result.covered), noise), noise);
  result.rest = Rest(incidence, bad, rounds, result.covered, noise.false_positive).found();
  return result;
}

std::size_t tests_to_find(std::size_t components, const Noise& noise) {
  return tests_needed(components, weight_of_bad(noise.false_positive, noise.false_negative),
                      weight_of_good(noise.false_positive, noise.false_negative),
                      noise.false_negative);
}

}  // namespace railgauge::isolation
