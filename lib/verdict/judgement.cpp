#include "verdict/judgement.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "measure/sizes.hpp"
#include "results/json_fields.hpp"

namespace railgauge::verdict {
namespace {

using results::Json;
using results::or_null;

constexpr const char* kHead =
    "  verdict       about    collective      type      op    algorithm            buffers       "
    "ranks  "
    "nics   size        ours      theirs  unit        ratio   our %  their %  setting, remark\n";

std::string fixed(const std::optional<double>& value, const char* format) {
  if (!value) return "-";
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, *value);
  return text.data();
}

std::string percent(const std::optional<double>& fraction) {
  return fraction ? fixed(100 * *fraction, "%.1f") : "-";
}

std::string count(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "-";
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string size_of(const Finding& finding) {
  return finding.size_bytes ? measure::format_size(*finding.size_bytes) : "-";
}

std::string buffers_of(const Finding& finding) {
  return finding.buffers == BufferMode::unstated ? "-" : std::string(word(finding.buffers));
}

std::string line(const Finding& finding) {
  std::array<char, 512> text{};  // names that are longer are cut
  std::snprintf(
      text.data(), text.size(),
      "  %-12s  %-7s  %-14s  %-8s  %-4s  %-19s  %-12s  %5s  %4s  %5s  %10s  %10s  %-9s  "
      "%6s  %6s  %7s",
      std::string(word(finding.verdict)).c_str(), std::string(word(finding.subject)).c_str(),
      or_dash(finding.collective).c_str(), or_dash(finding.type).c_str(),
      or_dash(finding.op).c_str(), or_dash(finding.algorithm).c_str(), buffers_of(finding).c_str(),
      count(finding.ranks).c_str(), count(finding.nics_per_node).c_str(), size_of(finding).c_str(),
      fixed(finding.ours, "%.2f").c_str(), fixed(finding.theirs, "%.2f").c_str(),
      std::string(finding.unit).c_str(), fixed(finding.ratio, "%.3f").c_str(),
      percent(finding.ours_line_rate_fraction).c_str(),
      percent(finding.theirs_line_rate_fraction).c_str());
  std::string line = text.data();
  for (const std::string& more : {finding.setting, finding.remark}) {
    if (!more.empty()) line += "  " + more;
  }
  return line + "\n";
}

void write_criterion(std::ostream& out, const Judgement& judgement, const std::string& criterion) {
  const auto number_of = [&](Verdict verdict) {
    return std::ranges::count_if(judgement.findings, [&](const Finding& finding) {
      return finding.criterion == criterion && finding.verdict == verdict;
    });
  };
  out << word(verdict_of(judgement.findings, criterion)) << "  " << judgement.result << "  "
      << criterion << "  (" << number_of(Verdict::pass) << " pass, " << number_of(Verdict::fail)
      << " fail, " << number_of(Verdict::no_reference) << " without an answer)\n"
      << kHead;
  for (const Finding& finding : judgement.findings) {
    if (finding.criterion == criterion) out << line(finding);
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
  return {{"result", judgement.result}, {"criteria", criteria}, {"findings", findings}};
}

}  // namespace

void write_table(std::ostream& out, const std::vector<Judgement>& judgements) {
  for (const Judgement& judgement : judgements) {
    for (const std::string& criterion : criteria_of(judgement.findings)) {
      write_criterion(out, judgement, criterion);
    }
  }
}

std::string json_text(const std::vector<Judgement>& judgements, Verdict verdict) {
  Json results = Json::array();
  for (const Judgement& judgement : judgements) results.push_back(json_of(judgement));
  const Json document{
      {"schema", "railgauge/comparison/1"}, {"verdict", word(verdict)}, {"results", results}};
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::verdict
