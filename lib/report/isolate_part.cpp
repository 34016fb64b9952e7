#include <algorithm>
#include <cmath>

#include "report/html.hpp"
#include "report/lists.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::IsolateBody;
using results::IsolateRow;
using results::IsolateSuspect;
using results::IsolateVerdict;

std::string style_of_verdict(IsolateVerdict verdict) {
  if (verdict == IsolateVerdict::pass) return "good";
  return verdict == IsolateVerdict::fail ? "bad" : "warn";
}

std::string part_of(std::uint64_t bad, std::uint64_t tests) {
  return std::to_string(bad) + " of " + std::to_string(tests);
}

/// "400 : 1".
std::string odds_text(double log10) {
  constexpr double kPlain = 4;
  constexpr double kTen = 10;
  if (log10 >= kPlain) return "1e" + number_text(std::floor(log10)) + " : 1";
  return number_text(std::round(std::pow(kTen, log10))) + " : 1";
}

std::string numbers_of(const std::vector<std::uint64_t>& rows) {
  std::vector<int> numbers;
  numbers.reserve(rows.size());
  for (const std::uint64_t row : rows) numbers.push_back(static_cast<int>(row));
  return listed(numbers);
}

std::vector<Cell> cells_of(const IsolateSuspect& suspect) {
  std::string where = suspect.where;
  for (const std::string& other : suspect.alike) where += ", or " + other;
  return {{where, suspect.certainty == "named" ? "bad" : ""},
          {suspect.certainty, ""},
          {part_of(suspect.bad, suspect.tests), ""},
          {part_of(suspect.bad_alone, suspect.tests_alone), ""},
          {odds_text(suspect.log10_odds), ""},
          {suspect.rival, ""},
          {odds_text(suspect.log10_odds_to_rival), ""},
          {numbers_of(suspect.rows_for), ""},
          {numbers_of(suspect.rows_against), ""},
          {suspect.advice, ""}};
}

std::string suspects_table(const IsolateBody& body) {
  if (body.suspects.empty()) return "";
  std::vector<std::vector<Cell>> rows;
  rows.reserve(body.suspects.size());
  for (const IsolateSuspect& suspect : body.suspects) rows.push_back(cells_of(suspect));
  return ranked_table(
      {"what", "how sure", "bad tests", "of those alone", "odds", "next in question",
       "odds against it", "tests for", "tests against", "look at"},
      rows, "suspects");
}

std::string name_of_end(const results::Endpoint& end) {
  return end.host + " " + end.device + " (rail " + std::to_string(end.rail) + ")";
}

std::string way_of(const IsolateRow& row) {
  if (row.hops.empty()) return "not known";
  std::string text;
  for (const std::string& hop : row.hops)
    text += (text.empty() ? "" : " > ") + (hop.empty() ? std::string("?") : hop);
  return row.sprayed ? text + ", sprayed" : text;
}

Cell value_cell(const std::optional<double>& value) {
  return {value ? number_text(*value) : "", ""};
}

std::vector<Cell> cells_of(const IsolateRow& row, std::size_t place) {
  const std::string lost = row.packets && row.lost_packets
                               ? part_of(static_cast<std::uint64_t>(*row.lost_packets),
                                         static_cast<std::uint64_t>(*row.packets))
                               : "";
  const std::string remark = row.void_because.empty() ? row.reason : row.void_because;
  return {{std::to_string(place), ""},
          {name_of_end(row.from), ""},
          {name_of_end(row.to), ""},
          {std::to_string(row.source_port), ""},
          {way_of(row), ""},
          {row.alone ? "alone" : std::to_string(row.round), ""},
          value_cell(row.gigabytes_per_second),
          value_cell(row.p50_us),
          value_cell(row.p99_us),
          {lost, ""},
          {row.symptoms, row.symptoms.empty() ? "" : "bad"},
          {remark, ""}};
}

}  // namespace

std::string isolate_part(const IsolateBody& body) {
  std::string html = "<p class=\"sentence " + style_of_verdict(body.isolate_verdict) + "\">" +
                     std::string(word(body.isolate_verdict)) + "</p>\n";
  std::string sentences;
  for (const std::string& sentence : body.sentences)
    sentences += element("li", escaped(sentence)) + "\n";
  if (!sentences.empty()) html += element("ul", "\n" + sentences) + "\n";
  return section("Bad component", html + suspects_table(body));
}

/// Bad ones first.
std::string isolate_rows_part(const IsolateBody& body) {
  if (body.rows.empty()) return "";
  std::vector<std::size_t> order(body.rows.size());
  for (std::size_t at = 0; at < order.size(); ++at) order[at] = at;
  std::ranges::stable_sort(order, {},
                           [&](std::size_t at) { return body.rows[at].symptoms.empty() ? 1 : 0; });
  std::vector<std::vector<Cell>> rows;
  const std::size_t shown = std::min(order.size(), kMostFolded);
  rows.reserve(shown);
  for (std::size_t at = 0; at < shown; ++at)
    rows.push_back(cells_of(body.rows[order[at]], order[at]));
  return section("Tests", ranked_table({"test", "from", "to", "source port", "way", "round", "GB/s",
                                        "p50, µs", "p99, µs", "lost packets", "seen", "remark"},
                                       rows, "tests") +
                              left_out(order.size() - shown, "tests"));
}

}  // namespace railgauge::report
