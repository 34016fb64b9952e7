#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "softroce/paths/tree.hpp"

namespace railgauge::softroce {
namespace {

namespace fs = std::filesystem;
using paths::Kind;
using paths::LastLink;
using Entries = std::vector<std::string>;

const std::vector<DeviceDescription>& two_devices() {
  static const std::vector<DeviceDescription> kDevices = [] {
    DeviceDescription first{};
    first.name = "soft0";
    first.node_guid = "0200:5eff:fe40:0001";
    first.gids = {{"fe80::1", "IB/RoCE v1"}, {"fe80::1", "RoCE v2"}};
    first.counters = {{"port_xmit_data", 11}};
    DeviceDescription second = first;
    second.name = "soft1";
    return std::vector{first, second};
  }();
  return kDevices;
}

auto look(const std::string& path, LastLink last = LastLink::follow) {
  return paths::look_up(two_devices(), path, last);
}

TEST(Paths, OnlyPathsOfDevicesAreLookedAt) {
  for (const char* path : {"/sys/class/infiniband", "/sys/class/infiniband/soft0/ports/1/rate",
                           "/sys/devices/virtual/infiniband/soft0", "/dev/infiniband/uverbs_soft0",
                           "/sys/class/misc/rdma_cm/abi_version"}) {
    EXPECT_TRUE(paths::may_be_ours(path)) << path;
  }
  for (const char* path :
       {"", "/", "/sys", "/sys/class/net", "/dev/null", "sys/class/infiniband"}) {
    EXPECT_FALSE(paths::may_be_ours(path)) << path;
  }
  EXPECT_FALSE(paths::may_be_ours(nullptr));
}

TEST(Paths, AFolderHasWhatIsBelowIt) {
  EXPECT_EQ(look("/sys/class/infiniband")->entries, (Entries{"soft0", "soft1"}));
  EXPECT_EQ(look("/dev/infiniband/")->entries,
            (Entries{"uverbs_soft0", "uverbs_soft1", "rdma_cm"}));
  EXPECT_EQ(look("/sys/class/infiniband/soft1/ports")->entries, Entries{"1"});
  EXPECT_EQ(look("/sys/class/infiniband/soft1/ports/1/counters")->entries,
            Entries{"port_xmit_data"});
}

TEST(Paths, TheConnectionManagerIsADeviceWithAVersion) {
  const auto device = look("/dev/infiniband/rdma_cm");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->kind, Kind::device);
  EXPECT_EQ(device->major, 10U);
  EXPECT_EQ(look("/sys/class/misc/rdma_cm")->entries, (Entries{"abi_version", "dev"}));
  EXPECT_EQ(look("/sys/class/misc/rdma_cm/abi_version")->text, "4\n");
  EXPECT_FALSE(look("/sys/class/misc/rdma_cm/uevent"));
  EXPECT_FALSE(paths::look_up({}, "/dev/infiniband/rdma_cm", LastLink::follow));
}

TEST(Paths, AFileHasItsContentAndALineEnd) {
  EXPECT_EQ(look("/sys/class/infiniband/soft0/ports/1/counters/port_xmit_data")->text, "11\n");
  EXPECT_EQ(look("/sys/class/infiniband/soft0/ports/1/gid_attrs/types/1")->text, "RoCE v2\n");
  EXPECT_EQ(look("/sys/devices/virtual/infiniband/soft0/node_guid")->text, "0200:5eff:fe40:0001\n");
}

TEST(Paths, TheClassHasLinksThatAreFollowedAsTheKernelDoes) {
  const auto link = look("/sys/class/infiniband/soft0", LastLink::keep);
  EXPECT_EQ(link->kind, Kind::link);
  EXPECT_EQ(link->text, "../../devices/virtual/infiniband/soft0");
  EXPECT_EQ(look("/sys/class/infiniband/soft0")->path, "/sys/devices/virtual/infiniband/soft0");
  EXPECT_EQ(look("/sys/class/infiniband/soft0/", LastLink::keep)->kind, Kind::directory);
  EXPECT_EQ(look("/sys/class//infiniband/soft0/../soft1/./ports")->path,
            "/sys/devices/virtual/infiniband/soft1/ports");
}

TEST(Paths, WhatDevicesHaveNotIsTheKernelsToAnswer) {
  for (const char* path :
       {"/sys/class/infiniband/mlx5_0", "/sys/class/infiniband/soft0/none",
        "/sys/class/infiniband_verbs", "/sys/class/infiniband/soft00/node_guid",
        "/dev/infiniband/soft0", "/dev/infiniband/uverbs0",
        "/sys/class/infiniband/soft0/node_guid/x", "/sys/class/infiniband/../../../etc/passwd"}) {
    EXPECT_FALSE(look(path)) << path;
  }
  EXPECT_FALSE(paths::look_up({}, "/sys/class/infiniband", LastLink::follow));
}

/// The first device that this process has, through libc's own functions.
class PathsOfLibc : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_FALSE(describe_devices().empty()); }

  const std::string name_ = describe_devices().at(0).name;
  const std::string device_ = "/sys/class/infiniband/" + name_;
  const std::string character_ = "/dev/infiniband/uverbs_" + name_;
};

TEST_F(PathsOfLibc, AStreamReadsAFile) {
  std::ifstream in(device_ + "/node_guid");
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_EQ(line, describe_devices().at(0).node_guid);
}

/// Who reads a GID before a device is opened may rely on it. (Here the device may be open already.)
TEST_F(PathsOfLibc, AGidIsThatOfTheAddressWhichADeviceHasWhenItIsOpened) {
  std::ifstream in(device_ + "/ports/1/gids/0");
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_NE(line, "0000:0000:0000:0000:0000:0000:0000:0000");
  ibv_context* const context = calls::open_device(calls::devices()[0]);
  ASSERT_NE(context, nullptr);
  EXPECT_EQ(line, describe_devices().at(0).gids.at(0).gid);
  calls::close_device(context);
}

/// A program that reads a hundred counters of each of eight devices opens each by its path.
TEST_F(PathsOfLibc, OnlyDevicesThatAPathNamesAreDescribed) {
  const auto named = describe_devices_for(device_ + "/ports/1/counters", Addresses::known);
  EXPECT_FALSE(named.at(0).counters.empty());
  const auto others = describe_devices_for("/sys/class/infiniband", Addresses::known);
  EXPECT_EQ(others.at(0).name, name_);
  EXPECT_TRUE(others.at(0).counters.empty() && others.at(0).gids.empty());
}

TEST_F(PathsOfLibc, AFileIsReadOnly) {
  EXPECT_EQ(::open((device_ + "/fw_ver").c_str(), O_WRONLY), -1);
  EXPECT_EQ(errno, EACCES);
  const int file = ::open((device_ + "/fw_ver").c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  EXPECT_EQ(::write(file, "x", 1), -1);
  ::close(file);
}

TEST_F(PathsOfLibc, ADeviceIsACharacterDeviceThatMayBeOpened) {
  struct stat status {};
  ASSERT_EQ(::stat(character_.c_str(), &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(major(status.st_rdev), 231U);
  EXPECT_EQ(::access(character_.c_str(), R_OK | W_OK), 0);
  const int file = ::open(character_.c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_GE(file, 0);
  ::close(file);
}

TEST_F(PathsOfLibc, DirectoryIteratorsWalkTheTree) {
  EXPECT_TRUE(fs::is_symlink(device_));
  EXPECT_TRUE(fs::exists("/sys/class/infiniband/" + name_ + "/ports/1/gids/0"));
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(device_)) {
    files += entry.is_regular_file() ? 1 : 0;
    EXPECT_FALSE(entry.is_symlink()) << entry.path();
  }
  EXPECT_EQ(static_cast<std::size_t>(files), paths::files_of(describe_devices().at(0)).size());
}

TEST_F(PathsOfLibc, AFolderIsListedAndRewound) {
  DIR* const folder = ::opendir("/sys/class/infiniband");
  ASSERT_NE(folder, nullptr);
  int found = 0;
  for (int round = 0; round < 2; ++round, ::rewinddir(folder)) {
    while (const dirent* const entry = ::readdir(folder)) found += entry->d_name == name_ ? 1 : 0;
  }
  EXPECT_EQ(found, 2);
  EXPECT_EQ(::closedir(folder), 0);
  EXPECT_EQ(::opendir((device_ + "/fw_ver").c_str()), nullptr);
  EXPECT_EQ(errno, ENOTDIR);
}

TEST_F(PathsOfLibc, PathsAreFoundFromAnOpenFolder) {
  const int folder = ::open((device_ + "/ports").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_GE(folder, 0);
  struct stat status {};
  EXPECT_EQ(::fstatat(folder, "1/state", &status, 0), 0);
  const int file = ::openat(folder, "1/state", O_RDONLY);
  EXPECT_GE(file, 0);
  EXPECT_EQ(::openat(folder, "2", O_RDONLY), -1);
  EXPECT_EQ(errno, ENOENT);
  ::close(file);
  ::close(folder);
}

TEST_F(PathsOfLibc, TheRealPathIsThatOfTheDevices) {
  EXPECT_EQ(fs::read_symlink(device_), "../../devices/virtual/infiniband/" + name_);
  char* const real = ::realpath((device_ + "/device").c_str(), nullptr);
  ASSERT_NE(real, nullptr);
  EXPECT_EQ(std::string(real), "/sys/devices/virtual/infiniband/" + name_ + "/device");
  std::free(real);
}

TEST_F(PathsOfLibc, OtherPathsAreTheKernels) {
  struct stat ours {};
  EXPECT_EQ(::stat("/sys/class/infiniband/none", &ours), -1);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_TRUE(fs::is_directory("/proc/self"));
  EXPECT_GT(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()), 2);
  const int file = ::open("/dev/null", O_WRONLY);
  EXPECT_EQ(::write(file, "x", 1), 1);
  ::close(file);
}

TEST_F(PathsOfLibc, AChildSeesTheSame) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(fs::exists(device_ + "/ports/1/state") ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace railgauge::softroce
