// /dev/infiniband/rdma_cm as programs open, write and close it: by libc's functions, which are ours
// in this binary.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <rdma/rdma_user_cm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "softroce/paths/channels.hpp"

namespace railgauge::softroce {
namespace {

#ifdef __SANITIZE_THREAD__
constexpr bool kChildMayHaveThreads = false;  // its runtime does not follow them there
#else
constexpr bool kChildMayHaveThreads = true;
#endif

constexpr const char* kPath = "/dev/infiniband/rdma_cm";

/// Creates an identifier; its number, or -1 with errno.
long create(int channel) {
  struct {
    rdma_ucm_cmd_hdr header{RDMA_USER_CM_CMD_CREATE_ID, sizeof(rdma_ucm_create_id),
                            sizeof(rdma_ucm_create_id_resp)};
    rdma_ucm_create_id body{};
  } command;
  rdma_ucm_create_id_resp answer{};
  command.body.uid = 1;
  command.body.response = reinterpret_cast<std::uint64_t>(&answer);
  command.body.ps = RDMA_PS_TCP;
  const ssize_t written = ::write(channel, &command, sizeof command);
  return written == sizeof command ? static_cast<long>(answer.id) : written;
}

class Channels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (paths::kernel_has_connection_manager()) GTEST_SKIP() << "the kernel has RDMA devices";
    ASSERT_GE(channel_, 0) << std::strerror(errno);
  }
  void TearDown() override { ::close(channel_); }

  int channel_ = ::open(kPath, O_RDWR | O_CLOEXEC);
};

TEST_F(Channels, AreACharacterDeviceThatTakesCommands) {
  struct stat status {};
  ASSERT_EQ(::fstat(channel_, &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  struct stat named {};
  ASSERT_EQ(::stat(kPath, &named), 0);
  EXPECT_EQ(status.st_rdev, named.st_rdev);
  EXPECT_GE(create(channel_), 0);
  EXPECT_EQ(::fcntl(channel_, F_GETFD), FD_CLOEXEC);
}

TEST_F(Channels, OtherFilesAreWrittenAsEver) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  EXPECT_EQ(::write(ends[1], "abc", 3), 3);
  std::array<char, 4> read{};
  EXPECT_EQ(::read(ends[0], read.data(), read.size()), 3);
  EXPECT_STREQ(read.data(), "abc");
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_EQ(::write(ends[1], "abc", 3), -1);
  EXPECT_EQ(errno, EBADF);
}

TEST_F(Channels, AWrongCommandIsAnError) {
  EXPECT_EQ(::write(channel_, "abc", 3), -1);
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(Channels, WithoutAnEventANonBlockingOneSaysEagain) {
  ASSERT_EQ(::fcntl(channel_, F_SETFL, O_NONBLOCK), 0);
  struct {
    rdma_ucm_cmd_hdr header{RDMA_USER_CM_CMD_GET_EVENT, sizeof(rdma_ucm_get_event),
                            sizeof(rdma_ucm_event_resp)};
    rdma_ucm_get_event body{};
  } command;
  EXPECT_EQ(::write(channel_, &command, sizeof command), -1);
  EXPECT_EQ(errno, EAGAIN);
  pollfd waiting{.fd = channel_, .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&waiting, 1, 0), 0);
}

TEST_F(Channels, EndWithTheirLastDescriptor) {
  const std::array<int, 3> copies{::dup(channel_), ::fcntl(channel_, F_DUPFD_CLOEXEC, 100),
                                  ::dup2(channel_, 200)};
  long id = create(channel_);
  ::close(channel_);
  for (const int copy : copies) {
    EXPECT_TRUE(paths::is_channel(copy));
    EXPECT_EQ(create(copy), ++id);
    ::close(copy);
    EXPECT_FALSE(paths::is_channel(copy));
  }
  channel_ = ::open(kPath, O_RDWR);
  EXPECT_NE(create(channel_), -1);
}

TEST_F(Channels, AReplacedDescriptorIsNoLongerOne) {
  const int null = ::open("/dev/null", O_WRONLY);
  ASSERT_EQ(::dup2(null, channel_), channel_);
  EXPECT_FALSE(paths::is_channel(channel_));
  EXPECT_EQ(::write(channel_, "abc", 3), 3);
  ::close(null);
}

TEST_F(Channels, RangesAreClosedToo) {
  const int copy = ::fcntl(channel_, F_DUPFD, 500);
  ASSERT_EQ(::close_range(500, 600, 0), 0);
  EXPECT_FALSE(paths::is_channel(copy));
  EXPECT_GE(create(channel_), 0);
}

/// It shares its parent's file, but must not act for it.
TEST_F(Channels, AChildCannotUseItsParents) {
  const long before = create(channel_);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool refused = create(channel_) == -1 && errno == ENODEV;
    ::close(channel_);
    const bool has_own = !kChildMayHaveThreads || create(::open(kPath, O_RDWR)) == 0;
    ::_exit(refused && has_own ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(create(channel_), before + 1);
  pollfd waiting{.fd = channel_, .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&waiting, 1, 0), 0);
}

TEST_F(Channels, TheVersionIsWhereLibrariesLookForIt) {
  const int file = ::open("/sys/class/misc/rdma_cm/abi_version", O_RDONLY);
  std::array<char, 8> text{};
  EXPECT_EQ(::read(file, text.data(), text.size()), 2);
  EXPECT_STREQ(text.data(), "4\n");
  ::close(file);
}

}  // namespace
}  // namespace railgauge::softroce
