// results-schema/ is about lib/results: what the code writes is what the schema describes, and the
// examples are what the code writes. The judge is Debian's python3-jsonschema, not code of ours.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "results/writer.hpp"
#include "sample_documents.hpp"
#include "tree.hpp"

namespace railgauge::results {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const fs::path kSchemas = in_tree("results-schema");
constexpr int kNoValidator = 77;

std::string content(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Schema : public ::testing::Test {
 protected:
  struct Answer {
    int status = -1;
    std::string text;
  };

  void SetUp() override {
    std::string name = ::testing::TempDir() + "railgauge_schema_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    const Answer answer = validate(kSchemas / "examples" / "ok.json");
    if (answer.status == kNoValidator) GTEST_SKIP() << answer.text;
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Asks results-schema/validate about files, or a pattern of files.
  static Answer validate(const fs::path& files) {
    const std::string command =
        "'" + (kSchemas / "validate").string() + "' " + files.string() + " 2>&1";
    Answer answer;
    FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return answer;
    std::array<char, 4096> part{};
    while (std::fgets(part.data(), part.size(), pipe) != nullptr) answer.text += part.data();
    answer.status = WEXITSTATUS(::pclose(pipe));
    return answer;
  }

  /// The validator's answer about an ok document after `change`.
  Answer about(const std::function<void(Json&)>& change) {
    Json document = ok_document();
    change(document);
    const fs::path file = folder_ / "changed.json";
    std::ofstream(file) << document;
    return validate(file);
  }

  fs::path folder_;
};

TEST_F(Schema, DescribesTheExamples) {
  for (const char* files : {"examples/*.json", "examples/*.jsonl"}) {
    const Answer answer = validate(kSchemas / files);
    EXPECT_EQ(answer.status, 0) << answer.text;
  }
}

TEST_F(Schema, DescribesADocumentOfEveryStatus) {
  for (const auto& [status, document] : documents_of_every_status()) {
    Writer(folder_ / (status + ".json")).write(document);
  }
  Document odd = ok_document();
  odd.command_line = {"\xff"};
  odd.ranks[0].rails.clear();
  Writer(folder_ / "odd.json").write(odd);
  Writer(folder_ / "reachability.json").write(reachability_document());
  Writer(folder_ / "pairs.json").write(pairs_document());
  Writer(folder_ / "isolate.json").write(isolate_document());
  Writer(folder_ / "congestion.json").write(congestion_document());
  Writer(folder_ / "job.json").write(job_document());
  const Answer answer = validate(folder_ / "*.json");
  EXPECT_EQ(answer.status, 0) << answer.text;
}

TEST_F(Schema, DescribesEveryLineOfJsonLines) {
  const fs::path file = folder_ / "run.jsonl";
  const auto lines = [&](const std::string& row, const Document& document = ok_document()) {
    std::ofstream(file) << head_line(document) << "\n"
                        << row << "\n"
                        << head_line(document) << "\n";
    return validate(file);
  };
  EXPECT_EQ(lines(row_line(ok_document(), 0)).status, 0);
  for (const Document& pairs : {reachability_document(), pairs_document(), isolate_document(),
                                congestion_document(), job_document()})
    EXPECT_EQ(lines(row_line(pairs, 0), pairs).status, 0) << lines(row_line(pairs, 0), pairs).text;
  const Answer answer = lines(R"({"schema":"railgauge/row/3","kind":"collective","row":{}})");
  EXPECT_EQ(answer.status, 1);
  EXPECT_NE(answer.text.find("line 2: row: 'size_bytes' is a required"), std::string::npos)
      << answer.text;
}

TEST_F(Schema, NamesTheFirstWrongField) {
  const Answer answer = about([](Json& json) { json["rows"][0]["in_place"]["time"]["n"] = "20"; });
  EXPECT_EQ(answer.status, 1);
  EXPECT_EQ(answer.text, (folder_ / "changed.json").string() +
                             ": rows[0].in_place.time.n: '20' is not of type 'integer'\n");
}

TEST_F(Schema, RefusesWhatItDoesNotDescribe) {
  const auto refused = [&](const std::string& why, const std::function<void(Json&)>& change) {
    const Answer answer = about(change);
    EXPECT_EQ(answer.status, 1) << answer.text;
    EXPECT_NE(answer.text.find(why), std::string::npos) << answer.text;
  };
  refused("schema:", [](Json& json) { json["schema"] = "railgauge/result/2"; });
  refused("kind:", [](Json& json) { json["kind"] = "latency"; });
  refused("summary: False schema does not allow",
          [](Json& json) { json["summary"] = Json::array(); });
  refused("findings[0]", [](Json& json) { json["findings"] = {"a sentence"}; });
  refused("'extra' was unexpected", [](Json& json) { json["extra"] = 1; });
  refused("'extra' was unexpected", [](Json& json) { json["rows"][0]["extra"] = 1; });
  refused("exit_code:", [](Json& json) { json["exit_code"] = 4; });
  refused("end:", [](Json& json) { json["end"] = nullptr; });
  refused("start:", [](Json& json) { json["start"] = "2026-03-01 12:00:00"; });
  refused("options.iters.origin:", [](Json& json) { json["options"]["iters"]["origin"] = "me"; });
  refused("ranks[0].rails[0].kind:",
          [](Json& json) { json["ranks"][0]["rails"][0]["kind"] = "virtual"; });
  refused("counters[0].after.sent_pkts:",
          [](Json& json) { json["counters"][0]["after"]["sent_pkts"] = "9000"; });
}

/// Calls `visit` with the place of every object in `json`, which is itself at `at`.
void each_object(const Json& json, const Json::json_pointer& at,
                 const std::function<void(const Json::json_pointer&)>& visit) {
  if (json.is_object()) visit(at);
  for (const auto& [key, value] : json.items()) {
    if (!value.is_structured()) continue;
    each_object(value, json.is_array() ? at / std::stoul(key) : at / key, visit);
  }
}

/// Where an object is, whichever of a list it is, and its fields: the schema holds all such alike.
std::string shape_of(const Json& object, const Json::json_pointer& at) {
  std::string shape = std::regex_replace(at.to_string(), std::regex("/[0-9]+"), "/#");
  for (const auto& [key, value] : object.items()) shape += " " + key;
  return shape;
}

TEST_F(Schema, MissesEveryFieldThatIsTakenAway) {
  int taken = 0;
  // Of pairs what they alone have, in a row that has all of it.
  Json pairs = pairs_document();
  pairs["rows"] = {pairs["rows"][1]};
  const Json::json_pointer whole;
  const auto places =
      std::to_array<std::pair<Json, Json::json_pointer>>({{timed_out_document(), whole},
                                                          {reachability_document(), whole},
                                                          {pairs, whole / "rows"},
                                                          {pairs, whole / "summary"},
                                                          {isolate_document(), whole},
                                                          {congestion_document(), whole},
                                                          {job_document(), whole}});
  for (const auto& [document, part] : places) {
    std::set<std::string> shapes;
    each_object(document[part], part, [&](const Json::json_pointer& at) {
      const std::string last = at.empty() ? "" : at.back();
      if (last == "options" || last == "environment" || last == "parameters" || last == "before" ||
          last == "after" || last == "moved" || last == "sender_events" ||
          last == "receiver_events")
        return;  // names are free there
      if (!shapes.insert(shape_of(document[at], at)).second) return;
      for (const auto& [key, value] : document[at].items()) {
        if (key == "per_iteration" || key == "latency") continue;  // which not all have
        Json less = document;
        less[at].erase(key);
        std::ofstream(folder_ / (std::to_string(taken++) + ".json")) << less;
      }
    });
  }
  const Answer answer = validate(folder_ / "*.json");
  EXPECT_GT(taken, 100);
  EXPECT_EQ(answer.status, 1);
  EXPECT_EQ(answer.text.find(": valid"), std::string::npos) << answer.text;
}

TEST_F(Schema, RefusesWhatIsNotJson) {
  const std::string whole = json_text(ok_document());
  std::string not_a_number = whole;  // Python would read it as a number that is not below 0
  not_a_number.replace(whole.find("4000.0"), 6, "NaN");
  const std::vector<std::string> texts{"", "{", whole.substr(1), not_a_number};
  for (const std::string& text : texts) {
    std::ofstream(folder_ / "changed.json") << text;
    const Answer answer = validate(folder_ / "changed.json");
    EXPECT_EQ(answer.status, 1) << answer.text;
  }
  EXPECT_EQ(validate(folder_ / "missing.json").status, 1);
  EXPECT_EQ(validate("").status, 2);
}

void expect_descriptions(const Json& schema, const std::string& where) {
  if (schema.contains("properties") && schema.contains("type")) {
    for (const auto& [name, field] : schema["properties"].items()) {
      EXPECT_TRUE(field.contains("description") || field.contains("$ref")) << where << ": " << name;
    }
  }
  for (const auto& [key, part] : schema.items()) {
    if (part.is_structured()) expect_descriptions(part, key);
  }
}

TEST(SchemaText, DescribesEveryField) {
  const Json schema = Json::parse(content(kSchemas / "railgauge-result-3.schema.json"));
  expect_descriptions(schema, "");
}

/// The examples are this code's own output. When this fails because a field changed on purpose, the
/// message says where the new text is: copy it.
TEST(Examples, AreWhatTheCodeWrites) {
  const auto is_written = [](const std::string& name, const Document& document) {
    const std::string written = json_text(document);
    if (content(kSchemas / "examples" / name) == written) return;
    const fs::path fresh = fs::path(::testing::TempDir()) / name;
    std::ofstream(fresh) << written;
    ADD_FAILURE() << "results-schema/examples/" << name << " should be " << fresh;
  };
  is_written("ok.json", ok_document());
  is_written("time-out.json", timed_out_document());
  is_written("reachability.json", reachability_document());
  is_written("pairs.json", pairs_document());
  is_written("congestion.json", congestion_document());
  is_written("job.json", job_document());
}

}  // namespace
}  // namespace railgauge::results
