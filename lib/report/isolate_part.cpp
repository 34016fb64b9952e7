#include <algorithm>
#include <numeric>

#include "finding/words.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::IsolateBody;
using results::IsolateRow;

std::string part_of(std::uint64_t bad, std::uint64_t tests) {
  return std::to_string(bad) + " of " + std::to_string(tests);
}

std::string path_of(const IsolateRow& row) {
  if (row.hops.empty()) return "unknown";
  std::vector<std::string> hops = row.hops;
  std::ranges::replace(hops, std::string(), std::string("?"));
  return finding::joined(hops, " > ") + (row.sprayed ? ", sprayed" : "");
}

Row cells_of(const IsolateRow& row, std::size_t place) {
  const std::string lost = row.packets && row.lost_packets
                               ? part_of(static_cast<std::uint64_t>(*row.lost_packets),
                                         static_cast<std::uint64_t>(*row.packets))
                               : "";
  const std::string remark = row.void_because.empty() ? row.reason : row.void_because;
  return {place,
          end_in_words(row.from),
          end_in_words(row.to),
          row.source_port,
          path_of(row),
          row.alone ? "alone" : std::to_string(row.round),
          row.gigabytes_per_second,
          row.p50_us,
          row.p99_us,
          lost,
          {row.symptoms, row.symptoms.empty() ? "" : "bad"},
          remark};
}

}  // namespace

std::string what_ran(const IsolateBody& body) {
  return "search for faulty components, " + finding::counted(body.rows.size(), "test") + " in " +
         finding::counted(static_cast<std::uint64_t>(body.rounds), "round");
}

/// Bad ones first.
std::string parts_of(const IsolateBody& body, const Ranks& /*ranks*/) {
  if (body.rows.empty()) return "";
  std::vector<std::size_t> order(body.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t at) { return body.rows[at].symptoms.empty() ? 1 : 0; });
  std::vector<Row> rows;
  rows.reserve(order.size());
  for (const std::size_t at : order) rows.push_back(cells_of(body.rows[at], at));
  return section("Tests",
                 ranked_table({"test", "from", "to", "source port", "path", "round", "GB/s",
                               "p50, µs", "p99, µs", "lost packets", "symptoms", "remark"},
                              rows, "tests"));
}

}  // namespace railgauge::report
