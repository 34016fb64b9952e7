#include "softroce/paths/channels.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <system_error>

#include "softroce/cm/service.hpp"
#include "softroce/paths/libc.hpp"

namespace railgauge::softroce::paths {
namespace {

using cm::Channel;

/// Which descriptor is which channel. In a child of fork() its parent's are nobody's.
struct Table {
  std::mutex mutex;
  std::map<int, std::shared_ptr<Channel>> channels;
  std::atomic<pid_t> owner{getpid()};
};

Table& table() {
  // Never destroyed: destructors of the program may still close channels.
  static Table& the_table = *new Table;  // NOLINT(cppcoreguidelines-owning-memory)
  return the_table;
}

void register_fork_handlers() {
  static const int kOnce =
      pthread_atfork([] { table().mutex.lock(); }, [] { table().mutex.unlock(); },
                     [] {
                       table().owner = getpid();
                       for (auto& [file, channel] : table().channels) {
                         // Neither ended nor freed: it is the parent's.
                         new std::shared_ptr<Channel>(std::move(channel));
                       }
                       table().mutex.unlock();
                     });
  static_cast<void>(kOnce);
}

/// A child of vfork() closes descriptors in its parent's memory: it must not be believed.
bool in_owner() {
  return table().owner.load() == getpid();
}

std::shared_ptr<Channel> channel_of(int descriptor) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().channels.find(descriptor);
  return found == table().channels.end() ? nullptr : found->second;
}

void enter(int descriptor, std::shared_ptr<Channel> channel) {
  const std::lock_guard lock(table().mutex);
  table().channels[descriptor] = std::move(channel);
  std::atomic_ref(channel_marks[descriptor]).store(1, std::memory_order_relaxed);
}

/// Another descriptor of the same channel; -1 if there is none.
int other_descriptor(const std::shared_ptr<Channel>& channel) {
  const auto found = std::ranges::find_if(
      table().channels, [&](const auto& entry) { return entry.second == channel; });
  return found == table().channels.end() ? -1 : found->first;
}

bool kernel_has_devices() {
  static constinit Next<DIR*(const char*)> open("opendir");
  static constinit Next<dirent*(DIR*)> read("readdir");
  static constinit Next<int(DIR*)> close("closedir");
  DIR* const folder = open("/sys/class/infiniband");
  bool any = false;
  while (const dirent* const entry = folder == nullptr ? nullptr : read(folder)) {
    any = any || entry->d_name[0] != '.';
  }
  if (folder != nullptr) close(folder);
  return any;
}

}  // namespace

bool kernel_has_connection_manager() {
  static const bool has = [] {
    static constinit Next<int(const char*, int)> access("access");
    // Read once, when the program first asks for a channel.
    const char* const forced = std::getenv("SOFTROCE_RDMACM");  // NOLINT(concurrency-mt-unsafe)
    if (forced != nullptr && std::string_view(forced) == "1") return false;
    return access("/dev/infiniband/rdma_cm", R_OK | W_OK) == 0 && kernel_has_devices();
  }();
  return has;
}

int open_channel(int flags) {
  try {
    register_fork_handlers();  // before the service's: its lock is taken before the table's
    const auto channel = cm::Service::instance().open();
    const int descriptor = channel->descriptor();
    if (static_cast<std::size_t>(descriptor) >= kMostDescriptors) {
      ::close(descriptor);
      return fail(EMFILE);
    }
    if ((flags & O_NONBLOCK) != 0) ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
    if ((flags & O_CLOEXEC) == 0) ::fcntl(descriptor, F_SETFD, 0);
    enter(descriptor, channel);
    return descriptor;
  } catch (const std::system_error& error) {
    return fail(error.code().value());
  } catch (...) {
    return fail(ENOMEM);
  }
}

long write_to_channel(int descriptor, const void* data, std::size_t size) {
  const std::shared_ptr<Channel> channel = in_owner() ? channel_of(descriptor) : nullptr;
  // Another thread may have closed it just now; a parent's is still open, but not ours to use.
  if (!channel) return fail(is_channel(descriptor) ? ENODEV : EBADF);
  try {
    const std::span written(static_cast<const std::byte*>(data), size);
    const int error = cm::Service::instance().execute(*channel, written, channel_of);
    return error == 0 ? static_cast<long>(size) : fail(error);
  } catch (...) {
    return fail(ENOMEM);
  }
}

void release_channel(int descriptor) {
  if (!in_owner()) return;
  const int error = errno;
  std::shared_ptr<Channel> channel;
  int other = -1;
  {
    const std::lock_guard lock(table().mutex);
    std::atomic_ref(channel_marks[descriptor]).store(0, std::memory_order_relaxed);
    const auto node = table().channels.extract(descriptor);
    if (!node.empty()) channel = node.mapped();
    if (channel) other = other_descriptor(channel);
  }
  if (channel && other >= 0) cm::Service::instance().rename(*channel, other);
  if (channel && other < 0) cm::Service::instance().close(*channel);
  errno = error;
}

void copy_channel(int descriptor, int copy) {
  if (in_owner()) enter(copy, channel_of(descriptor));
}

int next_channel(unsigned first, unsigned last) {
  const auto most = std::min<unsigned>(last, kMostDescriptors - 1);
  for (unsigned file = first; file <= most; ++file) {
    if (is_channel(static_cast<int>(file))) return static_cast<int>(file);
  }
  return -1;
}

}  // namespace railgauge::softroce::paths
