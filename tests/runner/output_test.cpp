#include "runner/output.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace railgauge::runner {
namespace {

namespace fs = std::filesystem;

class OutputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "railgauge_output_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    fs::create_directory(folder_ / "documents");
    options_.table = "map";
    options_.output_file = folder_ / "documents" / "pairs.json";
    options_.csv_file = folder_ / "pairs.csv";
    options_.lines_file = folder_ / "pairs.jsonl";
    document_.body = results::PairsBody{.rows = {{.mode = "write"}, {.mode = "read"}}};
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::size_t lines(const std::string& path) {
    std::ifstream file(path);
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }

  fs::path folder_;
  RunOptions options_;
  results::Document document_;
};

TEST_F(OutputTest, RowsThatWereNotToldAreWrittenAtTheEnd) {
  Output output(options_);
  output.begin_files(document_);
  output.write(document_);
  EXPECT_EQ(lines(options_.csv_file), 1U);
  document_.exit_code = results::ExitCode::interrupted;
  output.write(document_);
  EXPECT_EQ(lines(options_.csv_file), 3U);
  EXPECT_EQ(lines(options_.lines_file), 4U);
}

TEST_F(OutputTest, RowsWithWhichAJobGoesOnComeFirstAndOnce) {
  document_.body = results::JobBody{.rows = {{.step = 0}, {.step = 1}}};
  Output output(options_);
  output.begin_files(document_);
  EXPECT_EQ(lines(options_.csv_file), 3U);
  EXPECT_EQ(lines(options_.lines_file), 3U);
  std::get<results::JobBody>(document_.body).rows.push_back({.step = 2});
  output.row(document_);
  EXPECT_EQ(lines(options_.csv_file), 4U);
  document_.exit_code = results::ExitCode::ok;
  output.write(document_);
  EXPECT_EQ(lines(options_.csv_file), 4U);
  EXPECT_EQ(lines(options_.lines_file), 5U);
}

/// Its healthy twin is the run that has one more row.
TEST_F(OutputTest, RowsOfAnEarlierJobAreThereOnceIfNoneIsAdded) {
  document_.body = results::JobBody{.rows = {{.step = 0}, {.step = 1}}};
  Output output(options_);
  output.begin_files(document_);
  document_.exit_code = results::ExitCode::interrupted;
  output.write(document_);
  EXPECT_EQ(lines(options_.csv_file), 3U);
  EXPECT_EQ(lines(options_.lines_file), 4U);
}

TEST_F(OutputTest, ADocumentThatCannotBeWrittenLeavesTheOtherFiles) {
  Output output(options_);
  output.begin_files(document_);
  fs::remove_all(folder_ / "documents");
  document_.exit_code = results::ExitCode::ok;
  EXPECT_THROW(output.write(document_), std::system_error);
  EXPECT_EQ(lines(options_.csv_file), 3U);
  EXPECT_EQ(lines(options_.lines_file), 4U);
}

TEST_F(OutputTest, FilesOfAnEarlierRunAreKeptUntilTheyAreTakenOver) {
  std::ofstream(options_.output_file) << "earlier";
  std::ofstream(options_.csv_file) << "earlier";
  options_.overwrite = true;
  {
    Output output(options_, Output::Earlier::kept);
    document_.exit_code = results::ExitCode::usage;
    output.write(document_);
  }
  EXPECT_EQ(fs::file_size(options_.output_file), 7U);
  EXPECT_EQ(fs::file_size(options_.csv_file), 7U);
  EXPECT_FALSE(fs::exists(options_.lines_file));
}

}  // namespace
}  // namespace railgauge::runner
