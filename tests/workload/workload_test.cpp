#include "workload/workload.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "workload/documents.hpp"

namespace railgauge::workload {
namespace {

std::string refused(const std::string& text) {
  return error_of([&] { (void)read(text); });
}

/// A single stream of these operations.
std::string stream(const std::string& operations, const std::string& more = "") {
  return document(R"({"name": "main", "operations": [)" + operations + "]}", more);
}

constexpr const char* kAll = R"("groups": [{"name": "all", "size": "ranks"}],)";
constexpr const char* kReduce =
    R"({"name": "r", "kind": "collective", "type": "all_reduce", "group": "all", "bytes": 8})";

TEST(Workload, ComesBackAsItWasRead) {
  const Workload first = read(stream(
      std::string(kReduce) +
          R"(, {"kind": "block", "times": "2 * 3", "index": "i", "operations": [{"name": "c", "kind": "compute", "microseconds": "i", "after": ["r"]}]})",
      kAll));
  EXPECT_EQ(first.steps, 10U);
  const Operation& block = first.classes[0].streams[0].operations[1];
  EXPECT_EQ(block.times.text, "2 * 3");
  EXPECT_EQ(block.operations[0].at, "classes[0].streams[0].operations[1].operations[0]");
  const std::string text = as_json(first).dump(1);
  EXPECT_EQ(as_json(read(text)).dump(1), text);
  EXPECT_NE(text.find(R"("bytes": 8)"), std::string::npos) << text;
  EXPECT_EQ(text.find("microseconds\": \"\""), std::string::npos) << text;
}

TEST(Workload, IsRefusedWithThePlace) {
  EXPECT_NE(refused("{").find("workload test.json: "), std::string::npos);
  EXPECT_EQ(refused("{\"schema\": \"railgauge/plan/1\"}"),
            "workload test.json:1: the field 'schema' is 'railgauge/plan/1'; this railgauge reads "
            "railgauge/workload/1");
  EXPECT_EQ(refused(stream(R"({"name": "x", "kind": "compute"})")),
            "workload test.json:2: the field 'classes[0].streams[0].operations[0].microseconds' is "
            "missing: a compute needs it");
  EXPECT_EQ(refused(stream(R"({"name": "x", "kind": "marker", "bytes": 8})")),
            "workload test.json:2: the field 'classes[0].streams[0].operations[0].bytes' means "
            "nothing to a marker: leave it out");
  EXPECT_EQ(refused(stream(kReduce)),
            "workload test.json:2: the field 'classes[0].streams[0].operations[0].group' is 'all', "
            "which is no group: there are none");
  EXPECT_NE(refused(stream(R"({"name": "x", "kind": "compute", "microseconds": "1 +"})"))
                .find("operations[0].microseconds' is '1 +', at character 4: it ends"),
            std::string::npos);
}

TEST(Workload, AMatrixIsAnAllToAllVInNumbers) {
  const auto operation = [](const std::string& type, const std::string& fields) {
    return stream(R"({"name": "x", "kind": "collective", "group": "all", "type": ")" + type +
                      "\", " + fields + "}",
                  kAll);
  };
  const Workload found = read(operation("alltoallv", R"("matrix": [[1, 2], [3, 4]])"));
  EXPECT_EQ(job_of(found, 2).tasks[0].pairs, (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_NE(error_of([&] { (void)job_of(found, 3); }).find("3 rows of as many numbers"),
            std::string::npos);
  EXPECT_NE(refused(operation("alltoallv", R"("matrix": [[1]], "bytes": 8)")).find("leave one out"),
            std::string::npos);
  EXPECT_NE(refused(operation("alltoall", R"("matrix": [[1]])")).find("of an alltoallv"),
            std::string::npos);
}

TEST(Workload, IsRefusedForAnyFlaw) {
  const auto expect = [](const std::string& text, const std::string& what) {
    const std::string found = refused(text);
    EXPECT_NE(found.find(what), std::string::npos) << what << "\n" << found;
  };
  const auto operation = [](const std::string& fields) {
    return stream(R"({"name": "x", )" + fields + "}", kAll);
  };
  expect(document(""), "");
  expect(stream(""), "streams[0].operations' is empty");
  expect(stream(kReduce, std::string(kAll) + R"("stages": 3,)"), "'stages' is unknown");
  expect(operation(R"("kind": "sleep")"), "kind' cannot be 'sleep'");
  expect(operation(R"("kind": "marker", "when": 1)"), "operations[0].when' is unknown");
  expect(operation(R"("kind": "collective", "type": "allreduce", "group": "all", "bytes": 8)"),
         "type' is 'allreduce': expected one of all_reduce");
  expect(operation(R"("kind": "collective", "type": "all_reduce", "group": "al", "bytes": 8)"),
         "which is no group: there are all");
  expect(operation(R"("kind": "collective", "type": "all_reduce", "group": "all")"),
         "bytes' is missing");
  expect(operation(R"("kind": "collective", "type": "barrier", "group": "all", "bytes": 8)"),
         "bytes' are of no barrier");
  expect(
      operation(
          R"("kind": "collective", "type": "all_gather", "group": "all", "bytes": 8, "data": "int8")"),
      "all_gather only moves");
  expect(
      operation(
          R"("kind": "collective", "type": "all_reduce", "group": "all", "bytes": 8, "data": "int7")"),
      "is no element type");
  expect(operation(R"("kind": "send", "bytes": 8)"), "to' is missing: a send needs it");
  expect(operation(R"("kind": "compute", "microseconds": 1.5)"), "wrong type");
  expect(operation(R"("kind": "marker", "after": ["y"])"),
         "after[0]' is 'y', which is no operation of this class: it has x");
  expect(stream(R"({"name": "b", "kind": "block", "operations": []})"), "means nothing to a block");
  expect(stream(R"({"kind": "block", "operations": []})"), "operations' is missing");
  expect(stream(R"({"kind": "marker"})"), "name' is missing");
  expect(stream(kReduce, R"("groups": [{"name": "all"}],)"), "groups[0]' has to have one of");
  expect(stream(kReduce, R"("groups": [{"name": "all", "color": 1, "size": 1}],)"),
         "groups[0]' has to have one of");
  expect(stream(kReduce, R"("groups": [{"name": "all", "size": 1}, {"name": "all", "size": 1}],)"),
         "groups[1].name' is 'all', as of one before it");
  expect(stream(kReduce, std::string(kAll) + R"("parameters": [{"name": "rank", "value": 1}],)"),
         "parameters[0].name' is 'rank'");
  expect(stream(kReduce, std::string(kAll) + R"("closed_forms": [{"of": "dp", "bytes": 1}],)"),
         "closed_forms[0].of' is 'dp'");
  expect(stream(kReduce, std::string(kAll) + R"("steps": 0,)"), "steps' is 0");
  EXPECT_EQ(refused(stream(kReduce, kAll)), "");
}

}  // namespace
}  // namespace railgauge::workload
