#include "results/writer.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Why `write` failed; the test fails if it did not.
template <class Write>
std::system_error failure_of(Write write) {
  try {
    write();
  } catch (const std::system_error& failure) {
    return failure;
  }
  ADD_FAILURE() << "nothing failed";
  return std::system_error(std::error_code{});
}

bool says(const std::system_error& failure, const std::string& text) {
  return std::string(failure.what()).find(text) != std::string::npos;
}

/// No file may grow beyond `bytes` while this lives: a disk that is nearly full, without one. The
/// write that meets the limit is short, and the next one fails.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

class WriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "railgauge_writer_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    file_ = folder_ / "result.json";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Names in the folder: what a writer left behind is among them.
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
  fs::path file_;
};

TEST_F(WriterTest, LeavesNothingBeforeTheFirstDocument) {
  const Writer writer(file_);
  EXPECT_EQ(files(), 0U);
}

TEST_F(WriterTest, KeepsTheFileEqualToTheLatestDocument) {
  Writer writer(file_);
  writer.write(documents_of_every_status().at("running"));
  EXPECT_EQ(content(file_), json_text(documents_of_every_status().at("running")));
  writer.write(ok_document());
  EXPECT_EQ(content(file_), json_text(ok_document()));
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriterTest, NeverTouchesTheDocumentThatAReaderHasOpen) {
  Writer writer(file_);
  writer.write(ok_document());
  std::ifstream reader(file_);
  writer.write(timed_out_document());
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(reader), {}}), json_text(ok_document()));
}

TEST_F(WriterTest, FailsAtOnceWithoutTheDirectory) {
  const auto failure = failure_of([&] { const Writer writer(folder_ / "none" / "result.json"); });
  EXPECT_EQ(failure.code(), std::errc::no_such_file_or_directory);
  EXPECT_TRUE(says(failure, folder_ / "none" / "result.json")) << failure.what();
  EXPECT_TRUE(says(failure, "make it first")) << failure.what();
}

TEST_F(WriterTest, FailsAtOnceInADirectoryItMayNotWrite) {
  // Root may write everywhere; on /proc not even root may.
  const auto failure = failure_of([] { const Writer writer("/proc/result.json"); });
  EXPECT_TRUE(says(failure, "no file can be made in its directory '/proc'")) << failure.what();
}

TEST_F(WriterTest, FailsAtOnceWithoutAName) {
  EXPECT_EQ(failure_of([] { const Writer writer(""); }).code(), std::errc::is_a_directory);
  EXPECT_EQ(failure_of([&] { const Writer writer(folder_ / ""); }).code(),
            std::errc::is_a_directory);
}

TEST_F(WriterTest, DoesNotOverwriteUnlessForced) {
  std::ofstream(file_) << "precious";
  const auto failure = failure_of([&] { const Writer writer(file_); });
  EXPECT_EQ(failure.code(), std::errc::file_exists);
  EXPECT_TRUE(says(failure, "unless forced")) << failure.what();
  EXPECT_EQ(content(file_), "precious");

  Writer forced(file_, Writer::Existing::overwrite);
  EXPECT_EQ(content(file_), "precious");
  forced.write(ok_document());
  EXPECT_EQ(content(file_), json_text(ok_document()));
}

TEST_F(WriterTest, DoesNotOverwriteWhatCameAfterTheStart) {
  Writer writer(file_);
  std::ofstream(file_) << "precious";
  EXPECT_EQ(failure_of([&] { writer.write(ok_document()); }).code(), std::errc::file_exists);
  EXPECT_EQ(content(file_), "precious");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriterTest, NeverReplacesADeviceADirectoryOrALink) {
  ASSERT_EQ(::mkfifo(file_.c_str(), S_IRUSR | S_IWUSR), 0);
  std::ofstream(folder_ / "target") << "precious";
  fs::create_symlink("target", folder_ / "link");
  for (const fs::path& path : {file_, folder_ / "link", folder_, fs::path("/dev/full")}) {
    const auto failure =
        failure_of([&] { const Writer writer(path, Writer::Existing::overwrite); });
    EXPECT_TRUE(says(failure, "no ordinary file")) << failure.what();
  }
}

TEST_F(WriterTest, OnAFullDiskKeepsTheDocumentBefore) {
  Writer writer(file_);
  writer.write(ok_document());
  {
    const FileSizeLimit nearly_full(100);
    const auto failure = failure_of([&] { writer.write(timed_out_document()); });
    EXPECT_EQ(failure.code(), std::errc::file_too_large);
    EXPECT_TRUE(says(failure, file_)) << failure.what();
  }
  EXPECT_EQ(content(file_), json_text(ok_document()));
  EXPECT_EQ(files(), 1U);
  writer.write(timed_out_document());  // there is room again
  EXPECT_EQ(content(file_), json_text(timed_out_document()));
}

TEST_F(WriterTest, GoesOnWhenTheWorkingDirectoryChanges) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  Writer writer("result.json");
  fs::current_path(before);
  writer.write(ok_document());
  EXPECT_EQ(content(file_), json_text(ok_document()));
}

TEST_F(WriterTest, RemovesWhatAKilledProcessOfItsNumberLeft) {
  const fs::path left = folder_ / (".result.json." + std::to_string(::getpid()) + ".tmp");
  fs::create_symlink("/dev/null", left);
  Writer writer(file_);
  writer.write(ok_document());
  EXPECT_EQ(content(file_), json_text(ok_document()));
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace railgauge::results
