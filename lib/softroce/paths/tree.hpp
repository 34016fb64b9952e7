#pragma once

// lib/softroce/paths shows soft devices where programs look for devices outside of verbs: below
// /sys/class/infiniband and /dev/infiniband. Nothing of it is on a disk: tree.cpp knows what would
// be where, made from the devices' descriptions when it is asked, and libc_*.cpp are libc's
// functions for those paths. It must not know queue pairs, packets or sockets.

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "softroce/verbs/calls.hpp"

namespace railgauge::softroce::paths {

enum class Kind { directory, file, link, device };

struct Node {
  Kind kind = Kind::directory;
  std::string path{};                  ///< without links, "." and ".."
  std::string text{};                  ///< a file's content, a link's target
  std::vector<std::string> entries{};  ///< a directory's
  bool shared = false;  ///< a directory that the kernel has as well, if it has devices
  int minor = 0;        ///< of a character device
};

/// Whether a path is worth a look. Every file that a program opens comes through here, the first
/// before main() and before the constructors: it neither allocates nor needs anything that is
/// initialized.
inline bool may_be_ours(const char* path) {
  const auto starts = [path](const char* prefix, std::size_t size) {
    return std::strncmp(path, prefix, size) == 0;
  };
  if (path == nullptr || path[0] != '/') return false;
  return starts("/sys/class/infiniband", 21) || starts("/sys/devices/virtual/infiniband", 31) ||
         starts("/dev/infiniband", 15);
}

enum class LastLink { follow, keep };

/// What is at an absolute path; nothing where soft devices have nothing, which then is the kernel's
/// to answer.
std::optional<Node> look_up(const std::vector<DeviceDescription>& devices, const std::string& path,
                            LastLink last);

/// One file below /sys/class/infiniband/DEVICE: where, and what is in it.
struct File {
  std::string path;
  std::string content;
};
std::vector<File> files_of(const DeviceDescription& device);

}  // namespace railgauge::softroce::paths
