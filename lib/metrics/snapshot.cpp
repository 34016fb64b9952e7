#include "metrics/snapshot.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace railgauge::metrics {
namespace {

std::string_view word(Kind kind) {
  switch (kind) {
    case Kind::gauge: return "gauge";
    case Kind::counter: return "counter";
    case Kind::histogram: return "histogram";
  }
  return "";
}

void append_number(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "NaN";
    return;
  }
  if (std::isinf(value)) {
    text += value > 0 ? "+Inf" : "-Inf";
    return;
  }
  constexpr std::size_t kLongest = 32;  // "-1.7976931348623157e+308" has 24
  std::array<char, kLongest> digits{};
  text.append(digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr);
}

void append_escaped(std::string& text, std::string_view value) {
  constexpr char kFirst = ' ';
  constexpr char kLast = '~';
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
    } else if (c < kFirst || c > kLast) {
      text += '?';
    } else {
      if (c == '\\' || c == '"') text += '\\';
      text += c;
    }
  }
}

/// "a="1",b="2"", without braces.
std::string written(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!text.empty()) text += ',';
    text += name + "=\"";
    append_escaped(text, value);
    text += '"';
  }
  return text;
}

void append_sample(std::string& text, std::string_view name, std::string_view suffix,
                   std::string_view labels, double value) {
  text += name;
  text += suffix;
  if (!labels.empty()) {
    text += '{';
    text += labels;
    text += '}';
  }
  text += ' ';
  append_number(text, value);
  text += '\n';
}

/// Of a bucket Prometheus wants how many were not longer.
void append_histogram(std::string& text, std::string_view name, const std::string& labels,
                      const TimeHistogram& times) {
  const std::string before = labels.empty() ? "le=\"" : labels + ",le=\"";
  std::uint64_t count = 0;
  for (std::size_t bucket = 0; bucket < TimeHistogram::kBuckets; ++bucket) {
    count += times.counts()[bucket];
    std::string with_bound = before;
    append_number(with_bound, bucket < TimeHistogram::kBoundsSeconds.size()
                                  ? TimeHistogram::kBoundsSeconds.at(bucket)
                                  : std::numeric_limits<double>::infinity());
    append_sample(text, name, "_bucket", with_bound + '"', static_cast<double>(count));
  }
  append_sample(text, name, "_sum", labels, times.sum_seconds());
  append_sample(text, name, "_count", labels, static_cast<double>(count));
}

void append_family(std::string& text, const Family& family, const Labels& of_all) {
  const Metric& metric = family.metric;
  const std::string name(metric.name);
  text += "# HELP " + name + ' ';
  append_escaped(text, metric.help);
  text += "\n# TYPE " + name + ' ';
  text += word(metric.kind);
  text += '\n';
  for (const Series& series : family.series) {
    Labels all = of_all;
    all.insert(all.end(), series.labels.begin(), series.labels.end());
    const std::string labels = written(all);
    if (metric.kind == Kind::histogram) {
      append_histogram(text, metric.name, labels, series.times);
    } else {
      append_sample(text, metric.name, "", labels, series.value);
    }
  }
}

}  // namespace

std::string text_of(const Snapshot& snapshot, const Labels& of_all) {
  constexpr std::size_t kUsualSeries = 160;  // bytes, so that the text seldom has to grow
  std::string text;
  text.reserve(series_count(snapshot) * kUsualSeries);
  for (const Family& family : snapshot) append_family(text, family, of_all);
  return text;
}

Labels with(Labels labels, std::string name, std::string_view value) {
  labels.emplace_back(std::move(name), value);
  return labels;
}

std::size_t series_count(const Snapshot& snapshot) {
  std::size_t count = 0;
  for (const Family& family : snapshot) {
    const bool many = family.metric.kind == Kind::histogram;
    count += family.series.size() * (many ? TimeHistogram::kSeries : 1);
  }
  return count;
}

}  // namespace railgauge::metrics
