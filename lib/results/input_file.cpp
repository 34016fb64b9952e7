#include "results/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "results/file_descriptor.hpp"

namespace railgauge::results {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw std::runtime_error("cannot read " + name_of_input(path) + ": " + why);
}

std::string all_of(int file, const std::string& path) {
  std::array<char, 1U << 16U> block{};
  std::string text;
  while (true) {
    const ssize_t count = ::read(file, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, std::generic_category().message(errno));
    if (count == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > kMostInputBytes) {
      fail(path, "it is longer than " + std::to_string(kMostInputBytes >> 20U) +
                     " MiB, which no result and no log is");
    }
  }
}

}  // namespace

std::string name_of_input(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::string read_input(const std::string& path) {
  if (path == "-") return all_of(STDIN_FILENO, path);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) fail(path, std::generic_category().message(errno));
  return all_of(file.number(), path);
}

}  // namespace railgauge::results
