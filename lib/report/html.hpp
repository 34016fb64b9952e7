#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "draw/escape.hpp"
#include "results/endpoint.hpp"
#include "results/measurement.hpp"

namespace railgauge::report {

using draw::escaped;

/// "<tag>text</tag>" of text that is escaped already.
std::string element(std::string_view tag, std::string_view inner);

/// With at most four significant digits: "0.3932", "1234000"; "-" if it is none.
std::string number_text(double value);

/// A cell of a table: a text, which will be escaped, or a number, and its class or none. What is
/// not known is empty.
struct Cell {
  Cell() = default;
  template <std::convertible_to<std::string_view> Text>
  Cell(const Text& said, std::string_view style = "") : text(said), style_class(style) {}
  template <std::integral Number>
  Cell(Number value, std::string_view style = "")
      : text(std::to_string(value)), style_class(style) {}
  Cell(double value, std::string_view style = "") : text(number_text(value)), style_class(style) {}
  template <class T>
  Cell(const std::optional<T>& value) : text(value ? Cell(*value).text : "") {}

  std::string text{};
  std::string style_class{};
};
using Row = std::vector<Cell>;

/// A row of each.
template <class All, class Make>
std::vector<Row> rows_of(const All& all, const Make& make) {
  std::vector<Row> rows;
  rows.reserve(all.size());
  for (const auto& one : all) rows.push_back(make(one));
  return rows;
}

/// A table that scrolls sideways where it is too wide. Escapes all texts.
std::string table(const std::vector<std::string>& head, const std::vector<Row>& rows);

constexpr std::size_t kMostFolded = 128;  // hosts, of a large fabric

/// The same of rows that come worst first: a dozen are shown, at most `most_folded` are folded up,
/// and of the others it is said how many there are. `what`: "hosts".
std::string ranked_table(const std::vector<std::string>& head, const std::vector<Row>& rows,
                         const std::string& what, std::size_t most_folded = kMostFolded);

/// "And 3 more hosts, which are not on this page …"; nothing if there are none.
std::string left_out(std::size_t count, const std::string& what);

/// What is folded up until it is asked for. `inner` is HTML.
std::string folded(std::string_view summary, const std::string& inner, bool open = false);

/// Figures, two in a line where there is room.
std::string side_by_side(const std::string& figures);

/// A file name as a part of a URL.
std::string url_of(const std::string& path);

/// A whole page of `inner`, which is HTML: one file that needs nothing else.
std::string page_without_charts(const std::string& title, const std::string& inner);

/// A heading of the second level and what is under it; nothing if that is nothing.
std::string section(std::string_view title, const std::string& inner);

/// The class of a cell whose figure is so many times what it should be: heat-0 (1 or less) to
/// heat-4 (four times), a step for each factor of 1.41.
std::string heat(double ratio);

/// "ring, rail 0, in place": the parts that are not empty, with commas.
std::string joined(std::vector<std::string> parts);

/// "in_place" as "in place".
std::string plain(std::string_view text);

/// The same of a buffer mode; empty if it is unstated.
std::string plain(results::BufferMode mode);

/// "host0 mlx5_0 (rail 0)"
std::string end_in_words(const results::Endpoint& end);

// Lists in words, short however many are in them.

/// "a, b, c and 125 more": all names if there are no more than `most` and one.
std::string listed(const std::vector<std::string>& names, std::size_t most = 3);

/// "0-7, 12": numbers in order, three or more that follow each other as a range.
std::string listed(std::vector<int> numbers);

/// Adds a name that is not there yet; none that is empty.
void add_once(std::vector<std::string>& names, const std::string& name);

/// "64K to 1M", of sizes in bytes.
std::string range_of(const std::set<std::uint64_t>& sizes);

/// At most so many of `count` places, evenly apart, with the first and the last.
std::vector<std::size_t> spread(std::size_t count, std::size_t most);

}  // namespace railgauge::report
