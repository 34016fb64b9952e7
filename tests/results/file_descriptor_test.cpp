#include "results/file_descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <optional>

namespace railgauge::results {
namespace {

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
