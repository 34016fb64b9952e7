#include <array>
#include <set>
#include <sstream>

#include "results/lines.hpp"
#include "results/utc.hpp"

namespace railgauge::results {
namespace {

/// A column's name and how its text comes from what a line is about.
template <class Line>
struct Column {
  const char* name;
  std::string (*text)(const Line&);
};

template <class T>
std::string text_of(const T& value) {
  std::ostringstream text;
  text << std::boolalpha << value;
  return text.str();
}

template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : "";
}

/// As RFC 4180 has it: quoted if it would be taken for several.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string safe;
  for (const char character : text) {
    safe += character;
    if (character == '"') safe += '"';
  }
  return '"' + safe + '"';
}

template <class Columns>
std::string header_of(const Columns& columns) {
  std::string header;
  for (const auto& column : columns)
    header += (header.empty() ? "" : ",") + std::string(column.name);
  return header;
}

template <class Columns, class Line>
std::string line_of(const Columns& columns, const Line& line) {
  std::string text;
  for (const auto& column : columns) {
    if (&column != &columns.front()) text += ',';
    text += quoted(column.text(line));
  }
  return text;
}

/// A row in one buffer mode.
struct CollectiveLine {
  const Document& document;
  const std::string& collective;
  const CollectiveRow& row;
  const Measured& measured;

  [[nodiscard]] const Measurement& found() const { return measured.measurement; }
  [[nodiscard]] std::size_t hosts() const {
    std::set<std::string> names;
    for (const Rank& rank : document.ranks) names.insert(rank.host);
    return names.size();
  }
};

using C = CollectiveLine;
constexpr auto kCollective = std::to_array<Column<C>>({
    {"measured", [](const C& line) { return utc(line.row.measured); }},
    {"collective", [](const C& line) { return line.collective; }},
    {"algorithm", [](const C& line) { return line.row.algorithm; }},
    {"type", [](const C& line) { return line.row.type; }},
    {"op", [](const C& line) { return line.row.op; }},
    {"root", [](const C& line) { return text_of(line.row.point.root); }},
    {"ranks", [](const C& line) { return text_of(line.document.ranks.size()); }},
    {"hosts", [](const C& line) { return text_of(line.hosts()); }},
    {"rails", [](const C& line) { return rails_of(line.row.point); }},
    {"queue_pairs", [](const C& line) { return text_of(line.row.point.queue_pairs); }},
    {"chunk_bytes", [](const C& line) { return text_of(line.row.point.chunk_bytes); }},
    {"traffic_class", [](const C& line) { return text_of(line.row.point.traffic_class); }},
    {"unreduced", [](const C& line) { return text_of(line.row.point.unreduced); }},
    {"cycle", [](const C& line) { return text_of(line.row.cycle); }},
    {"size_bytes", [](const C& line) { return text_of(line.row.size_bytes); }},
    {"count", [](const C& line) { return text_of(line.row.count); }},
    {"buffers", [](const C& line) { return std::string(word(line.measured.mode)); }},
    {"n", [](const C& line) { return text_of(line.found().time.n); }},
    {"min_us", [](const C& line) { return text_of(line.found().time.min_us); }},
    {"p50_us", [](const C& line) { return text_of(line.found().time.p50_us); }},
    {"p90_us", [](const C& line) { return text_of(line.found().time.p90_us); }},
    {"p99_us", [](const C& line) { return text_of(line.found().time.p99_us); }},
    {"p999_us", [](const C& line) { return text_of(line.found().time.p999_us); }},
    {"max_us", [](const C& line) { return text_of(line.found().time.max_us); }},
    {"algbw_gigabytes_per_second",
     [](const C& line) { return text_of(line.found().algbw_gigabytes_per_second); }},
    {"busbw_gigabytes_per_second",
     [](const C& line) { return text_of(line.found().busbw_gigabytes_per_second); }},
    {"line_rate_percent", [](const C& line) { return text_of(line.found().line_rate_percent); }},
    {"wrong", [](const C& line) { return text_of(line.found().wrong); }},
});

using R = ReachabilityRow;
constexpr auto kReachability = std::to_array<Column<R>>({
    {"from_host", [](const R& row) { return row.from.host; }},
    {"from_rail", [](const R& row) { return text_of(row.from.rail); }},
    {"from_plane", [](const R& row) { return text_of(row.from.plane); }},
    {"from_device", [](const R& row) { return row.from.device; }},
    {"from_port", [](const R& row) { return text_of(row.from.port); }},
    {"from_address", [](const R& row) { return row.from.address; }},
    {"to_host", [](const R& row) { return row.to.host; }},
    {"to_rail", [](const R& row) { return text_of(row.to.rail); }},
    {"to_plane", [](const R& row) { return text_of(row.to.plane); }},
    {"to_device", [](const R& row) { return row.to.device; }},
    {"to_port", [](const R& row) { return text_of(row.to.port); }},
    {"to_address", [](const R& row) { return row.to.address; }},
    {"same_rail", [](const R& row) { return text_of(row.same_rail); }},
    {"reached", [](const R& row) { return text_of(row.reached); }},
    {"latency_us", [](const R& row) { return text_of(row.latency_us); }},
    {"gigabytes_per_second", [](const R& row) { return text_of(row.gigabytes_per_second); }},
    {"reason", [](const R& row) { return row.reason; }},
    {"ran_share", [](const R& row) { return text_of(row.ran_share); }},
});

using P = PairRow;

template <class Get>
std::string time_of(const P& row, const Get& get) {
  return row.figures.time ? text_of(get(*row.figures.time)) : "";
}

constexpr auto kPairs = std::to_array<Column<P>>({
    {"from_host", [](const P& row) { return row.from.host; }},
    {"from_rail", [](const P& row) { return text_of(row.from.rail); }},
    {"from_plane", [](const P& row) { return text_of(row.from.plane); }},
    {"from_device", [](const P& row) { return row.from.device; }},
    {"from_port", [](const P& row) { return text_of(row.from.port); }},
    {"from_address", [](const P& row) { return row.from.address; }},
    {"to_host", [](const P& row) { return row.to.host; }},
    {"to_rail", [](const P& row) { return text_of(row.to.rail); }},
    {"to_plane", [](const P& row) { return text_of(row.to.plane); }},
    {"to_device", [](const P& row) { return row.to.device; }},
    {"to_port", [](const P& row) { return text_of(row.to.port); }},
    {"to_address", [](const P& row) { return row.to.address; }},
    {"same_rail", [](const P& row) { return text_of(row.same_rail); }},
    {"mode", [](const P& row) { return row.mode; }},
    {"gigabytes_per_second",
     [](const P& row) { return text_of(row.figures.gigabytes_per_second); }},
    {"line_rate_percent", [](const P& row) { return text_of(row.figures.line_rate_percent); }},
    {"messages", [](const P& row) { return text_of(row.figures.messages); }},
    {"p50_us", [](const P& row) { return time_of(row, [](const auto& t) { return t.p50_us; }); }},
    {"p99_us", [](const P& row) { return time_of(row, [](const auto& t) { return t.p99_us; }); }},
    {"p999_us", [](const P& row) { return time_of(row, [](const auto& t) { return t.p999_us; }); }},
    {"max_us", [](const P& row) { return time_of(row, [](const auto& t) { return t.max_us; }); }},
    {"retransmissions", [](const P& row) { return text_of(row.figures.retransmissions); }},
    {"attempts", [](const P& row) { return text_of(1 + row.earlier.size()); }},
    {"alone", [](const P& row) { return text_of(row.alone); }},
    {"verdict", [](const P& row) { return std::string(word(row.verdict)); }},
    {"reason", [](const P& row) { return row.figures.reason; }},
    {"switches", [](const P& row) { return text_of(row.switches); }},
    {"path_label", [](const P& row) { return std::string(word(row.path_label)); }},
    {"path", [](const P& row) { return path_text(row); }},
});

std::string rails_of(const SoakRow& row) {
  std::string text;
  for (const unsigned rail : row.phase.rails) {
    text += (text.empty() ? "" : "+") + std::to_string(rail);
  }
  return text;
}

using S = SoakRow;
constexpr auto kSoak = std::to_array<Column<S>>({
    {"collective", [](const S& row) { return row.phase.collective; }},
    {"algorithm", [](const S& row) { return row.phase.algorithm; }},
    {"rails", [](const S& row) { return rails_of(row); }},
    {"size_bytes", [](const S& row) { return text_of(row.phase.size_bytes); }},
    {"iterations", [](const S& row) { return text_of(row.iterations); }},
    {"verified_iterations", [](const S& row) { return text_of(row.verified_iterations); }},
    {"wrong", [](const S& row) { return text_of(row.wrong); }},
    {"bytes", [](const S& row) { return text_of(row.bytes); }},
    {"p50_us", [](const S& row) { return text_of(row.p50_us); }},
    {"p99_us", [](const S& row) { return text_of(row.p99_us); }},
    {"p999_us", [](const S& row) { return text_of(row.p999_us); }},
    {"max_us", [](const S& row) { return text_of(row.max_us); }},
    {"busbw_gigabytes_per_second",
     [](const S& row) { return text_of(row.busbw_gigabytes_per_second); }},
    {"jct_ratio", [](const S& row) { return text_of(row.jct_ratio); }},
    {"jct_ratio_deviation", [](const S& row) { return text_of(row.jct_ratio_deviation); }},
});

/// "10.1.0.1>>10.1.1.1": what is not known is nothing.
std::string hops_of(const IsolateRow& row) {
  std::string text;
  for (std::size_t at = 0; at < row.hops.size(); ++at) text += (at == 0 ? "" : ">") + row.hops[at];
  return text;
}

using I = IsolateRow;
constexpr auto kIsolate = std::to_array<Column<I>>({
    {"from_host", [](const I& row) { return row.from.host; }},
    {"from_rail", [](const I& row) { return text_of(row.from.rail); }},
    {"from_device", [](const I& row) { return row.from.device; }},
    {"from_address", [](const I& row) { return row.from.address; }},
    {"to_host", [](const I& row) { return row.to.host; }},
    {"to_rail", [](const I& row) { return text_of(row.to.rail); }},
    {"to_device", [](const I& row) { return row.to.device; }},
    {"to_address", [](const I& row) { return row.to.address; }},
    {"source_port", [](const I& row) { return text_of(row.source_port); }},
    {"round", [](const I& row) { return text_of(row.round); }},
    {"alone", [](const I& row) { return text_of(row.alone); }},
    {"hops", &hops_of},
    {"sprayed", [](const I& row) { return text_of(row.sprayed); }},
    {"failed", [](const I& row) { return text_of(row.failed); }},
    {"gigabytes_per_second", [](const I& row) { return text_of(row.gigabytes_per_second); }},
    {"p50_us", [](const I& row) { return text_of(row.p50_us); }},
    {"p99_us", [](const I& row) { return text_of(row.p99_us); }},
    {"packets", [](const I& row) { return text_of(row.packets); }},
    {"lost_packets", [](const I& row) { return text_of(row.lost_packets); }},
    {"waited_share", [](const I& row) { return text_of(row.waited_share); }},
    {"void_because", [](const I& row) { return row.void_because; }},
    {"symptoms", [](const I& row) { return row.symptoms; }},
    {"reason", [](const I& row) { return row.reason; }},
});

std::vector<std::string> lines_of(const Document& document, const CollectiveBody& body,
                                  std::size_t row) {
  std::vector<std::string> lines;
  for (const Measured& measured : measurements_of(body.rows.at(row))) {
    lines.push_back(
        line_of(kCollective, C{document, body.collective, body.rows.at(row), measured}));
  }
  return lines;
}

std::vector<std::string> lines_of(const Document& /*document*/, const ReachabilityBody& body,
                                  std::size_t row) {
  return {line_of(kReachability, body.rows.at(row))};
}

std::vector<std::string> lines_of(const Document& /*document*/, const PairsBody& body,
                                  std::size_t row) {
  return {line_of(kPairs, body.rows.at(row))};
}

std::vector<std::string> lines_of(const Document& /*document*/, const SoakBody& body,
                                  std::size_t row) {
  return {line_of(kSoak, body.rows.at(row))};
}

std::vector<std::string> lines_of(const Document& /*document*/, const IsolateBody& body,
                                  std::size_t row) {
  return {line_of(kIsolate, body.rows.at(row))};
}

}  // namespace

std::string csv_header(const Body& body) {
  return std::visit(ForKind{[](const CollectiveBody&) { return header_of(kCollective); },
                            [](const ReachabilityBody&) { return header_of(kReachability); },
                            [](const PairsBody&) { return header_of(kPairs); },
                            [](const SoakBody&) { return header_of(kSoak); },
                            [](const IsolateBody&) { return header_of(kIsolate); }},
                    body);
}

std::vector<std::string> csv_lines(const Document& document, std::size_t row) {
  return std::visit([&](const auto& body) { return lines_of(document, body, row); }, document.body);
}

}  // namespace railgauge::results
