#include "verdict/logs/formats.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

constexpr double kMebibytesPerGigabyte = 1e9 / (1 << 20);
constexpr double kBitsPerByte = 8;

struct Verb {
  std::string_view title;
  std::string_view program;
};

constexpr std::array kVerbs{Verb{"RDMA_Write ", "ib_write"}, Verb{"RDMA_Read ", "ib_read"},
                            Verb{"Send ", "ib_send"}, Verb{"Atomic ", "ib_atomic"}};

/// "                    RDMA_Write Bidirectional BW Test" is ib_write_bw_bidirectional.
std::string program_of(std::string_view title) {
  const bool bandwidth = title.find("BW Test") != std::string_view::npos;
  const bool latency = title.find("Latency Test") != std::string_view::npos;
  if (!bandwidth && !latency) return "";
  for (const Verb& verb : kVerbs) {
    if (title.find(verb.title) == std::string_view::npos) continue;
    const bool both = title.find("Bidirectional") != std::string_view::npos;
    return std::string(verb.program) + (bandwidth ? "_bw" : "_lat") +
           (both ? "_bidirectional" : "");
  }
  return "";
}

bool is_perftest_head(std::string_view line) {
  return after(line, "#bytes") && (after(line, "BW average") || after(line, "t_avg"));
}

/// Which column holds what is wanted, and its unit.
struct PerftestColumns {
  std::size_t value = 0;
  std::size_t count = 0;
  bool is_time = false;
  double per_gigabyte = 1;  // of bandwidths
};

/// Heads are made of "#bytes", "BW peak[Gb/sec]", "99% percentile[usec]": a column ends with its
/// unit, but for #bytes and #iterations.
PerftestColumns perftest_columns(std::string_view head) {
  PerftestColumns columns;
  const auto place = [&columns](std::string_view word) {
    if (word.starts_with("t_typical")) columns.value = columns.count;
    if (word.starts_with("t_avg") && columns.value == 0) columns.value = columns.count;
    if (word.starts_with("average[")) {
      columns.value = columns.count;
      columns.per_gigabyte =
          word.find("[Gb") != std::string_view::npos ? kBitsPerByte : kMebibytesPerGigabyte;
    }
    columns.is_time = columns.is_time || word.starts_with("t_");
  };
  for (const std::string_view word : words_of(head)) {
    place(word);
    if (word.starts_with('#') || word.ends_with(']')) ++columns.count;
  }
  return columns;
}

/// The point of a row; empty if it is none. Tables of MsgRate may have a CPU column more.
std::optional<Point> point_of(std::span<const std::string_view> words,
                              const PerftestColumns& columns) {
  if (words.size() != columns.count) return std::nullopt;
  const auto size = whole_number(words[0]);
  const auto value = number(words[columns.value]);
  if (!size || !value) return std::nullopt;
  Point point;
  point.size_bytes = size;
  if (columns.is_time) {
    point.time_us = value;
  } else {
    point.algbw_gigabytes_per_second = *value / columns.per_gigabyte;
    point.busbw_gigabytes_per_second = point.algbw_gigabytes_per_second;
  }
  return point;
}

class PerftestReader {
 public:
  void line(std::size_t number_of_line, std::string_view text) {
    const std::string_view line = without_prefix(text);
    const auto words = words_of(line);
    if (const std::string program = program_of(line); !program.empty()) {
      gathered_.begin(Run{.collective = program, .ranks = 2});
      columns_ = {};
    } else if (is_perftest_head(line)) {
      columns_ = perftest_columns(line);
    } else if (columns_.count > 0 && !words.empty() && whole_number(words[0])) {
      const auto point = point_of(words, columns_);
      if (point) {
        gathered_.add(*point);
      } else {
        gathered_.complain(number_of_line, "not the figures that the head announces");
      }
    }
  }

  LogContent result() { return gathered_.result(); }

 private:
  Gathering gathered_;
  PerftestColumns columns_;
};

}  // namespace

bool is_perftest(std::string_view text) {
  return std::ranges::any_of(lines_of(text), is_perftest_head);
}

LogContent read_perftest(std::string_view text) {
  return read_lines(PerftestReader(), text);
}

}  // namespace railgauge::verdict
