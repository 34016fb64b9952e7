#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "congestion/policy.hpp"
#include "congestion/scenario.hpp"
#include "draw/svg.hpp"
#include "finding/words.hpp"
#include "report/congestion_pictures.hpp"
#include "report/html.hpp"

namespace railgauge::report {
namespace {

using draw::Svg;
using results::CongestionBody;
using results::CongestionFlow;
using results::CongestionRow;
using results::Endpoint;

constexpr std::size_t kMostBars = 64;
constexpr std::size_t kMostSharePictures = 12;
constexpr std::size_t kOpenSharePictures = 2;

// Pixels.
constexpr int kShareWidth = 440;  // two are next to each other, one fits on a telephone
constexpr int kShareMargin = 8;
constexpr int kShareHead = 24;     // the fair share's label
constexpr int kShareFigure = 52;   // "31.8 %"
constexpr int kLongestName = 168;  // of a sender

struct SenderShare {
  std::string name{};
  double share = 0;  // of what the receiver got
};

/// What the senders to a receiver got during a step, the largest first.
struct SharesOfStep {
  const CongestionRow* row = nullptr;
  std::string receiver{};
  std::vector<SenderShare> senders{};
  std::size_t hidden = 0;  // senders that are neither among the largest nor among the smallest

  [[nodiscard]] std::size_t count() const { return senders.size() + hidden; }
  [[nodiscard]] double fair() const { return 1 / static_cast<double>(count()); }
  /// How many times the fair share the largest is.
  [[nodiscard]] double greed() const { return senders.front().share / fair(); }
};

bool overloads_receiver(const CongestionRow& row) {
  const auto all = congestion::scenarios();
  const auto known = std::ranges::find(all, row.scenario, &congestion::ScenarioFacts::word);
  return known != all.end() && row.load > 1 &&
         congestion::overloads(static_cast<congestion::Scenario>(known - all.begin()));
}

using Senders = std::map<Endpoint, double>;  // GB/s of each

/// The host, if no other sender is on it.
std::string sender_name(const Endpoint& sender, const Senders& all) {
  const auto on_host = std::ranges::count_if(
      all, [&](const auto& other) { return other.first.host == sender.host; });
  return on_host == 1 ? sender.host : end_in_words(sender);
}

std::vector<SenderShare> shares_of_senders(const Senders& senders) {
  double sum = 0;
  for (const auto& [sender, rate] : senders) sum += rate;
  std::vector<SenderShare> shares;
  if (senders.size() < 2 || sum <= 0) return shares;
  for (const auto& [sender, rate] : senders)
    shares.push_back({sender_name(sender, senders), rate / sum});
  std::ranges::stable_sort(shares, std::greater{}, &SenderShare::share);
  return shares;
}

/// Of more than there is room for, those in between; how many they are.
std::size_t drop_middle(std::vector<SenderShare>& shares) {
  if (shares.size() <= kMostBars) return 0;
  const std::size_t hidden = shares.size() - kMostBars;
  const auto first = shares.begin() + kMostBars / 2;
  shares.erase(first, first + static_cast<std::ptrdiff_t>(hidden));
  return hidden;
}

void add_shares(std::vector<SharesOfStep>& all, const CongestionRow& row) {
  std::map<Endpoint, Senders> receivers;
  for (const CongestionFlow& flow : row.flows) {
    if (!flow.victim) receivers[flow.to][flow.from] += flow.gigabytes_per_second;
  }
  for (const auto& [receiver, senders] : receivers) {
    std::vector<SenderShare> shares = shares_of_senders(senders);
    const std::size_t hidden = drop_middle(shares);
    if (!shares.empty()) all.push_back({&row, end_in_words(receiver), std::move(shares), hidden});
  }
}

/// The most unfair first, void ones last.
std::vector<SharesOfStep> shares_of_steps(const CongestionBody& body) {
  std::vector<SharesOfStep> all;
  for (const CongestionRow& row : body.rows) {
    if (overloads_receiver(row)) add_shares(all, row);
  }
  std::ranges::stable_sort(
      all, {}, [](const SharesOfStep& one) { return std::pair(is_void(*one.row), -one.greed()); });
  return all;
}

/// The picture of one step grows bar by bar.
class SharesPicture {
 public:
  explicit SharesPicture(const SharesOfStep& shares)
      : shares_(shares),
        step_(shares.senders.size() > kManyBars ? kThinBar : kThickBar),
        left_(names_width() + 2 * kShareMargin),
        full_(std::max(shares.senders.front().share, shares.fair())),
        svg_(title(), kShareWidth, bottom() + kShareMargin, words()) {}

  std::string text() {
    int y = kShareHead;
    for (const SenderShare& sender : shares_.senders) {
      bar(sender, y);
      y += step_;
    }
    fair_line();
    return svg_.text();
  }
  [[nodiscard]] std::string title() const {
    return step_in_words(*shares_.row) + ": shares of " + shares_.receiver;
  }

 private:
  static constexpr std::size_t kManyBars = 16;
  static constexpr int kThickBar = 20;
  static constexpr int kThinBar = 14;

  [[nodiscard]] int names_width() const {
    int width = 0;
    for (const SenderShare& sender : shares_.senders)
      width = std::max(width, draw::width_of(sender.name));
    return std::min(width, kLongestName);
  }
  [[nodiscard]] int bottom() const {
    return kShareHead + step_ * static_cast<int>(shares_.senders.size());
  }
  [[nodiscard]] int length_of(double share) const {
    return static_cast<int>(
        std::lround((kShareWidth - left_ - kShareFigure - kShareMargin) * share / full_));
  }
  [[nodiscard]] std::string words() const {
    const SenderShare& least = shares_.senders.back();
    return "Of " + finding::counted(shares_.count(), "sender") + " " +
           shares_.senders.front().name + " has most, " +
           finding::percent(shares_.senders.front().share) + ", and " + least.name + " least, " +
           finding::percent(least.share) + ". The fair share is " +
           finding::percent(shares_.fair()) + ".";
  }

  void bar(const SenderShare& sender, int y) {
    const bool greedy = sender.share > congestion::kMostShare * shares_.fair();
    const std::string figure = finding::percent(sender.share);
    const int base = y + step_ - 5;  // of letters
    svg_.label(kShareMargin, base, draw::fitting(sender.name, kLongestName));
    svg_.box(greedy ? "fill1" : "fill0", left_, y + 2, length_of(sender.share), step_ - 4,
             sender.name + ": " + figure);
    svg_.label(kShareWidth - kShareFigure, base, figure,
               greedy ? Svg::Text::strong : Svg::Text::plain);
  }

  void fair_line() {
    const std::string label = "fair share " + finding::percent(shares_.fair());
    const int x = left_ + length_of(shares_.fair());
    svg_.lines("gap",
               "M" + std::to_string(x) + " " + std::to_string(kShareHead - 4) + "V" +
                   std::to_string(bottom()),
               true);
    const int last = kShareWidth - kShareMargin - draw::width_of(label);
    svg_.label(std::clamp(x - draw::width_of(label) / 2, kShareMargin, last), kShareHead - 8,
               label);
  }

  const SharesOfStep& shares_;
  int step_;     // from a bar to the next
  int left_;     // where bars begin
  double full_;  // the longest bar's share
  Svg svg_;
};

std::string what_shares_are() {
  return "<p>What each sender had of all that a receiver got, in steps that offer it more than its "
         "link carries. The most unfair step comes first. A sender with more than " +
         number_text(congestion::kMostShare) +
         " fair shares is orange, and its figure is bold.</p>\n";
}

std::string captioned_shares(const SharesOfStep& shares) {
  SharesPicture picture(shares);
  return captioned(shares.row->scenario + ", " + picture.title(),
                   picture.text() + left_out(shares.hidden, "senders in between"));
}

}  // namespace

std::string congestion_shares(const CongestionBody& body) {
  const std::vector<SharesOfStep> all = shares_of_steps(body);
  if (all.empty()) return "";
  std::string shown;
  std::string others;
  const std::size_t count = std::min(all.size(), kMostSharePictures);
  for (std::size_t at = 0; at < count; ++at)
    (at < kOpenSharePictures ? shown : others) += captioned_shares(all[at]);
  std::string html = what_shares_are() + side_by_side(shown);
  if (!others.empty()) {
    html += folded(finding::counted(count - kOpenSharePictures, "more step", "more steps"),
                   side_by_side(others));
  }
  return section("Share of each sender", html + left_out(all.size() - count, "steps"));
}

}  // namespace railgauge::report
