#include "results/line_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "results/file_descriptor.hpp"

namespace railgauge::results {
namespace {

namespace fs = std::filesystem;
using Existing = Writer::Existing;

class LineFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "railgauge_lines_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ / "lines";
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string content() const {
    std::ifstream in(path_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
  fs::path path_;
};

TEST_F(LineFileTest, GrowsByALineThatIsThereAtOnce) {
  LineFile file(path_, Existing::refuse);
  EXPECT_EQ(content(), "");
  file.add("one");
  EXPECT_EQ(content(), "one\n");
  file.add("two");
  EXPECT_EQ(content(), "one\ntwo\n");
}

TEST_F(LineFileTest, IsNotOverwrittenUnlessForced) {
  LineFile(path_, Existing::refuse).add("mine");
  EXPECT_THROW(LineFile(path_, Existing::refuse), std::system_error);
  EXPECT_EQ(content(), "mine\n");
  LineFile(path_, Existing::overwrite).add("yours");
  EXPECT_EQ(content(), "yours\n");
}

/// Whoever finds that a run cannot be keeps what there was.
TEST_F(LineFileTest, KeepsWhatThereWasUntilItsFirstLine) {
  { const LineFile file(path_, Existing::overwrite); }
  EXPECT_FALSE(fs::exists(path_)) << "it was made for nothing";
  LineFile(path_, Existing::refuse).add("mine");
  {
    LineFile file(path_, Existing::overwrite);
    EXPECT_EQ(content(), "mine\n");
    file.add("yours");
    EXPECT_EQ(content(), "yours\n");
  }
  { const LineFile file(path_, Existing::overwrite); }
  EXPECT_EQ(content(), "yours\n");
}

TEST_F(LineFileTest, NamesWhatCannotBeWritten) {
  try {
    LineFile(folder_ / "no" / "such", Existing::refuse);
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find("no/such"), std::string::npos);
  }
  EXPECT_THROW(LineFile(folder_, Existing::overwrite), std::system_error);
}

bool is_open(int number) {
  return ::fcntl(number, F_GETFD) != -1;
}

FileDescriptor opened() {
  return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

TEST(FileDescriptor, ClosesWhatItOwns) {
  std::optional<FileDescriptor> file = opened();
  const int number = file->number();
  EXPECT_TRUE(is_open(number));
  file.reset();
  EXPECT_FALSE(is_open(number));
}

TEST(FileDescriptor, GivesItsFileAwayWhenMoved) {
  std::optional<FileDescriptor> first = opened();
  const FileDescriptor second = std::move(*first);
  first.reset();
  EXPECT_TRUE(is_open(second.number()));
}

}  // namespace
}  // namespace railgauge::results
