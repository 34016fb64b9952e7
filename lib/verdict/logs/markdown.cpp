#include <algorithm>
#include <array>
#include <cmath>

#include "verdict/logs/formats.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

using Cells = std::vector<std::string>;

/// "| 1 GiB | 47.2 |": the cells, without blanks and marks of bold or code around them.
std::optional<Cells> cells_in(std::string_view line) {
  const auto words = words_of(line);
  if (words.empty() || !words[0].starts_with('|')) return std::nullopt;
  Cells cells;
  const std::size_t first = line.find('|') + 1;
  std::string cell;
  for (const char c : line.substr(first)) {
    if (c != '|') {
      if (c != '*' && c != '`') cell += c;
      continue;
    }
    const auto parts = words_of(cell);
    std::string text;
    for (const std::string_view part : parts) text += (text.empty() ? "" : " ") + std::string(part);
    cells.push_back(text);
    cell.clear();
  }
  return cells;
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// What a column is in gigabytes a second; empty if its head does not say.
std::optional<double> gigabytes_of(const std::string& head) {
  if (holds(head, "GB/s") || holds(head, "GBps")) return 1;
  if (holds(head, "Gb/s") || holds(head, "Gbps") || holds(head, "Gbit/s")) return 1.0 / 8;
  return std::nullopt;
}

std::optional<double> microseconds_of(const std::string& head) {
  const std::string low = lower(head);
  if (holds(low, "(us)") || holds(head, "(\xc2\xb5s)") || holds(head, "(\xce\xbcs)")) return 1;
  if (holds(low, "(ms)")) return 1e3;
  return std::nullopt;
}

/// Which column is which.
struct MarkdownColumns {
  std::size_t count = 0;
  std::optional<std::size_t> size{}, busbw{}, time{};
  double gigabytes = 1;
  double microseconds = 1;
};

bool is_busbw(const std::string& head) {
  const std::string letters = plain(head);
  return letters.starts_with("busbw") || letters.starts_with("busbandwidth");
}

bool is_markdown_head(std::string_view line) {
  const auto cells = cells_in(line);
  return cells && std::ranges::any_of(*cells, is_busbw);
}

/// Sizes are powers of two wherever nccl-tests' figures are: "1G", "1 GB" and "1GiB" are 2^30.
std::optional<std::uint64_t> size_in(std::string cell) {
  std::erase(cell, ' ');
  std::erase(cell, ',');
  const std::size_t end = cell.find_first_not_of("0123456789");
  const auto count = whole_number(std::string_view(cell).substr(0, end));
  if (!count) return std::nullopt;
  const std::string unit = end == std::string::npos ? "" : lower(cell.substr(end));
  constexpr std::string_view kUnits = "kmgt";
  if (unit.empty() || unit == "b" || unit == "bytes") return count;
  const std::size_t power = kUnits.find(unit[0]);
  const std::string rest = unit.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "ib")) {
    return std::nullopt;
  }
  const unsigned shift = 10U * static_cast<unsigned>(power + 1);
  if (*count > (std::uint64_t{1} << (63U - shift))) return std::nullopt;
  return *count << shift;
}

class MarkdownReader {
 public:
  explicit MarkdownReader(const Stated& stated) : stated_(stated) {}

  void line(std::size_t number_of_line, std::string_view line) {
    const auto cells = cells_in(line);
    if (!cells) {
      columns_ = {};
      return;
    }
    if (is_markdown_head(line)) {
      head(number_of_line, *cells);
    } else if (columns_.busbw && !holds(line, "---")) {
      const std::string why = add(*cells);
      if (!why.empty()) gathered_.complain(number_of_line, why);
    }
  }

  LogContent result() { return gathered_.result(); }

 private:
  void head(std::size_t number_of_line, const Cells& cells) {
    gathered_.begin(Run{.collective = stated_.collective});
    columns_ = {};
    columns_.count = cells.size();
    std::optional<double> gigabytes;
    for (std::size_t at = 0; at < cells.size(); ++at) {
      const std::string letters = plain(cells[at]);
      if (letters.starts_with("size") || letters.starts_with("messagesize")) columns_.size = at;
      if (is_busbw(cells[at]) && !columns_.busbw) {
        columns_.busbw = at;
        gigabytes = gigabytes_of(cells[at]);
      }
      if (letters.starts_with("time") && microseconds_of(cells[at])) {
        columns_.time = at;
        columns_.microseconds = *microseconds_of(cells[at]);
      }
    }
    columns_.gigabytes = gigabytes.value_or(1);
    std::string why;
    if (!columns_.size) why = "the table has no column of sizes";
    if (!gigabytes) why = "the head does not say in which unit its busbw is: GB/s or Gb/s";
    if (why.empty()) return;
    gathered_.complain(number_of_line, why);
    columns_.busbw.reset();
  }

  /// Why the row was not added.
  std::string add(const Cells& cells) {
    if (cells.size() != columns_.count) return "not the columns that the head announces";
    const auto size = size_in(cells[*columns_.size]);
    const auto busbw = number(cells[*columns_.busbw]);
    if (!size || !busbw || *busbw <= 0) return "size or busbw is no number above zero";
    Point point{.size_bytes = size};
    point.busbw_gigabytes_per_second = *busbw * columns_.gigabytes;
    if (columns_.time) {
      const auto time = number(cells[*columns_.time]);
      if (!time || *time <= 0) return "time is no number above zero";
      point.time_us = *time * columns_.microseconds;
      const double algbw = static_cast<double>(*size) / *point.time_us / 1e3;
      // busbw is at most twice algbw, and at least a hundredth of it, of whatever collective.
      const double factor = *point.busbw_gigabytes_per_second / algbw;
      if (factor > 2.1 || factor < 0.01) return "busbw cannot be size over time";
    }
    gathered_.add(point);
    return "";
  }

  const Stated& stated_;
  Gathering gathered_;
  MarkdownColumns columns_;
};

}  // namespace

bool is_markdown(std::string_view text) {
  return std::ranges::any_of(lines_of(text), is_markdown_head);
}

LogContent read_markdown(std::string_view text, const Stated& stated) {
  return read_lines(MarkdownReader(stated), text);
}

}  // namespace railgauge::verdict
