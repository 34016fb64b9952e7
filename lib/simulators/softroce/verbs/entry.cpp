#include "softroce/verbs/entry.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace railgauge::softroce {
namespace {

/// The file that this code was loaded from.
const void* own_base() {
  Dl_info info{};
  return ::dladdr(reinterpret_cast<const void*>(&real_symbol), &info) != 0 ? info.dli_fbase
                                                                           : nullptr;
}

const void* base_of(const link_map& map) {
  Dl_info info{};
  // The dynamic section is inside of the file it describes, whatever that was linked at.
  return ::dladdr(map.l_ld, &info) != 0 ? info.dli_fbase : nullptr;
}

bool is_libibverbs(const link_map& map) {
  const char* const slash = std::strrchr(map.l_name, '/');
  return std::strncmp(slash == nullptr ? map.l_name : slash + 1, "libibverbs.so", 13) == 0;
}

/// libc's own: ours (softroce/paths) gives this library for any libibverbs.
void* open_library(const char* file, int flags) {
  static const auto kOpen =
      reinterpret_cast<void* (*)(const char*, int)>(::dlsym(RTLD_NEXT, "dlopen"));
  return kOpen(file, flags);
}

/// Of all files that are loaded, the one that is called libibverbs and is not this one: this one
/// answers to that name itself, and has the real one loaded by its path.
void* find_real_library() {
  void* const any = open_library("libibverbs.so.1", RTLD_LAZY);
  link_map* map = nullptr;
  if (any == nullptr || ::dlinfo(any, RTLD_DI_LINKMAP, &map) != 0) return nullptr;
  if (base_of(*map) != own_base()) return any;
  while (map->l_prev != nullptr) map = map->l_prev;
  for (; map != nullptr; map = map->l_next) {
    if (is_libibverbs(*map) && base_of(*map) != own_base()) {
      return open_library(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    }
  }
  return nullptr;
}

}  // namespace

void* real_symbol(const char* name) {
  // Never unloaded: a function of it may be running at any time.
  static void* const library = find_real_library();
  return library == nullptr ? nullptr : ::dlsym(library, name);
}

}  // namespace railgauge::softroce
