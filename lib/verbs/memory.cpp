#include "verbs/memory.hpp"

#include <sys/resource.h>

#include <cerrno>

#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

/// Relaxed ordering lets the host bridge store the payload of large writes in any order; without it
/// some hosts do not reach line rate. The completion still comes last, and nothing but a completion
/// is taken as a sign that data arrived. libibverbs drops the flag where it is not supported.
constexpr unsigned kWriteAccess =
    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_RELAXED_ORDERING;

std::uint64_t memlock_limit() {
  rlimit limit{};
  answered(getrlimit(RLIMIT_MEMLOCK, &limit), "getrlimit(RLIMIT_MEMLOCK)");
  return limit.rlim_cur;
}

}  // namespace

MemoryRegion register_memory(ibv_pd& domain, std::span<std::byte> memory, PeerAccess peers) {
  const bool readable = peers == PeerAccess::read_and_write;
  const unsigned access = kWriteAccess | (readable ? unsigned{IBV_ACCESS_REMOTE_READ} : 0U);
  ibv_mr* region = ibv_reg_mr(&domain, memory.data(), memory.size(), access);
  const int error = errno;
  if (region != nullptr) return MemoryRegion(region);
  std::string what = "ibv_reg_mr of " + std::to_string(memory.size()) + " bytes on ";
  what += domain.context->device->name;
  if (error == ENOMEM) what += " (" + memlock_advice(memlock_limit()) + ")";
  fail(error, what);
}

RemoteMemory remote_memory(const ibv_mr& region) {
  return {.address = reinterpret_cast<std::uintptr_t>(region.addr),
          .bytes = region.length,
          .key = region.rkey};
}

std::string memlock_advice(std::uint64_t limit_bytes) {
  if (limit_bytes == RLIM_INFINITY) return "`ulimit -l` is unlimited, so the host is out of memory";
  return "registered memory is locked, and `ulimit -l` allows " +
         std::to_string(limit_bytes / 1024) +
         " KiB; raise it: `memlock unlimited` in /etc/security/limits.conf, LimitMEMLOCK=infinity "
         "in "
         "a systemd unit, --ulimit memlock=-1 for a container";
}

}  // namespace railgauge::verbs
