#include "results/document.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "results/exit_code.hpp"
#include "results/utc.hpp"
#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

TEST(Document, BeginsWithWhatItIsAndHowItEnded) {
  const Json json = ok_document();
  EXPECT_EQ(keys_of(json),
            (std::vector<std::string>{
                "schema",   "kind",      "tool",         "status",     "exit_code",   "reasons",
                "start",    "end",       "command_line", "options",    "environment", "hosts",
                "ranks",    "rail_rule", "warnings",     "collective", "groups",      "rows",
                "counters", "events",    "failures",     "outcome",    "findings",    "coverage"}));
  EXPECT_EQ(json["schema"], "railgauge/result/3");
  EXPECT_EQ(json["tool"].dump(),
            R"({"name":"railgauge","version":"0.1.0","commit":"0123456789ab"})");
}

TEST(Document, HasTimesInUtcWhereverItIsWritten) {
  ::setenv("TZ", "ELSEWHERE-9", 1);
  const Json json = ok_document();
  ::unsetenv("TZ");
  EXPECT_EQ(json["start"], "2026-03-01T12:00:00Z");
  EXPECT_EQ(json["end"], "2026-03-01T12:00:05Z");
}

TEST(Document, IsRunningUntilItHasAnExitCode) {
  const Json json = documents_of_every_status().at("running");
  EXPECT_EQ(json["status"], "running");
  EXPECT_TRUE(json["exit_code"].is_null());
  EXPECT_TRUE(json["end"].is_null());
}

TEST(Document, HasTheStatusOfItsExitCode) {
  for (const auto& [status, document] : documents_of_every_status()) {
    EXPECT_EQ(Json(document)["status"], status);
  }
  EXPECT_EQ(Json(timed_out_document())["exit_code"], 3);
}

/// ok_document() passes: what did not come to its end does not.
TEST(Document, PassesOnlyIfItsRunCameToItsEnd) {
  using finding::Outcome;
  Document document = ok_document();
  document.report.findings.clear();
  const auto outcome_after = [&](std::optional<ExitCode> code) {
    document.exit_code = code;
    return outcome_of(document);
  };
  EXPECT_EQ(outcome_after(ExitCode::ok), Outcome::pass);
  for (const auto code : {ExitCode::time_out, ExitCode::wrong_data})
    EXPECT_EQ(outcome_after(code), Outcome::fail);
  for (const std::optional<ExitCode> code : {std::optional<ExitCode>(),
                                             {ExitCode::interrupted},
                                             {ExitCode::usage},
                                             {ExitCode::environment}}) {
    EXPECT_EQ(outcome_after(code), Outcome::inconclusive);
    EXPECT_EQ(finding::outcome(report_of(document)), Outcome::inconclusive);
    EXPECT_EQ(finding::in_short(report_of(document)), "run: tested 0 of 1: " + status_of(document));
  }
}

TEST(Document, SaysHowRailsWereNumbered) {
  EXPECT_EQ(Json(ok_document())["rail_rule"].dump(),
            R"({"rule":"shared subnets","reason":"each subnet is on several hosts"})");
}

TEST(Document, KeepsOptionsWithTheirTypeAndOrigin) {
  const Json options = Json(ok_document())["options"];
  EXPECT_EQ(options["minbytes"].dump(), R"({"value":"1M","origin":"command line"})");
  EXPECT_EQ(options["iters"].dump(), R"({"value":20,"origin":"default"})");
  EXPECT_EQ(options["timeout"].dump(), R"({"value":30.0,"origin":"environment"})");
  EXPECT_EQ(options["force"].dump(), R"({"value":false,"origin":"default"})");
}

TEST(Document, KeepsTheEnvironmentItWasGiven) {
  EXPECT_EQ(Json(ok_document())["environment"].dump(), R"({"RAILGAUGE_TIMEOUT":"30"})");
}

TEST(Document, KeepsCountersAndFailures) {
  const Json json = timed_out_document();
  EXPECT_EQ(json["counters"][3].dump(),
            R"({"host":"host1","device":"rxe1","port":1,"rail":1,"plane":0,"address":"10.11.0.2",)"
            R"("before":{"rcvd_pkts":10,"retry_exceeded_err":0,"sent_pkts":10},)"
            R"("after":{"rcvd_pkts":9000,"retry_exceeded_err":4,"sent_pkts":9000}})");
  EXPECT_EQ(
      json["failures"][1].dump(),
      R"({"rank":0,"host":"host0","kind":"time-out","text":"step 3 waits for rank 3 on host1",)"
      R"("findings":[]})");
}

TEST(Document, OfNothingHasEmptyListsAndNotNull) {
  const Json json = Document{};
  for (const auto* const list :
       {"reasons", "command_line", "hosts", "ranks", "warnings", "rows", "counters", "failures"}) {
    EXPECT_EQ(json[list].dump(), "[]") << list;
  }
  EXPECT_EQ(json["options"].dump(), "{}");
  EXPECT_EQ(json["environment"].dump(), "{}");
}

TEST(Document, IsWrittenWhateverBytesTheCommandLineHas) {
  Document document;
  document.command_line = {"all_reduce_perf", "\xff\"\n"};
  const Json read = Json::parse(json_text(document));
  EXPECT_EQ(read["command_line"][1], "\xef\xbf\xbd\"\n");
}

TEST(ExitCode, HasItsDocumentedNumberAndWord) {
  struct Documented {
    ExitCode code;
    int number;
    std::string_view word;
  };
  for (const auto& [code, number, word] :
       {Documented{ExitCode::ok, 0, "ok"}, Documented{ExitCode::verdict_failed, 1, "failed"},
        Documented{ExitCode::usage, 2, "usage"}, Documented{ExitCode::time_out, 3, "time-out"},
        Documented{ExitCode::wrong_data, 4, "wrong-data"},
        Documented{ExitCode::environment, 5, "environment"},
        Documented{ExitCode::interrupted, 130, "interrupted"}}) {
    EXPECT_EQ(static_cast<int>(code), number);
    EXPECT_EQ(status_word(code), word);
  }
}

TEST(ExitCode, HasNoWordForAnotherNumber) {
  EXPECT_EQ(status_word(static_cast<ExitCode>(99)), "");
}

TEST(Utc, IsIsoToTheSecond) {
  const std::chrono::system_clock::time_point time{std::chrono::milliseconds(1'772'366'400'999)};
  EXPECT_EQ(utc(time), "2026-03-01T12:00:00Z");
}

}  // namespace
}  // namespace railgauge::results
