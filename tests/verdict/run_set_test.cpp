#include "verdict/run_set.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tree.hpp"
#include "verdict/library.hpp"

namespace railgauge::verdict {
namespace {

using Json = nlohmann::ordered_json;

Json example(const std::string& name) {
  return read_json(in_tree("results-schema/examples/") + name);
}

RunSet judged(const Json& json, const std::string& name = "") {
  return run_set_of(input_of(json, name), name);
}

TEST(RunSet, IsReadFromAResult) {
  const RunSet run_set = judged(example("ok.json"), "ok.json");
  EXPECT_EQ(run_set.name, "ok.json");
  EXPECT_EQ(run_set.kind, "collective");
  ASSERT_EQ(run_set.runs.size(), 1u);
  const verdict::Run& run = run_set.runs[0];
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.ranks, 4);
  EXPECT_EQ(run.nodes, 2);
  EXPECT_EQ(run.nics_per_node, 2);  // both ranks of a host use the same
  EXPECT_EQ(run.line_rate_gigabits_per_second, 2.5);
  EXPECT_TRUE(run.beside_nics && run.beside_nics->empty());
  ASSERT_EQ(run.points.size(), 3u);
  EXPECT_EQ(run.points[0].time_us, 4000.0);
  EXPECT_EQ(run.points[0].busbw_gigabytes_per_second, 0.393216);
  EXPECT_EQ(run.points[0].median_interval.has_value(), run.points[0].p999_us.has_value());
  ASSERT_EQ(run_set.ports.size(), 4u);
  EXPECT_EQ(run_set.ports[0].port, "host0 rxe0/1");
  EXPECT_EQ(run_set.ports[0].deltas.at("rcvd_pkts"), 8990);
  EXPECT_EQ(run_set.ports[0].deltas.at("retry_exceeded_err"), 0);
}

TEST(RunSet, KnowsWhatRanksGotOfTheProcessorsThatTheyWanted) {
  Json json = example("ok.json");
  const auto share = [&] { return judged(json).runs.at(0).points.at(0).granted_share; };
  const Json starved = {{"rank", 0}, {"wall_us", 1000.0}, {"ran_us", 50.0}, {"queued_us", 750.0}};
  Json& loads = json["rows"][0]["rank_loads"];
  loads = {starved, {{"rank", 1}, {"wall_us", 1000.0}, {"ran_us", 150.0}, {"queued_us", 50.0}}};
  EXPECT_EQ(share(), 0.2) << "what they slept is no matter";
  loads = {starved, {{"rank", 1}, {"wall_us", 1000.0}, {"ran_us", 150.0}, {"queued_us", nullptr}}};
  EXPECT_EQ(share(), std::nullopt);
  loads = {{{"rank", 0}, {"wall_us", 1000.0}, {"ran_us", 0.0}, {"queued_us", 0.0}}};
  EXPECT_EQ(share(), std::nullopt);
}

TEST(RunSet, KeepsRailsApartAndKnowsIntervals) {
  Json json = example("ok.json");
  json["rows"][0]["rails"] = {0};
  json["rows"][1]["rails"] = {0, 1};
  json["options"]["same-host"] = {{"value", "memory"}, {"origin", "command line"}};
  Json& placement = json["rows"][0]["out_of_place"];
  placement["time"]["p999_us"] = 4050.0;
  placement["median_interval_us"] = {{"low_us", 3999.0}, {"high_us", 4001.0}, {"confidence", 0.95}};
  const RunSet run_set = judged(json);
  ASSERT_EQ(run_set.runs.size(), 2u);
  EXPECT_EQ(run_set.runs[0].nics_per_node, 1);
  EXPECT_EQ(run_set.runs[1].nics_per_node, 2);
  EXPECT_EQ(run_set.runs[0].beside_nics, std::vector<std::string>{"memory"});
  const Point& point = run_set.runs[0].points[0];
  EXPECT_EQ(point.p999_us, 4050.0);
  EXPECT_EQ(point.median_interval->low_us, 3999.0);
}

TEST(RunSet, KeepsSettingsApart) {
  Json json = example("ok.json");
  json["rows"].push_back(json["rows"][0]);
  json["rows"][1]["queue_pairs"] = 2;
  Json& time = json["rows"][1]["out_of_place"]["time"]["p50_us"];
  time = 0.6 * time.get<double>();  // would be a dip of the other curve
  const RunSet run_set = judged(json);
  ASSERT_EQ(run_set.runs.size(), 2u);
  EXPECT_EQ(run_set.runs[0].name, "1 queue pair");
  EXPECT_EQ(run_set.runs[1].name, "2 queue pairs");
  EXPECT_EQ(run_set.runs[1].point->queue_pairs, 2);
  EXPECT_EQ(judged(example("ok.json")).runs[0].name, "");
}

TEST(RunSet, TakesCyclesForRepetitions) {
  Json json = example("ok.json");
  const auto points = judged(json).runs[0].points.size();
  json["rows"].push_back(json["rows"][0]);
  json["rows"].back()["cycle"] = 1;
  const RunSet run_set = judged(json);
  ASSERT_EQ(run_set.runs.size(), 1u);
  EXPECT_EQ(run_set.runs[0].points.size(), points);
}

/// Soft devices of the ranks of one host have one name.
TEST(RunSet, TellsPortsOfOneNameApart) {
  Json json = example("ok.json");
  EXPECT_EQ(judged(json).ports[0].port, "host0 rxe0/1");
  EXPECT_EQ(judged(json).ports[1].where.at.rail, 1);
  json["counters"].push_back(json["counters"][0]);
  json["counters"].back()["address"] = "10.10.0.9";
  const RunSet run_set = judged(json);
  EXPECT_EQ(run_set.ports[0].port, "host0 rxe0/1 10.10.0.1");
  EXPECT_EQ(run_set.ports.back().port, "host0 rxe0/1 10.10.0.9");
  EXPECT_EQ(run_set.ports[1].port, "host0 rxe1/1");
}

std::vector<std::string> why_not(const Json& json) {
  return reasons(*judged(json).report);
}

TEST(RunSet, SaysWhyARunIsNotWhole) {
  Json late = example("time-out.json");
  late["findings"].clear();
  EXPECT_EQ(why_not(late), std::vector<std::string>{
                               "fabric: the run did not end well: time-out; all_reduce of 4M did "
                               "not end within 30 s"});
  late["reasons"][0] = "one line\nand what every channel waits for";
  EXPECT_EQ(why_not(late),
            std::vector<std::string>{"fabric: the run did not end well: time-out; one line"});
  Json json = example("ok.json");
  json["findings"].clear();
  EXPECT_TRUE(why_not(json).empty());
  json["exit_code"] = 130;
  EXPECT_EQ(outcome(*judged(json).report), finding::Outcome::inconclusive);
  json["exit_code"] = 0;
  json["rows"][0]["in_place"]["wrong"] = 7;
  EXPECT_EQ(why_not(json).size(), 1U);
  EXPECT_EQ(why_not(json)[0].find("fabric: 1048576 bytes in_place: elements are wrong"), 0U);
  json["rows"].clear();
  EXPECT_EQ(why_not(json), std::vector<std::string>{"run: tested 0 of 1: nothing was measured"});
}

/// Exit status, document, comparison and report agree on every end of a run.
TEST(RunSet, HasTheOutcomeOfItsDocument) {
  for (const char* name : {"ok.json", "pairs.json"}) {
    Json json = example(name);
    json["findings"].clear();
    for (const Json& code :
         {Json(0), Json(1), Json(2), Json(3), Json(4), Json(5), Json(130), Json()}) {
      json["exit_code"] = code;
      EXPECT_EQ(outcome(*judged(json).report), outcome_of(results::read_document(json)))
          << name << " " << code;
    }
  }
}

/// That nothing failed is no pass.
TEST(RunSet, OfAnEmptyDocumentIsInconclusive) {
  Json json = example("ok.json");
  for (const char* list : {"rows", "findings", "coverage"}) json[list].clear();
  EXPECT_EQ(outcome(*judged(json).report), finding::Outcome::inconclusive);
}

TEST(RunSet, MayBeWithoutCurves) {
  const RunSet run_set = judged(example("pairs.json"));
  EXPECT_EQ(run_set.kind, "pairs");
  EXPECT_TRUE(run_set.runs.empty());
  EXPECT_FALSE(run_set.keyed.empty());
}

TEST(RunSet, MayBeAnImportedLog) {
  const Json json = read_json(in_tree("results-schema/reference/nebius-h100-ib.json"));
  EXPECT_EQ(judged(json).runs.size(), 1u);
}

TEST(RunSet, SaysHowALogEndedThoughTheLogDoesNotSayWhy) {
  const auto why = [](Ended how) { return reasons(*report_of({.how = how})).at(0); };
  EXPECT_EQ(why(Ended::cut), "run: tested 0 of 1: the log: cut, and it does not say why");
  EXPECT_EQ(why(Ended::failed).find("fabric: the log: failed, and it does not say why"), 0U);
  EXPECT_FALSE(report_of({.how = Ended::unknown}));
  EXPECT_EQ(outcome(*report_of({.how = Ended::complete})), finding::Outcome::pass);
}

/// No memory is at fault where a benchmark prints nan.
TEST(RunSet, OfALogWithWrongDataHasARemedyForBoth) {
  const auto report = report_of({.how = Ended::wrong_data, .reasons = {"line 15: busbw is inf"}});
  EXPECT_NE(report->findings.at(0).remedy.find("nan and inf from the benchmark"),
            std::string::npos);
}

TEST(RunSet, IsNoOtherDocument) {
  EXPECT_THROW(input_of(Json::array(), "x"), std::runtime_error);
  EXPECT_THROW(input_of({{"schema", "railgauge/policy/1"}}, "x"), std::runtime_error);
  Json json = example("ok.json");
  json["rows"][0]["out_of_place"]["time"].erase("p50_us");
  EXPECT_THROW(input_of(json, "x"), std::runtime_error);
}

/// Figures that contradict each other: eight times the bandwidth, or milliseconds for microseconds.
TEST(RunSet, RefusesFiguresThatContradictEachOther) {
  using Change = void (*)(Json&);
  const Change eightfold = [](Json& row) {
    for (const char* field : {"algbw_gigabytes_per_second", "busbw_gigabytes_per_second"})
      row["out_of_place"][field] = 8 * row["out_of_place"][field].get<double>();
  };
  const Change bus_alone = [](Json& row) {
    Json& busbw = row["out_of_place"]["busbw_gigabytes_per_second"];
    busbw = 8 * busbw.get<double>() + 1;
  };
  const Change milliseconds = [](Json& row) {
    Json& time = row["out_of_place"]["time"]["p50_us"];
    time = time.get<double>() / 1e3;
  };
  for (const Change change : {eightfold, bus_alone, milliseconds}) {
    Json json = example("ok.json");
    change(json["rows"][0]);
    EXPECT_THROW(judged(json), std::runtime_error);
  }
  EXPECT_FALSE(judged(example("ok.json")).runs.empty());
}

/// Of groups of ranks (--split) busbw is that of one: of two ranks that reduce it is algbw.
TEST(RunSet, OfGroupsOfRanksHasTheirBusBandwidth) {
  const auto of = [](double factor) {
    Json json = example("ok.json");
    json["groups"] = {{0, 2}, {1, 3}};
    for (Json& row : json["rows"]) {
      row["split"] = "MOD 2";
      for (const char* place : {"out_of_place", "in_place"}) {
        Json& figures = row[place];
        if (figures.is_null()) continue;
        const double algbw = 40;
        figures["algbw_gigabytes_per_second"] = algbw;
        figures["busbw_gigabytes_per_second"] = factor * algbw;
        figures["time"]["p50_us"] = row["size_bytes"].get<double>() / algbw / 1e3;
      }
    }
    return json;
  };
  const RunSet run_set = judged(of(1));
  ASSERT_EQ(run_set.runs.size(), 1U);
  EXPECT_EQ(run_set.runs[0].split, "MOD 2");
  EXPECT_EQ(run_set.runs[0].group_ranks, 2);
  EXPECT_EQ(run_set.runs[0].ranks, 4);
  EXPECT_THROW(judged(of(1.5)), std::runtime_error) << "that of all ranks";
  Json whole = of(1.5);
  whole.erase("groups");
  EXPECT_EQ(judged(whole).runs.at(0).group_ranks, 4) << "the rule made one group of all ranks";
}

}  // namespace
}  // namespace railgauge::verdict
