#include "verdict/reading.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "verdict/size_ranges.hpp"

namespace railgauge::verdict {
namespace {

constexpr std::size_t kMostReasons = 4;  // of one kind; the details have all

std::string slow_by(double ratio) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "slow by %.0f %%", 100 * (1 - ratio));
  return text.data();
}

bool same_curve(const Finding& one, const Finding& other) {
  return one.setting == other.setting && one.collective == other.collective &&
         one.type == other.type && one.op == other.op && one.algorithm == other.algorithm &&
         one.buffers == other.buffers;
}

/// Findings of a criterion, as a list of sayings without repetitions.
class Reading {
 public:
  Reading(const Findings& findings, const std::string& criterion) {
    for (const Finding& finding : findings) {
      if (finding.criterion == criterion) findings_.push_back(finding);
    }
  }

  std::vector<std::string> sayings() {
    of_subject(Subject::plateau, "bandwidth");
    of_subject(Subject::latency, "latency");
    sizes();
    others(Verdict::fail);
    others(Verdict::inconclusive);
    others(Verdict::no_reference);
    return std::move(sayings_);
  }

 private:
  void say(const std::string& text) {
    const bool said = std::ranges::find(sayings_, text) != sayings_.end();
    if (!text.empty() && !said) sayings_.push_back(text);
  }

  /// The worst of all curves.
  void of_subject(Subject subject, const std::string& name) {
    const Finding* worst = nullptr;
    for (const Finding& finding : findings_) {
      const bool judged = finding.verdict == Verdict::pass || finding.verdict == Verdict::fail;
      if (finding.subject != subject || !judged) continue;
      const double ratio = finding.ratio.value_or(1);
      if (worst == nullptr || ratio < worst->ratio.value_or(1)) worst = &finding;
    }
    if (worst == nullptr) return;
    const bool fails = worst->verdict == Verdict::fail;
    say(name + " " + (fails ? slow_by(worst->ratio.value_or(1)) : "fine"));
  }

  /// Sizes that failed, curve by curve.
  void sizes() {
    for (std::size_t begin = 0; begin < findings_.size();) {
      std::size_t end = begin + 1;
      while (end < findings_.size() && same_curve(findings_[begin], findings_[end])) ++end;
      sizes_of_curve(begin, end);
      begin = end;
    }
  }

  void sizes_of_curve(std::size_t begin, std::size_t end) {
    std::vector<std::uint64_t> all;
    std::set<std::uint64_t> failed;
    double worst = 1;
    for (std::size_t at = begin; at < end; ++at) {
      const Finding& finding = findings_[at];
      if (finding.subject != Subject::size || !finding.size_bytes) continue;
      all.push_back(*finding.size_bytes);
      if (finding.verdict != Verdict::fail) continue;
      failed.insert(*finding.size_bytes);
      worst = std::min(worst, finding.ratio.value_or(1));
    }
    if (!failed.empty()) say(folded_sizes(failed, all) + " " + slow_by(worst));
  }

  /// What has no figures to be summed up: its remark.
  void others(Verdict verdict) {
    std::size_t count = 0;
    std::set<std::string> said;
    for (const Finding& finding : findings_) {
      if (finding.verdict != verdict || finding.remark.empty()) continue;
      const bool summed = finding.ratio &&
                          (finding.subject == Subject::plateau ||
                           finding.subject == Subject::latency || finding.subject == Subject::size);
      if (verdict == Verdict::fail && summed) continue;
      if (verdict == Verdict::no_reference && is_answered()) continue;
      if (!said.insert(finding.remark).second) continue;
      if (++count <= kMostReasons) say(finding.remark);
    }
    if (count > kMostReasons) say("and " + std::to_string(count - kMostReasons) + " more");
  }

  /// Single sizes without an answer are a detail then.
  [[nodiscard]] bool is_answered() const {
    return std::ranges::any_of(findings_,
                               [](const Finding& finding) {
                                 return finding.verdict == Verdict::pass ||
                                        finding.verdict == Verdict::fail;
                               }) &&
           verdict_of(findings_, findings_[0].criterion) != Verdict::no_reference;
  }

  Findings findings_;
  std::vector<std::string> sayings_;
};

}  // namespace

std::vector<std::string> reading_of(const Findings& findings, const std::string& criterion) {
  return Reading(findings, criterion).sayings();
}

std::string reading_in_words(const Findings& findings, const std::string& criterion) {
  std::string text;
  for (const std::string& one : reading_of(findings, criterion)) {
    text += (text.empty() ? "" : "; ") + one;
  }
  return text;
}

std::string reading_in_words(const Judgement& judgement) {
  const Verdict verdict = verdict_of(judgement.findings);
  std::string text;
  for (const std::string& criterion : criteria_of(judgement.findings)) {
    if (verdict_of(judgement.findings, criterion) != verdict) continue;
    const std::string words = reading_in_words(judgement.findings, criterion);
    if (words.empty() || text.find(words) != std::string::npos) continue;
    text += (text.empty() ? "" : "; ") + words;
  }
  return text;
}

}  // namespace railgauge::verdict
