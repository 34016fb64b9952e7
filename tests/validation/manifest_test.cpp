#include "validation/manifest.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

#include "validation/scratch_folder.hpp"

namespace railgauge::validation {
namespace {

class Manifest : public testing::Test {
 protected:
  Manifest() {
    scratch_.write("report.md", "PASS\n");
    std::filesystem::create_directory(scratch_.path() / "01-doctor.hosts");
    scratch_.write("01-doctor.hosts/node1.host", "facts\n");
    write_manifest(site_);
  }

  [[nodiscard]] std::string wrong() const {
    std::string text;
    for (const std::string& sentence : verified(site_)) text += sentence + "\n";
    return text;
  }

  ScratchFolder scratch_{};
  Site site_{scratch_.path()};
};

TEST_F(Manifest, HasTheSumOfEveryFile) {
  const std::string sums = scratch_.read("SHA256SUMS");
  // printf 'PASS\n' | sha256sum
  EXPECT_NE(sums.find("c26de83abdc9496cd1301470918ec39ecca1cf389ef0ae1c6504da1800d1c431"
                      "  report.md"),
            std::string::npos)
      << sums;
  EXPECT_NE(sums.find("  01-doctor.hosts/node1.host\n"), std::string::npos);
}

TEST_F(Manifest, WhatIsAsItWasIsRight) {
  EXPECT_EQ(wrong(), "");
}

TEST_F(Manifest, NothingIsWrittenToVerifyIt) {
  const auto before = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(scratch_.path(), before);
  EXPECT_EQ(wrong(), "");
  EXPECT_EQ(std::filesystem::last_write_time(scratch_.path()), before);
}

TEST_F(Manifest, AChangedFileIsNamed) {
  scratch_.write("report.md", "FAIL\n");
  EXPECT_NE(wrong().find("report.md: FAILED"), std::string::npos);
}

TEST_F(Manifest, AFileThatIsGoneIsNamed) {
  std::filesystem::remove(scratch_.path() / "report.md");
  EXPECT_NE(wrong().find("report.md"), std::string::npos);
}

TEST_F(Manifest, AFileThatWasAddedIsNamed) {
  scratch_.write("other.json", "{}");
  EXPECT_EQ(wrong(), "other.json: not in the manifest\n");
}

TEST_F(Manifest, WithoutOneNothingIsVerified) {
  std::filesystem::remove(site_.manifest());
  EXPECT_THROW(static_cast<void>(verified(site_)), std::runtime_error);
  scratch_.write("SHA256SUMS", "");
  EXPECT_THROW(static_cast<void>(verified(site_)), std::runtime_error);
}

}  // namespace
}  // namespace railgauge::validation
