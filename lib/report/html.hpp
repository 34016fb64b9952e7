#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/escape.hpp"
#include "results/measurement.hpp"

namespace railgauge::report {

using draw::escaped;

/// "<tag>text</tag>" of text that is escaped already.
std::string element(std::string_view tag, std::string_view inner);

/// A cell of a table: escaped text, and its class or none.
struct Cell {
  std::string text{};
  std::string style_class{};
};

/// A table that scrolls sideways where it is too wide. Escapes all texts.
std::string table(const std::vector<std::string>& head, const std::vector<std::vector<Cell>>& rows);

constexpr std::size_t kMostFolded = 128;  // hosts, of a large fabric

/// The same of rows that come worst first: a dozen are shown, at most `most_folded` are folded up,
/// and of the others it is said how many there are. `what`: "hosts".
std::string ranked_table(const std::vector<std::string>& head,
                         const std::vector<std::vector<Cell>>& rows, const std::string& what,
                         std::size_t most_folded = kMostFolded);

/// "And 3 more hosts, which are not on this page …"; nothing if there are none.
std::string left_out(std::size_t count, const std::string& what);

/// What is folded up until it is asked for. `inner` is HTML.
std::string folded(std::string_view summary, const std::string& inner, bool open = false);

/// A heading of the second level and what is under it; nothing if that is nothing.
std::string section(std::string_view title, const std::string& inner);

/// With at most four significant digits: "0.3932", "1234000"; "-" if it is none.
std::string number_text(double value);

/// The class of a cell whose figure is so many times what it should be: heat-0 (1 or less) to
/// heat-4 (four times), a step for each factor of 1.41.
std::string heat(double ratio);

/// "ring, rail 0, in place": the parts that are not empty, with commas.
std::string joined(const std::vector<std::string>& parts);

/// "in_place" as "in place".
std::string plain(std::string_view text);

/// The same of a buffer mode; empty if it is unstated.
std::string plain(results::BufferMode mode);

}  // namespace railgauge::report
