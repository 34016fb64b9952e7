#include "verdict/judgement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "measure/sizes.hpp"
#include "results/json_fields.hpp"
#include "verdict/reading.hpp"

namespace railgauge::verdict {
namespace {

using results::Json;
using results::or_null;

constexpr std::size_t kWidth = 100;  // of a line, unless a word is longer

constexpr const char* kHead =
    "    verdict       about      size        ours      theirs  unit        ratio   our %  their "
    "%\n";

std::string fixed(const std::optional<double>& value, const char* format) {
  if (!value) return "-";
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, *value);
  return text.data();
}

/// Two digits behind the point; of slow fabrics three that tell something.
std::string figure(const std::optional<double>& value) {
  constexpr double kSmall = 0.1;
  const bool small = value && *value != 0 && std::abs(*value) < kSmall;
  return fixed(value, small ? "%.3g" : "%.2f");
}

std::string percent(const std::optional<double>& fraction) {
  return fraction ? fixed(100 * *fraction, "%.1f") : "-";
}

std::string size_of(const Finding& finding) {
  return finding.size_bytes ? measure::format_size(*finding.size_bytes) : "-";
}

/// Words in lines of at most kWidth, the first one behind `begin`, the others indented like it.
std::string wrapped(const std::string& begin, const std::string& words) {
  std::string text = begin;
  std::size_t width = begin.size();
  std::istringstream stream(words);
  bool fresh = true;
  for (std::string word; stream >> word; fresh = false) {
    if (!fresh && width + 1 + word.size() > kWidth) {
      text += "\n" + std::string(begin.size(), ' ');
      width = begin.size();
      fresh = true;
    }
    text += (fresh ? "" : " ") + word;
    width += (fresh ? 0 : 1) + word.size();
  }
  return text + "\n";
}

/// What a curve's findings have in common.
std::string curve_of(const Finding& finding) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : " ") + part;
  };
  for (const std::string& part :
       {finding.collective, finding.type, finding.op, finding.algorithm}) {
    add(part);
  }
  if (finding.buffers != BufferMode::unstated) add(std::string(word(finding.buffers)));
  if (finding.ranks) add(std::to_string(*finding.ranks) + " ranks");
  if (finding.nics_per_node) add(std::to_string(*finding.nics_per_node) + " NICs a host");
  add(finding.setting);
  return text;
}

std::string line(const Finding& finding) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), "    %-12s  %-7s  %6s  %10s  %10s  %-9s  %6s  %6s  %7s",
                std::string(word(finding.verdict)).c_str(),
                std::string(word(finding.subject)).c_str(), size_of(finding).c_str(),
                figure(finding.ours).c_str(), figure(finding.theirs).c_str(),
                std::string(finding.unit).c_str(), fixed(finding.ratio, "%.3f").c_str(),
                percent(finding.ours_line_rate_fraction).c_str(),
                percent(finding.theirs_line_rate_fraction).c_str());
  std::string line = text.data();
  line += "\n";
  if (!finding.remark.empty()) line += wrapped(std::string(18, ' '), finding.remark);
  return line;
}

Findings of_criterion(const Judgement& judgement, const std::string& criterion) {
  Findings findings;
  std::ranges::copy_if(judgement.findings, std::back_inserter(findings),
                       [&](const Finding& finding) { return finding.criterion == criterion; });
  return findings;
}

bool says_more(const Findings& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) {
    return finding.ours || finding.theirs || !finding.remark.empty();
  });
}

/// "PASS  line rate: bandwidth fine", and why not, a line for each reason.
void write_reasons(std::ostream& out, const Judgement& judgement, const std::string& criterion) {
  const Verdict verdict = verdict_of(judgement.findings, criterion);
  if (verdict == Verdict::note) return;
  const std::string head = "  " + in_words(verdict, judgement.software) + "  " + criterion;
  const std::vector<std::string> reasons = reading_of(judgement.findings, criterion);
  if (reasons.size() < 2 || verdict == Verdict::pass) {
    const std::string words = reading_in_words(judgement.findings, criterion);
    out << wrapped(head + (words.empty() ? "" : ": "), words);
    return;
  }
  out << head << "\n";
  for (const std::string& reason : reasons) out << wrapped("    - ", reason);
}

void write_details(std::ostream& out, const Judgement& judgement, const std::string& criterion) {
  const Findings findings = of_criterion(judgement, criterion);
  if (!says_more(findings)) return;
  const auto number_of = [&](Verdict verdict) {
    return std::ranges::count(findings, verdict, &Finding::verdict);
  };
  out << "\n"
      << criterion << " (" << number_of(Verdict::pass) << " pass, " << number_of(Verdict::fail)
      << " fail, " << number_of(Verdict::no_reference) + number_of(Verdict::inconclusive)
      << " without an answer)\n";
  std::string curve = "none";
  for (const Finding& finding : findings) {
    if (curve_of(finding) != curve) {
      curve = curve_of(finding);
      if (!curve.empty()) out << wrapped("  ", curve);
      out << kHead;
    }
    out << line(finding);
  }
}

Json json_of(const Finding& finding) {
  const bool placed = finding.buffers != BufferMode::unstated;
  return {{"criterion", finding.criterion},
          {"about", word(finding.subject)},
          {"setting", or_null(finding.setting)},
          {"collective", or_null(finding.collective)},
          {"type", or_null(finding.type)},
          {"op", or_null(finding.op)},
          {"algorithm", or_null(finding.algorithm)},
          {"placement", placed ? Json(word(finding.buffers)) : Json(nullptr)},
          {"ranks", or_null(finding.ranks)},
          {"nics_per_node", or_null(finding.nics_per_node)},
          {"size_bytes", or_null(finding.size_bytes)},
          {"unit", or_null(std::string(finding.unit))},
          {"ours", or_null(finding.ours)},
          {"theirs", or_null(finding.theirs)},
          {"ratio", or_null(finding.ratio)},
          {"ours_line_rate_fraction", or_null(finding.ours_line_rate_fraction)},
          {"theirs_line_rate_fraction", or_null(finding.theirs_line_rate_fraction)},
          {"verdict", word(finding.verdict)},
          {"remark", or_null(finding.remark)}};
}

Json json_of(const Judgement& judgement) {
  Json criteria = Json::array();
  for (const std::string& criterion : criteria_of(judgement.findings)) {
    criteria.push_back(
        {{"criterion", criterion}, {"verdict", word(verdict_of(judgement.findings, criterion))}});
  }
  Json findings = Json::array();
  for (const Finding& finding : judgement.findings) findings.push_back(json_of(finding));
  return {{"result", judgement.result},
          {"software", judgement.software},
          {"criteria", criteria},
          {"findings", findings}};
}

}  // namespace

void write_table(std::ostream& out, const std::vector<Judgement>& judgements) {
  for (const Judgement& judgement : judgements) {
    const std::string words = reading_in_words(judgement);
    const std::string head = in_words(verdict_of(judgement.findings), judgement.software) + "  " +
                             judgement.result + (words.empty() ? "" : ":");
    if (head.size() + 1 + words.size() <= kWidth) {
      out << wrapped(head + (words.empty() ? "" : " "), words);
    } else {
      out << head << "\n" << wrapped("  ", words);
    }
    for (const std::string& criterion : criteria_of(judgement.findings)) {
      write_reasons(out, judgement, criterion);
    }
  }
  for (const Judgement& judgement : judgements) {
    if (judgements.size() > 1) out << "\n" << judgement.result << "\n";
    for (const std::string& criterion : criteria_of(judgement.findings)) {
      write_details(out, judgement, criterion);
    }
  }
}

std::string json_text(const std::vector<Judgement>& judgements, Verdict verdict) {
  Json results = Json::array();
  for (const Judgement& judgement : judgements) results.push_back(json_of(judgement));
  const Json document{{"schema", "railgauge/comparison/1"},
                      {"verdict", word(verdict)},
                      {"software", std::ranges::any_of(judgements, &Judgement::software)},
                      {"results", results}};
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::verdict
