#include "softroce/paths/libc.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "softroce/paths/channels.hpp"

namespace railgauge::softroce::paths {
namespace {

/// What /proc/self/fd says of a folder's file: "/memfd:" and the name it was created with.
constexpr std::string_view kFolderName = "softroce:";
constexpr std::string_view kLinkStart = "/memfd:softroce:";
constexpr std::string_view kLinkEnd = " (deleted)";

/// No program but one that opened a folder of ours pays for looking whether a file is one.
constinit std::atomic<bool> any_folder = false;

int open_content(const std::string& name, std::string_view content, int flags) {
  const unsigned kept = (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0U;
  const int file = ::memfd_create(name.c_str(), kept | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  // Read with pread() and rewound alike; a file of sysfs is as short, and cannot be written either.
  if (::pwrite(file, content.data(), content.size(), 0) != static_cast<ssize_t>(content.size())) {
    ::close(file);
    return fail(ENOMEM);
  }
  ::fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK);
  return file;
}

}  // namespace

std::optional<Node> ours(const char* path, LastLink last) noexcept {
  if (!may_be_ours(path)) return std::nullopt;
  const int error = errno;
  try {
    // Who reads GIDs wants addresses.
    const bool gids = std::strstr(path, "/gids/") != nullptr;
    const Addresses addresses = gids ? Addresses::wanted : Addresses::known;
    auto node = look_up(describe_devices_for(path, addresses), path, last);
    errno = error;
    return node;
  } catch (...) {
    errno = error;
    return std::nullopt;
  }
}

int open_node(const Node& node, int flags) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) return fail(EEXIST);
  if (node.kind == Kind::link) return fail(ELOOP);  // only with O_NOFOLLOW
  if (node.kind == Kind::directory) {
    if (writes) return fail(EISDIR);
    any_folder.store(true, std::memory_order_relaxed);
    return open_content(std::string(kFolderName) + node.path, "", flags);
  }
  if ((flags & O_DIRECTORY) != 0) return fail(ENOTDIR);
  if (node.path == kConnectionManager) {
    static constinit Next<int(const char*, int, ...)> kernels("open");
    return kernel_has_connection_manager() ? kernels(node.path.c_str(), flags)
                                           : open_channel(flags);
  }
  if (node.kind == Kind::device) return ::open("/dev/null", flags & ~O_CREAT);
  return writes ? fail(EACCES) : open_content("sysfs", node.text, flags);
}

std::string folder_of(int file) {
  if (file < 0 || !any_folder.load(std::memory_order_relaxed)) return {};
  const int error = errno;
  std::array<char, 512> link{};
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = ::readlink(name.c_str(), link.data(), link.size());
  errno = error;
  std::string_view text(link.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  if (!text.starts_with(kLinkStart) || !text.ends_with(kLinkEnd)) return {};
  text.remove_prefix(kLinkStart.size());
  text.remove_suffix(kLinkEnd.size());
  return std::string(text);
}

FromRoot::FromRoot(int& folder, const char*& path) {
  if (path == nullptr || path[0] == '/') return;
  absolute_ = folder_of(folder);
  if (absolute_.empty()) return;
  absolute_ += std::string("/") + path;
  folder = AT_FDCWD;
  path = absolute_.c_str();
}

}  // namespace railgauge::softroce::paths
