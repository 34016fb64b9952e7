#include "metrics/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace railgauge::metrics {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, as long as this lives.
class TextFileTest : public testing::Test {
 protected:
  TextFileTest() {
    std::string pattern = fs::temp_directory_path() / "railgauge-metrics-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~TextFileTest() override { fs::remove_all(folder_); }
  TextFileTest(const TextFileTest&) = delete;
  TextFileTest& operator=(const TextFileTest&) = delete;

  [[nodiscard]] std::string path() const { return folder_ / "run.prom"; }
  [[nodiscard]] std::string content() const {
    std::ifstream in(path());
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] auto files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(TextFileTest, IsReplacedAsAWhole) {
  const TextFile file(path());
  EXPECT_EQ(files(), 0) << "nothing is there before the first";
  file.replace("a 1\n");
  EXPECT_TRUE(content().ends_with("\na 1\n"));
  struct stat before {};
  ASSERT_EQ(::stat(path().c_str(), &before), 0);
  std::ifstream reader(path());  // of the first
  file.replace("a 2\n");
  EXPECT_TRUE(content().ends_with("\na 2\n"));
  const std::string seen{std::istreambuf_iterator<char>(reader), {}};
  EXPECT_TRUE(seen.ends_with("\na 1\n")) << "who reads has all of one of them: " << seen;
  EXPECT_EQ(files(), 1);
}

TEST_F(TextFileTest, OfAnEarlierRunIsReplaced) {
  TextFile(path()).replace("a 1\n");
  const TextFile again(path());
  EXPECT_TRUE(content().ends_with("\na 1\n")) << "until there is something new";
  again.replace("a 2\n");
  EXPECT_TRUE(content().ends_with("\na 2\n"));
}

TEST_F(TextFileTest, OfNobodyKnowsWhomIsLeftAlone) {
  std::ofstream(path()) << "node_load1 0.5\n";
  try {
    const TextFile file(path());
    FAIL() << "it was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("is no metrics file of railgauge"), std::string::npos);
  }
  EXPECT_EQ(content(), "node_load1 0.5\n");
  EXPECT_EQ(files(), 1);
}

TEST_F(TextFileTest, MayBeEmpty) {
  std::ofstream(path()).flush();
  TextFile(path()).replace("a 1\n");
  EXPECT_TRUE(content().ends_with("\na 1\n"));
}

TEST_F(TextFileTest, NeedsAFolder) {
  try {
    const TextFile file(folder_ / "none" / "run.prom");
    FAIL() << "it was made";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    EXPECT_NE(std::string(error.what()).find("none/run.prom"), std::string::npos) << error.what();
  }
  EXPECT_THROW(TextFile{folder_}, std::runtime_error) << "it is a folder";
}

TEST_F(TextFileTest, KeepsWhatWasThereIfItCannotBeWritten) {
  const TextFile file(path());
  file.replace("a 1\n");
  const fs::path temporary = folder_ / (".run.prom." + std::to_string(::getpid()) + ".tmp");
  fs::create_directory(temporary);  // in the way of the next
  EXPECT_THROW(file.replace("a 2\n"), std::system_error);
  EXPECT_TRUE(content().ends_with("\na 1\n"));
  fs::remove(temporary);
  file.replace("a 3\n");
  EXPECT_TRUE(content().ends_with("\na 3\n"));
}

}  // namespace
}  // namespace railgauge::metrics
