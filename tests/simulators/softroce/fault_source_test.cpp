#include "softroce/faults/fault_source.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace railgauge::softroce {
namespace {

using namespace std::chrono_literals;

constexpr Time kStart{1h};

class FaultSourceTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = testing::TempDir() + "softroce_faults_XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    environment("", "");
  }
  void TearDown() override {
    environment("", "");
    std::filesystem::remove_all(folder_);
  }

  static void environment(const std::string& rules, const std::string& file) {
    setenv("SOFTROCE_FAULTS", rules.c_str(), 1);
    setenv("SOFTROCE_FAULTS_FILE", file.c_str(), 1);
  }
  std::string path() const { return folder_ / "faults"; }
  void write(const std::string& text) const { std::ofstream(path()) << text; }
  FaultSource from_file(const std::string& text) const {
    write(text);
    environment("", path());
    return {};
  }
  static double loss(const FaultSource& source) {
    return faults_of(source.plan(), "soft0", Direction::transmit).loss;
  }
  static std::string refusal() {
    try {
      FaultSource source;
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(FaultSourceTest, HasNoFaultsUnlessTheEnvironmentNamesSome) {
  FaultSource source;
  EXPECT_TRUE(source.plan().rules.empty());
  EXPECT_FALSE(source.changed(kStart));
  environment("soft0 loss=1%; seed=7", "");
  EXPECT_EQ(loss(FaultSource()), 0.01);
  EXPECT_EQ(FaultSource().plan().seed, 7U);
}

TEST_F(FaultSourceTest, RefusesToBeginWithWhatItCannotUnderstand) {
  environment("soft0 lost=1%", "");
  EXPECT_EQ(refusal().find("SOFTROCE_FAULTS: faults, line 1: 'lost=1%' is not a known setting"), 0U)
      << refusal();
  environment("", path());
  EXPECT_EQ(refusal(),
            "SOFTROCE_FAULTS_FILE=" + path() + ": cannot be read: No such file or directory");
  write("\nsoft0 loss");
  EXPECT_EQ(refusal().find("SOFTROCE_FAULTS_FILE=" + path() + ": faults, line 2: 'loss' has no "),
            0U)
      << refusal();
  environment("soft0 loss=1%", path());
  EXPECT_NE(refusal().find("both set"), std::string::npos) << refusal();
}

TEST_F(FaultSourceTest, RefusesAVariableWithADeviceThatTheProcessLacks) {
  environment("soft0 loss=1%; soft2.tx loss=1%", "");
  const auto refusal_with = [](int devices) -> std::string {
    try {
      FaultSource source(FaultSource::Complaints::told, devices);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal_with(3), "accepted");
  EXPECT_EQ(refusal_with(2),
            "SOFTROCE_FAULTS: 'soft2' is not a device of this process, which has soft0 to soft1 "
            "(SOFTROCE_RAILS=2); rules that several hosts share belong in SOFTROCE_FAULTS_FILE");
  EXPECT_NE(refusal_with(1).find("which has soft0 (SOFTROCE_RAILS=1)"), std::string::npos);
  environment("* loss=1%", "");
  EXPECT_EQ(refusal_with(1), "accepted");
}

TEST_F(FaultSourceTest, TellsOfAFileWithADeviceThatTheProcessLacks) {
  write("soft0 loss=1%\nsoft1 loss=2%\n");
  environment("", path());
  const auto told = [](FaultSource::Complaints complaints, int devices) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(loss(FaultSource(complaints, devices)), 0.01);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(told(FaultSource::Complaints::told, 1),
            "softroce: SOFTROCE_FAULTS_FILE=" + path() +
                ": 'soft1' is not a device of this process, which has soft0 (SOFTROCE_RAILS=1); "
                "its rules have no effect here\n");
  EXPECT_EQ(told(FaultSource::Complaints::kept, 1), "");
  EXPECT_EQ(told(FaultSource::Complaints::told, 2), "");
}

TEST_F(FaultSourceTest, TellsOfSuchADeviceWhenTheFileHasChanged) {
  write("soft0 loss=1%\n");
  environment("", path());
  FaultSource source(FaultSource::Complaints::told, 1);
  write("soft7 loss=50%\n");
  testing::internal::CaptureStderr();
  for (int look = 0; look < 5; ++look) source.changed(kStart + look * 50ms);
  const std::string sentence = testing::internal::GetCapturedStderr();
  EXPECT_EQ(loss(source), 0);
  EXPECT_NE(sentence.find("'soft7' is not a device of this process"), std::string::npos)
      << sentence;
  EXPECT_EQ(sentence.find('\n'), sentence.size() - 1) << sentence;
}

TEST_F(FaultSourceTest, DoesNotWaitForAPipe) {
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  environment("", path());
  EXPECT_NE(refusal().find("not a regular file"), std::string::npos) << refusal();
}

TEST_F(FaultSourceTest, TakesUpAChangedFileAtTheSecondLook) {
  FaultSource source = from_file("soft0 loss=1%\n");
  EXPECT_FALSE(source.changed(kStart));
  write("soft0 loss=50%\n");
  EXPECT_FALSE(source.changed(kStart + 49ms));  // no look
  EXPECT_FALSE(source.changed(kStart + 50ms));
  EXPECT_EQ(loss(source), 0.01);
  EXPECT_FALSE(source.changed(kStart + 99ms));
  EXPECT_TRUE(source.changed(kStart + 100ms));
  EXPECT_EQ(loss(source), 0.5);
  EXPECT_FALSE(source.changed(kStart + 150ms));
}

TEST_F(FaultSourceTest, IsNotClearedByAFileThatIsBeingWritten) {
  FaultSource source = from_file("soft0 loss=1%\n");
  write("");
  EXPECT_FALSE(source.changed(kStart));
  write("soft0 ");
  EXPECT_FALSE(source.changed(kStart + 50ms));
  write("soft0 loss=2%\n");
  EXPECT_FALSE(source.changed(kStart + 100ms));
  EXPECT_EQ(loss(source), 0.01);
  EXPECT_TRUE(source.changed(kStart + 150ms));
  EXPECT_EQ(loss(source), 0.02);
}

TEST_F(FaultSourceTest, IsClearedByAFileThatStaysEmpty) {
  FaultSource source = from_file("soft0 loss=1%\n");
  write("");
  EXPECT_FALSE(source.changed(kStart));
  EXPECT_TRUE(source.changed(kStart + 50ms));
  EXPECT_EQ(loss(source), 0);
}

TEST_F(FaultSourceTest, SeesAFileOfTheSameSizeAndTimeThatTookTheOthersPlace) {
  FaultSource source = from_file("soft0 loss=1%\n");
  const auto written = std::filesystem::last_write_time(path());
  std::filesystem::rename(path(), path() + ".old");
  write("soft0 loss=2%\n");
  std::filesystem::last_write_time(path(), written);
  EXPECT_FALSE(source.changed(kStart));
  EXPECT_TRUE(source.changed(kStart + 50ms));
  EXPECT_EQ(loss(source), 0.02);
}

TEST_F(FaultSourceTest, KeepsThePlanAndSaysOnceWhyTheNewOneIsWrong) {
  FaultSource source = from_file("soft0 loss=1%\n");
  write("soft0 lost=2%\n\n");
  testing::internal::CaptureStderr();
  for (int look = 0; look < 5; ++look) EXPECT_FALSE(source.changed(kStart + look * 50ms));
  const std::string sentence = testing::internal::GetCapturedStderr();
  EXPECT_EQ(loss(source), 0.01);
  EXPECT_EQ(sentence.find("softroce: SOFTROCE_FAULTS_FILE="), 0U) << sentence;
  EXPECT_NE(sentence.find("line 1: 'lost=2%' is not a known setting"), std::string::npos)
      << sentence;
  EXPECT_EQ(sentence.find('\n'), sentence.size() - 1) << sentence;
}

TEST_F(FaultSourceTest, LeavesTheSentenceToAnotherOfItsProcess) {
  write("soft0 loss=1%\n");
  environment("", path());
  FaultSource source(FaultSource::Complaints::kept);
  write("soft0 lost=2%\n\n");
  testing::internal::CaptureStderr();
  for (int look = 0; look < 5; ++look) EXPECT_FALSE(source.changed(kStart + look * 50ms));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(loss(source), 0.01);
}

TEST_F(FaultSourceTest, KeepsThePlanWhenTheFileIsGone) {
  FaultSource source = from_file("soft0 loss=1%\n");
  std::filesystem::remove(path());
  testing::internal::CaptureStderr();
  for (int look = 0; look < 5; ++look) EXPECT_FALSE(source.changed(kStart + look * 50ms));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("No such file"), std::string::npos);
  EXPECT_EQ(loss(source), 0.01);
  write("soft0 loss=2%\n");
  EXPECT_FALSE(source.changed(kStart + 300ms));
  EXPECT_TRUE(source.changed(kStart + 350ms));
}

}  // namespace
}  // namespace railgauge::softroce
