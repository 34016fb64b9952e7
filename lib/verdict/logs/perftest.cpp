#include "verdict/logs/formats.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "verdict/logs/log.hpp"
#include "verdict/logs/perftest_units.hpp"

namespace railgauge::verdict {
namespace {

/// Of all versions: "t_min[usec] t_max[usec] t_typical[usec]" was the whole of a latency's at
/// first.
bool is_perftest_head(std::string_view line) {
  if (!after(line, "#bytes") || !after(line, "#iterations")) return false;
  return after(line, "BW average[") || after(line, "BW_average[") || after(line, "t_avg[usec]") ||
         after(line, "t_typical[usec]");
}

/// Which column holds what is wanted.
struct PerftestColumns {
  std::size_t count = 0;
  std::optional<std::size_t> average{}, typical{}, mean{}, least{}, most{}, rate{};
  bool gigabits = false;
};

/// Heads are made of "#bytes", "BW peak[Gb/sec]", "99% percentile[usec]", "tps average": a column
/// ends with its unit, but for those of the first and the last kind.
PerftestColumns perftest_columns(std::string_view head) {
  PerftestColumns columns;
  std::string_view before;
  for (const std::string_view word : words_of(head)) {
    const std::size_t at = columns.count;
    if (word.starts_with("t_typical[")) columns.typical = at;
    if (word.starts_with("t_avg[")) columns.mean = at;
    if (word.starts_with("t_min[")) columns.least = at;
    if (word.starts_with("t_max[")) columns.most = at;
    if (word.starts_with("MsgRate[")) columns.rate = at;
    if (word.starts_with("average[") || word.starts_with("BW_average[")) {
      columns.average = at;
      columns.gigabits = word.find("[Gb") != std::string_view::npos;
    }
    const bool ends = word.starts_with('#') || word.ends_with(']') || before == "tps";
    if (ends) ++columns.count;
    before = word;
  }
  return columns;
}

class Row {
 public:
  Row(std::span<const std::string_view> words, const PerftestColumns& columns)
      : words_(words), columns_(columns) {}

  /// Why there is no point.
  std::string read(Point& point) const {
    if (words_.size() != columns_.count) return "not the columns that the head announces";
    const auto size = whole_number(words_[0]);
    if (!size || !whole_number(words_[1])) return "size or iterations is no whole number";
    if (!columns_.rate && look_exchanged(*size, *whole_number(words_[1]))) {
      return "size and iterations look exchanged";
    }
    point.size_bytes = size;
    return columns_.average ? read_bandwidth(point) : read_time(point);
  }

 private:
  /// All figures have decimals.
  [[nodiscard]] std::optional<Decimal> figure(const std::optional<std::size_t>& at) const {
    if (!at || words_[*at].find('.') == std::string_view::npos) return std::nullopt;
    return decimal(words_[*at]);
  }

  std::string read_bandwidth(Point& point) const {
    const auto average = figure(columns_.average);
    if (!average || average->value <= 0) return "the average is no number above zero";
    const double per_gigabyte = columns_.gigabits ? kBitsPerByte : kMebibytesPerGigabyte;
    if (const auto rate = figure(columns_.rate)) {
      if (!is_rate(*average, *rate, *point.size_bytes, per_gigabyte)) {
        return "the average is not size times MsgRate";
      }
    }
    point.algbw_gigabytes_per_second = average->value / per_gigabyte;
    point.busbw_gigabytes_per_second = point.algbw_gigabytes_per_second;
    return "";
  }

  std::string read_time(Point& point) const {
    const auto time = figure(columns_.typical ? columns_.typical : columns_.mean);
    if (!time || time->value <= 0) return "the time is no number above zero";
    const auto least = figure(columns_.least);
    const auto most = figure(columns_.most);
    if ((columns_.least && !least) || (columns_.most && !most)) return "a time is no number";
    if ((least && least->value > time->value) || (most && most->value < time->value)) {
      return "the time is not between the least and the most";
    }
    point.time_us = time->value;
    return "";
  }

  std::span<const std::string_view> words_;
  const PerftestColumns& columns_;
};

class PerftestReader {
 public:
  void line(std::size_t number_of_line, std::string_view line) {
    const auto words = words_of(line);
    if (const std::string program = perftest_program(line); !program.empty()) {
      gathered_.begin(Run{.collective = program, .ranks = 2});
      columns_ = {};
    } else if (is_perftest_head(line)) {
      head(number_of_line, line);
    } else if (line.find("-----") != std::string_view::npos) {
      last_row_.clear();
    } else if (columns_.count > 0 && looks_like_figures(words)) {
      row(number_of_line, line, words);
    }
  }

  LogContent result() { return gathered_.result(); }

 private:
  void head(std::size_t number_of_line, std::string_view line) {
    columns_ = perftest_columns(line);
    const std::string& program = gathered_.run().collective;
    const bool bandwidth = columns_.average.has_value();
    if (!program.empty() && bandwidth != (program.find("_bw") != std::string::npos)) {
      gathered_.complain(number_of_line, "the head is not that of " + program);
      gathered_.begin({});
    }
  }

  void row(std::size_t number_of_line, std::string_view line,
           const std::vector<std::string_view>& words) {
    Point point;
    const bool again = line == last_row_;
    last_row_ = line;
    const std::string why = again ? "the row before once more" : Row(words, columns_).read(point);
    if (why.empty()) {
      gathered_.add(point);
    } else {
      gathered_.complain(number_of_line, why);
    }
  }

  Gathering gathered_;
  PerftestColumns columns_;
  std::string last_row_;
};

}  // namespace

bool is_perftest(std::string_view text) {
  return std::ranges::any_of(lines_of(text), is_perftest_head);
}

LogContent read_perftest(std::string_view text) {
  return read_lines(PerftestReader(), text);
}

}  // namespace railgauge::verdict
