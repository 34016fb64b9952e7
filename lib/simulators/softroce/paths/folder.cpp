#include "softroce/paths/folder.hpp"

#include <algorithm>
#include <cstring>

#include "softroce/paths/libc.hpp"

namespace railgauge::softroce::paths {
namespace {

constexpr int kMark = -0x50f7;

constinit Next<DIR*(const char*)> open_kernels("opendir");
constinit Next<dirent*(DIR*)> read_kernels("readdir");
constinit Next<int(DIR*)> close_kernels("closedir");

unsigned char type_of(Kind kind) {
  switch (kind) {
    case Kind::directory: return DT_DIR;
    case Kind::file: return DT_REG;
    case Kind::link: return DT_LNK;
    case Kind::device: return DT_CHR;
  }
  return DT_UNKNOWN;
}

}  // namespace

Folder::Folder(int file, const std::string& path) : mark_(kMark), file_(file) {
  add(".", DT_DIR);
  add("..", DT_DIR);
  add_ours(path);
}

void Folder::add(const std::string& name, unsigned char type) {
  const auto same = [&](const dirent& entry) { return name == entry.d_name; };
  if (std::ranges::any_of(entries_, same)) return;
  dirent entry{};
  entry.d_ino = std::hash<std::string>()(name);
  entry.d_type = type;
  entry.d_reclen = sizeof entry;
  name.copy(entry.d_name, sizeof entry.d_name - 1);
  entries_.push_back(entry);
  entries_.back().d_off = static_cast<off_t>(entries_.size());
}

void Folder::add_ours(const std::string& path) {
  const auto node = ours(path.c_str(), LastLink::follow);
  if (!node) return;
  for (const std::string& name : node->entries) {
    const auto entry = ours((std::string(path) += "/" + name).c_str(), LastLink::keep);
    add(name, entry ? type_of(entry->kind) : static_cast<unsigned char>(DT_UNKNOWN));
  }
  if (node->shared) add_kernels(path);
}

void Folder::add_kernels(const std::string& path) {
  const int error = errno;
  if (DIR* const kernels = open_kernels(path.c_str())) {
    while (const dirent* const entry = read_kernels(kernels)) add(entry->d_name, entry->d_type);
    close_kernels(kernels);
  }
  errno = error;
}

Folder* Folder::of(DIR* handle) {
  if (handle == nullptr) return nullptr;  // libc's closedir() knows what to say
  int first = 0;
  std::memcpy(&first, static_cast<const void*>(handle), sizeof first);
  return first == kMark ? reinterpret_cast<Folder*>(handle) : nullptr;
}

dirent* Folder::next() {
  return next_ < entries_.size() ? &entries_[next_++] : nullptr;
}

}  // namespace railgauge::softroce::paths
