#include "verdict/library.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tree.hpp"

namespace railgauge::verdict {
namespace {

namespace fs = std::filesystem;

TEST(Library, OfABuildFolderIsTheSourceTree) {
  EXPECT_EQ(shipped_data(), fs::path(in_tree("results-schema")));
}

TEST(Library, HasAllPublishedSystems) {
  EXPECT_EQ(Library(shipped_data()).references().size(), 28u);
}

TEST(Library, TakesANameOrAFile) {
  const Library library(shipped_data());
  const fs::path file = shipped_data() / "reference" / "lambda-b200.json";
  EXPECT_EQ(library.reference("lambda-b200").name, "lambda-b200");
  EXPECT_EQ(library.reference(file).name, "lambda-b200");
  EXPECT_THROW((void)library.reference("lambda-c300"), std::invalid_argument);
  EXPECT_THROW((void)library.reference("../reference/lambda-b200"), std::invalid_argument);
}

/// A reference with an eighth of its bandwidth would let nearly all pass.
TEST(Library, RefusesAReferenceThatContradictsItself) {
  nlohmann::ordered_json json = read_json(shipped_data() / "reference" / "lambda-b200.json");
  const fs::path file = fs::path(::testing::TempDir()) / "eighth.json";
  std::ofstream(file) << json;
  EXPECT_EQ(Library(shipped_data()).reference(file).runs.size(), 1U);
  for (auto& point : json["runs"][0]["points"])
    point["busbw_gigabytes_per_second"] = point["busbw_gigabytes_per_second"].get<double>() / 8;
  std::ofstream(file) << json;
  EXPECT_THROW((void)Library(shipped_data()).reference(file), std::runtime_error);
}

std::string why_unread(const std::string& content) {
  const fs::path file = fs::path(::testing::TempDir()) / "unread.json";
  std::ofstream(file) << content;
  try {
    (void)read_json(file);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Library, SaysWhereAFileIsNoJson) {
  EXPECT_NE(why_unread("").find("it is empty"), std::string::npos);
  EXPECT_NE(why_unread("{\"a\": \"b").find("ends in the middle, after 8 bytes"), std::string::npos);
  EXPECT_NE(why_unread("{\n\"a\": 1,\n,}\n").find("no JSON: line 3"), std::string::npos);
}

TEST(Library, SaysWhatCannotBeRead) {
  const fs::path file = fs::path(::testing::TempDir()) / "broken.json";
  std::ofstream(file) << "{";
  EXPECT_THROW((void)read_json(file), std::runtime_error);
  EXPECT_THROW((void)read_json("/no/such"), std::runtime_error);
  EXPECT_THROW((void)read_json("/"), std::runtime_error);
  EXPECT_THROW((void)Library("/no/such").references(), std::runtime_error);
  EXPECT_THROW((void)Library(shipped_data()).reference(file), std::runtime_error);
}

using Names = std::vector<std::string>;

const Names kNames{"dgx-spark-gb10-2x100g-roce", "nebius-h100-ib", "sophia-dgxa100-8x200g-ib",
                   "oci-h100-16x200g-roce"};

TEST(Nearest, IsInWhatItStands) {
  EXPECT_EQ(nearest(kNames, "dgx-spark"), Names{"dgx-spark-gb10-2x100g-roce"});
  EXPECT_EQ(nearest(kNames, "h100"), (Names{"nebius-h100-ib", "oci-h100-16x200g-roce"}));
}

TEST(Nearest, ForgivesSomeLetters) {
  EXPECT_EQ(nearest(kNames, "sofia"), Names{"sophia-dgxa100-8x200g-ib"});
  EXPECT_EQ(nearest(kNames, "nebuis-h100"), Names{"nebius-h100-ib"});
  EXPECT_EQ(nearest({"software-roce", "strict"}, "strikt"), Names{"strict"});
}

TEST(Nearest, IsNothingAtAll) {
  EXPECT_EQ(nearest(kNames, "polaris"), Names{});
  EXPECT_EQ(nearest({}, "x"), Names{});
}

TEST(Nearest, AreThreeAtMost) {
  EXPECT_EQ(nearest({"aa4", "aa3", "aa2", "aa1"}, "aa"), (Names{"aa1", "aa2", "aa3"}));
}

}  // namespace
}  // namespace railgauge::verdict
