#include "report/html.hpp"

#include <algorithm>
#include <cmath>

#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "results/table.hpp"

namespace railgauge::report {
namespace {

/// Of a cell: what it says, and that its words may be broken if nothing else helps.
std::string classes_of(const Cell& cell) {
  constexpr std::size_t kLong = 24;
  const std::string wraps = cell.text.size() > kLong ? "long" : "";
  const std::string both = cell.style_class.empty() || wraps.empty() ? "" : " ";
  return cell.style_class + both + wraps;
}

std::string cells(std::string_view tag, const Row& row) {
  std::string html;
  for (const Cell& cell : row) {
    const std::string names = classes_of(cell);
    const std::string style = names.empty() ? "" : " class=\"" + escaped(names) + "\"";
    html.append("<").append(tag).append(style).append(">").append(escaped(cell.text));
    html.append("</").append(tag).append(">");
  }
  return element("tr", html) + "\n";
}

}  // namespace

std::string element(std::string_view tag, std::string_view inner) {
  const std::string name(tag);
  return "<" + name + ">" + std::string(inner) + "</" + name + ">";
}

std::string table(const std::vector<std::string>& head, const std::vector<Row>& rows) {
  const Row names(head.begin(), head.end());
  std::string body;
  for (const auto& row : rows) body += cells("td", row);
  return "<div class=\"wide\"><table>\n" + element("thead", cells("th", names)) +
         element("tbody", body) + "</table></div>\n";
}

std::string ranked_table(const std::vector<std::string>& head, const std::vector<Row>& rows,
                         const std::string& what, std::size_t most_folded) {
  constexpr std::size_t kShown = 12;
  constexpr std::size_t kFew = 4;  // so few more are shown, too
  if (rows.size() <= kShown + kFew) return table(head, rows);
  const auto middle = rows.begin() + kShown;
  const auto end =
      middle + static_cast<std::ptrdiff_t>(std::min(rows.size() - kShown, most_folded));
  std::string html = table(head, {rows.begin(), middle});
  if (middle != end) {
    html += folded(std::to_string(end - middle) + " more " + what, table(head, {middle, end}));
  }
  return html + left_out(static_cast<std::size_t>(rows.end() - end), what);
}

std::string left_out(std::size_t count, const std::string& what) {
  if (count == 0) return "";
  return "<p class=\"none\">And " + std::to_string(count) + " more " + escaped(what) +
         ", which are not on this page: the result document has them.</p>\n";
}

std::string folded(std::string_view summary, const std::string& inner, bool open) {
  return std::string(open ? "<details open>" : "<details>") + element("summary", escaped(summary)) +
         inner + "</details>\n";
}

std::string side_by_side(const std::string& figures) {
  return "<div class=\"pair\">" + figures + "</div>\n";
}

std::string section(std::string_view title, const std::string& inner) {
  if (inner.empty()) return "";
  return "<section>" + element("h2", escaped(title)) + "\n" + inner + "</section>\n";
}

std::string number_text(double value) {
  constexpr int kDigits = 4;
  return std::isfinite(value) ? finding::number(value, kDigits) : "-";
}

std::string heat(double ratio) {
  constexpr double kSteps = 4;
  const double step = ratio > 1 ? std::floor(2 * std::log2(ratio)) : 0;
  return "heat-" + std::to_string(static_cast<int>(std::min(step, kSteps)));
}

std::string joined(std::vector<std::string> parts) {
  std::erase(parts, "");
  return finding::joined(parts);
}

std::string plain(std::string_view text) {
  std::string words(text);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string plain(results::BufferMode mode) {
  return mode == results::BufferMode::unstated ? "" : plain(word(mode));
}

std::string end_in_words(const results::Endpoint& end) {
  return end.host + " " + end.device + " (rail " + std::to_string(end.rail) + ")";
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  std::string text;
  for (std::size_t at = 0; at < shown; ++at) text += (at == 0 ? "" : ", ") + names[at];
  if (shown == names.size()) return text;
  return text + " and " + std::to_string(names.size() - shown) + " more";
}

std::string listed(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  return results::ranges_of(numbers, ", ", 3);
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
}

std::string range_of(const std::set<std::uint64_t>& sizes) {
  if (sizes.empty()) return "";
  const std::string least = measure::format_size(*sizes.begin());
  return sizes.size() == 1 ? least : least + " to " + measure::format_size(*sizes.rbegin());
}

std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  if (count <= most || most < 2) {
    for (std::size_t place = 0; place < std::min(count, most); ++place) places.push_back(place);
    return places;
  }
  for (std::size_t nth = 0; nth < most; ++nth) {
    places.push_back(nth * (count - 1) / (most - 1));
  }
  return places;
}

}  // namespace railgauge::report
