#include <algorithm>

#include "results/document_codec.hpp"
#include "results/json_fields.hpp"

namespace railgauge::results {
namespace {

constexpr const char* kResult = "railgauge/result/2";
constexpr const char* kResult1 = "railgauge/result/1";
constexpr const char* kReachability1 = "railgauge/reachability/1";

/// A body of that kind, empty.
template <std::size_t number = 0>
Body body_of(const std::string& kind) {
  if constexpr (number < std::variant_size_v<Body>) {
    using Kind = std::variant_alternative_t<number, Body>;
    if (kind == Kind::kKind) return Kind{};
    return body_of<number + 1>(kind);
  } else {
    throw std::runtime_error("this railgauge does not know results of the kind '" + kind + "'");
  }
}

Document read(const Json& json, const std::string& kind) {
  Document document;
  document.body = body_of(kind);
  decode(json, document);
  return document;
}

/// In version 1 all results were of collectives, and a chunk was a slice.
Document read_result_1(Json json) {
  if (json.contains("rows") && json["rows"].is_array()) {
    for (Json& row : json["rows"]) {
      if (row.is_object() && row.contains("slice_bytes")) row["chunk_bytes"] = row["slice_bytes"];
    }
  }
  return read(json, CollectiveBody::kKind);
}

/// railgauge/reachability/1: its NICs, and its pairs as places in the list of them.
struct Nic1 {
  Endpoint end{};
  RankRail rail{};
  bool software = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    Endpoint::fields(self.end, visit);
    RankRail::fields(self.rail, visit);
    visit("software", self.software);
  }
};

struct Pair1 {
  std::size_t from = 0;
  std::size_t to = 0;
  ReachabilityRow row{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("from", self.from);
    visit.required("to", self.to);
    ReachabilityRow::result_fields(self.row, visit);
  }
};

struct Summary1 {
  ReachabilitySummary summary{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    ReachabilitySummary::fields(self.summary, visit);
    visit("asked", self.summary.tested);
  }
};

struct Reachability1 {
  Tool tool{};
  std::chrono::system_clock::time_point start{};
  std::vector<std::string> command_line{};
  std::vector<std::string> wrong{};
  std::vector<Summary1> kinds{};
  std::vector<Nic1> nics{};
  std::vector<Pair1> pairs{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("tool", self.tool);
    visit("start", self.start);
    visit("command_line", self.command_line);
    visit("wrong", self.wrong);
    visit("kinds", self.kinds);
    visit.required("nics", self.nics);
    visit.required("pairs", self.pairs);
  }
};

/// One process was on each host.
std::vector<Rank> ranks_of(const std::vector<Nic1>& nics) {
  std::vector<Rank> ranks;
  for (const Nic1& nic : nics) {
    auto rank = std::ranges::find(ranks, nic.end.host, &Rank::host);
    if (rank == ranks.end()) {
      const int number = static_cast<int>(ranks.size());
      rank = ranks.insert(rank, Rank{.rank = number, .host = nic.end.host});
    }
    rank->rails.push_back(nic.rail);
    if (nic.software) rank->rails.back().kind = DeviceKind::software;
  }
  return ranks;
}

const Endpoint& end_of(const std::vector<Nic1>& nics, std::size_t place) {
  if (place < nics.size()) return nics[place].end;
  throw std::runtime_error("a pair is of NIC " + std::to_string(place) + ", and there are " +
                           std::to_string(nics.size()));
}

ReachabilityBody body_of(Reachability1 old) {
  ReachabilityBody body{.findings = std::move(old.wrong)};
  for (const Summary1& kind : old.kinds) body.summary.push_back(kind.summary);
  for (Pair1& pair : old.pairs) {
    pair.row.from = end_of(old.nics, pair.from);
    pair.row.to = end_of(old.nics, pair.to);
    body.rows.push_back(std::move(pair.row));
  }
  return body;
}

/// It was written at the end of a run only.
Document read_reachability_1(const Json& json) {
  Reachability1 old;
  decode(json, old);
  Document document{.tool = old.tool, .start = old.start, .command_line = old.command_line};
  document.exit_code = old.wrong.empty() ? ExitCode::ok : ExitCode::verdict_failed;
  document.reasons = old.wrong;
  document.ranks = ranks_of(old.nics);
  for (const Rank& rank : document.ranks) document.hosts.push_back({.name = rank.host});
  document.body = body_of(std::move(old));
  return document;
}

}  // namespace

bool is_result(const Json& json) {
  const std::string schema = json.is_object() ? text_or_none(json, "schema") : "";
  return schema == kResult || schema == kResult1 || schema == kReachability1;
}

Document read_document(const Json& json) {
  expect_schema(json, {kResult, kResult1, kReachability1});
  const auto schema = wanted<std::string>(json, "schema");
  if (schema == kResult1) return read_result_1(json);
  if (schema == kReachability1) return read_reachability_1(json);
  return read(json, wanted<std::string>(json, "kind"));
}

}  // namespace railgauge::results
