#pragma once

// lib/simulators/softroce/paths shows soft devices where programs look for devices outside of
// verbs: below /sys/class/infiniband and /dev/infiniband, and as the connection manager's device.
// None of it is on disk: tree.cpp derives what would be where from the devices' descriptions, on
// request, and libc_*.cpp are libc's functions for those paths. It must not know queue pairs,
// packets or sockets.

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "softroce/verbs/calls.hpp"

namespace railgauge::softroce::paths {

enum class Kind { directory, file, link, device };

struct Node {
  Kind kind = Kind::directory;
  std::string path{};                  ///< without links, "." and ".."
  std::string text{};                  ///< a file's content, a link's target
  std::vector<std::string> entries{};  ///< a directory's
  bool shared = false;                 ///< a directory that the kernel also has, if it has devices
  unsigned major = 0, minor = 0;       ///< of a character device
};

/// Whether a path needs a closer look. Every file that a program opens comes through here, the
/// first ones before main() and the constructors: it neither allocates nor needs anything
/// initialized.
inline bool may_be_ours(const char* path) {
  const auto starts = [path](const char* prefix, std::size_t size) {
    return std::strncmp(path, prefix, size) == 0;
  };
  if (path == nullptr || path[0] != '/') return false;
  return starts("/sys/class/infiniband", 21) || starts("/sys/devices/virtual/infiniband", 31) ||
         starts("/dev/infiniband", 15) || starts("/sys/class/misc/rdma_cm", 23);
}

/// The device of librdmacm, which stands for softroce/cm.
inline constexpr std::string_view kConnectionManager = "/dev/infiniband/rdma_cm";

enum class LastLink { follow, keep };

/// What is at an absolute path; nothing if soft devices have nothing there, in which case the
/// kernel answers.
std::optional<Node> look_up(const std::vector<DeviceDescription>& devices, const std::string& path,
                            LastLink last);

/// One file below /sys/class/infiniband/DEVICE: its path and content.
struct File {
  std::string path;
  std::string content;
};
/// Those within a folder of the device, or that file; "": all.
std::vector<File> files_of(const DeviceDescription& device, std::string_view within = "");

}  // namespace railgauge::softroce::paths
