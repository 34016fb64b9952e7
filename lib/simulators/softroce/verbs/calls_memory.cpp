// Protection domains, memory regions and windows, address handles.

#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "softroce/device/gid_table.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

constexpr unsigned kKnownAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                  IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC |
                                  IBV_ACCESS_MW_BIND | IBV_ACCESS_ZERO_BASED | IBV_ACCESS_HUGETLB;
// Hints that a device may ignore (verbs.h: IBV_ACCESS_OPTIONAL_RANGE).
constexpr unsigned kHints = 0x3ff00000;

// EFAULT for what is not this process's memory, as pinning it would answer.
bool is_mapped(const void* address, std::size_t length) {
  if (length == 0) return true;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(address) / page;
  const auto last = (reinterpret_cast<std::uintptr_t>(address) + length - 1) / page;
  constexpr std::uintptr_t kAtOnce = 4096;
  std::vector<unsigned char> resident(std::min(last - first + 1, kAtOnce));
  for (std::uintptr_t at = first; at <= last; at += kAtOnce) {
    const std::uintptr_t pages = std::min(last - at + 1, kAtOnce);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the start of a page
    if (mincore(reinterpret_cast<void*>(at * page), pages * page, resident.data()) != 0) {
      return false;
    }
  }
  return true;
}

// A GPU's addresses are reserved in the process, but only its driver can read there.
bool is_readable(void* address, std::size_t length) {
  if (length == 0) return true;
  std::array<std::byte, 2> bytes{};
  const iovec here{bytes.data(), bytes.size()};
  const std::array ends{iovec{address, 1}, iovec{static_cast<std::byte*>(address) + length - 1, 1}};
  const ssize_t got = process_vm_readv(getpid(), &here, 1, ends.data(), ends.size(), 0);
  return got == static_cast<ssize_t>(bytes.size()) || (got < 0 && errno != EFAULT);
}

/// What ibv_rereg_mr() was asked for.
struct Changes {
  int flags;
  ibv_pd* domain;
  void* address;
  std::size_t length;
  unsigned access;
  bool has(int flag) const { return (flags & flag) != 0; }
};

/// What libibverbs itself looks at, before it asks the device (manual page of ibv_rereg_mr:
/// IBV_REREG_MR_ERR_INPUT).
bool well_formed(const Changes& to) {
  constexpr int kAll =
      IBV_REREG_MR_CHANGE_TRANSLATION | IBV_REREG_MR_CHANGE_PD | IBV_REREG_MR_CHANGE_ACCESS;
  if ((to.flags & ~kAll) != 0) return false;
  if (to.has(IBV_REREG_MR_CHANGE_TRANSLATION) && (to.length == 0 || to.address == nullptr)) {
    return false;
  }
  return to.access == 0 || to.has(IBV_REREG_MR_CHANGE_ACCESS);
}

/// What the device then looks at. Whatever it finds, the region stays as it is.
int check_changes(const Region& region, const Changes& to) {
  if (!known(region)) return ENOENT;
  if (to.flags == 0) return EINVAL;
  if (region.windows != 0) return EBUSY;
  if (to.has(IBV_REREG_MR_CHANGE_PD)) {
    if (to.domain == nullptr) return EINVAL;
    if (!known(domain_of(to.domain))) return ENOENT;
    if (&port_of(to.domain->context) != &port_of(region.context)) return EINVAL;
  }
  return to.has(IBV_REREG_MR_CHANGE_ACCESS) ? check_access(to.access) : 0;
}

/// Returns what the bytes were kept in, if they no longer are.
std::unique_ptr<Backing> change(Region& region, const Changes& to) {
  MemoryTable& memory = port_of(region.context).memory;
  if (to.has(IBV_REREG_MR_CHANGE_PD)) {
    --domain_of(region.pd).users;
    region.pd = to.domain;
    ++domain_of(to.domain).users;
  }
  if (to.has(IBV_REREG_MR_CHANGE_ACCESS)) region.access = to.access;
  // Who has the key may go on using it if the bytes are the same, as with hardware.
  if (!to.has(IBV_REREG_MR_CHANGE_TRANSLATION)) {
    memory.changed(region);
    return nullptr;
  }
  auto released = memory.move_to(region, to.address);
  region.length = to.length;
  const bool zero_based = (region.access & IBV_ACCESS_ZERO_BASED) != 0;
  region.iova = zero_based ? 0 : reinterpret_cast<std::uintptr_t>(to.address);
  memory.renew_key(&region);
  return released;
}

// As the kernel's rdma_flow_label_to_udp_sport() (include/rdma/ib_verbs.h): ports from 0xc000 on.
std::uint16_t source_port(std::uint32_t flow_label) {
  if (flow_label == 0) return kRocePort;
  const std::uint32_t low = flow_label & 0x3fff;
  const std::uint32_t high = flow_label & 0xfc000;
  return static_cast<std::uint16_t>((low ^ (high >> 14)) | 0xc000);
}

int refuse_roce_v1(std::size_t index) {
  static std::atomic_flag said;
  if (!said.test_and_set()) {
    std::fprintf(stderr,
                 "softroce: GID index %zu is RoCE v1, whose packets only a NIC can send: use index "
                 "0, 1 or 3, which are RoCE v2\n",
                 index);
  }
  return EOPNOTSUPP;
}

}  // namespace

int check_access(unsigned access) {
  if ((access & ~(kKnownAccess | kHints)) != 0) return EOPNOTSUPP;
  const bool writes = (access & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0;
  return writes && (access & IBV_ACCESS_LOCAL_WRITE) == 0 ? EINVAL : 0;
}

ibv_mr* add_region(ibv_pd* domain, void* address, std::size_t length, std::uint64_t iova,
                   unsigned access, Imported& imported) {
  if (!known(domain_of(domain))) return refuse(ENOENT);
  const Engine::Lock lock(engine_of(domain->context));
  Port& port = port_of(domain->context);
  if (port.census.regions >= kMaxRegions) return refuse(ENOMEM);
  ++port.census.regions;
  ++domain_of(domain).users;
  Region* region = port.memory.add(domain, address, length, iova, access, std::move(imported));
  region->handle = handle_of(region);
  return region;
}

int path_of(const Port& port, const ibv_ah_attr& attributes, Path& out) {
  const GidTable own = gid_table(port.address);
  const std::size_t index = attributes.grh.sgid_index;
  if (attributes.is_global == 0 || index >= own.size()) return EINVAL;
  if (own.at(index).type == GidType::roce_v1) return refuse_roce_v1(index);
  Address gid;
  std::memcpy(gid.bytes.data(), attributes.grh.dgid.raw, gid.bytes.size());
  out.destination = address_of(gid);
  if (is_ipv4(out.destination) != is_ipv4(port.address)) return EHOSTUNREACH;
  out.source_port = source_port(attributes.grh.flow_label);
  // A packet without ECN bits would be dropped where it could be marked: ECT(0), as NICs do.
  const std::uint8_t given = attributes.grh.traffic_class;
  out.traffic_class = static_cast<std::uint8_t>((given & 3) == 0 ? given | 2 : given);
  // 0 and 1 mean one subnet. Many programs give them, and the kernel's drivers take the route's.
  const std::uint8_t hops = attributes.grh.hop_limit;
  out.hop_limit = hops > 1 ? hops : kDefaultHopLimit;
  const int before = errno;
  errno = EINVAL;
  if (!port.outbox.prepare(out)) return errno;  // a flow label takes a socket: EMFILE
  errno = before;
  return 0;
}

ibv_mw* alloc_mw(ibv_pd* domain, ibv_mw_type type) {
  if (type != IBV_MW_TYPE_1 && type != IBV_MW_TYPE_2) return refuse(EINVAL);
  const Engine::Lock lock(engine_of(domain->context));
  if (!known(domain_of(domain))) return refuse(ENOENT);
  Port& port = port_of(domain->context);
  if (port.census.windows >= kMaxWindows) return refuse(ENOMEM);
  ++port.census.windows;
  ++domain_of(domain).users;
  Window* window = port.memory.windows.add(domain, type);
  window->handle = handle_of(window);
  return window;
}

int dealloc_mw(ibv_mw* mw) {
  const Engine::Lock lock(engine_of(mw->context));
  auto& window = *static_cast<Window*>(mw);
  if (!known(window)) return failed(ENOENT);
  Port& port = port_of(mw->context);
  --domain_of(mw->pd).users;
  --port.census.windows;
  port.memory.windows.remove(&window);
  return 0;
}

namespace calls {

ibv_pd* alloc_pd(ibv_context* context) {
  auto domain = std::make_unique<Domain>();
  domain->context = context;
  domain->owner = context;
  domain->handle = handle_of(domain.get());
  const Engine::Lock lock(engine_of(context));
  if (port_of(context).census.domains >= kMaxDomains) return refuse(ENOMEM);
  ++port_of(context).census.domains;
  ++context_of(context).objects;
  return domain.release();
}

int dealloc_pd(ibv_pd* domain) {
  {
    const Engine::Lock lock(engine_of(domain->context));
    if (!known(domain_of(domain))) return failed(ENOENT);
    if (domain_of(domain).users != 0) return failed(EBUSY);
    --port_of(domain->context).census.domains;
    --context_of(domain->context).objects;
  }
  delete &domain_of(
      domain);  // NOLINT(cppcoreguidelines-owning-memory): the verbs' owner is the program
  return 0;
}

ibv_mr* reg_mr(ibv_pd* domain, void* address, std::size_t length, std::uint64_t iova,
               unsigned access) {
  if (const int error = check_access(access)) return refuse(error);
  if (!known(domain_of(domain))) return refuse(ENOENT);
  if (!is_mapped(address, length) || !is_readable(address, length)) return refuse(EFAULT);
  if ((access & IBV_ACCESS_ZERO_BASED) != 0) iova = 0;
  Imported here;
  return add_region(domain, address, length, iova, access, here);
}

int rereg_mr(ibv_mr* mr, int flags, ibv_pd* domain, void* address, std::size_t length, int access) {
  const Changes to{flags, domain, address, length, static_cast<unsigned>(access)};
  if (!well_formed(to)) {
    errno = EINVAL;
    return IBV_REREG_MR_ERR_INPUT;
  }
  const bool mapped = !to.has(IBV_REREG_MR_CHANGE_TRANSLATION) || is_mapped(address, length);
  std::unique_ptr<Backing> released;  // after the lock
  const Engine::Lock lock(engine_of(mr->context));
  auto& region = *static_cast<Region*>(mr);
  const int error = mapped ? check_changes(region, to) : EFAULT;
  if (error != 0) {
    errno = error;
    return IBV_REREG_MR_ERR_CMD;
  }
  released = change(region, to);
  return 0;
}

int dereg_mr(ibv_mr* mr) {
  std::unique_ptr<Backing> released;  // after the lock
  const Engine::Lock lock(engine_of(mr->context));
  auto& region = *static_cast<Region*>(mr);
  if (!known(region)) return failed(ENOENT);
  if (region.windows != 0) return failed(EBUSY);  // 10.6.7.2.6
  Port& port = port_of(mr->context);
  --domain_of(mr->pd).users;
  --port.census.regions;
  released = port.memory.move_to(region, nullptr);
  port.memory.remove(&region);
  return 0;
}

ibv_ah* create_ah(ibv_pd* domain, ibv_ah_attr* attributes) {
  const Engine::Lock lock(engine_of(domain->context));
  if (!known(domain_of(domain))) return refuse(ENOENT);
  Port& port = port_of(domain->context);
  auto handle = std::make_unique<AddressHandle>();
  if (attributes->port_num != 1) return refuse(EINVAL);
  if (port.census.address_handles >= kMaxAddressHandles) return refuse(ENOMEM);
  if (const int error = path_of(port, *attributes, handle->path)) return refuse(error);
  handle->context = domain->context;
  handle->pd = domain;
  handle->handle = handle_of(handle.get());
  ++port.census.address_handles;
  ++domain_of(domain).users;
  return handle.release();
}

int init_ah_from_wc(ibv_context* context, std::uint8_t port, ibv_wc* wc, ibv_grh* grh,
                    ibv_ah_attr* out) {
  if (port != 1 || (wc->wc_flags & IBV_WC_GRH) == 0) {
    errno = EINVAL;
    return -1;
  }
  *out = {};
  out->port_num = port;
  out->is_global = 1;
  out->grh.hop_limit = 64;
  const auto* bytes = reinterpret_cast<const std::byte*>(grh);
  Address source{};
  if (is_ipv4(port_of(context).address)) {
    iphdr ip{};
    std::memcpy(&ip, bytes + 20, sizeof ip);
    source = ipv4(ntohl(ip.saddr));
    out->grh.traffic_class = ip.tos;
  } else {
    ip6_hdr ip{};
    std::memcpy(&ip, bytes, sizeof ip);
    std::memcpy(source.bytes.data(), &ip.ip6_src, 16);
    out->grh.traffic_class = static_cast<std::uint8_t>(ntohl(ip.ip6_flow) >> 20);
  }
  std::memcpy(out->grh.dgid.raw, source.bytes.data(), 16);
  return 0;
}

int destroy_ah(ibv_ah* handle) {
  {
    const Engine::Lock lock(engine_of(handle->context));
    if (!known(*static_cast<AddressHandle*>(handle))) return failed(ENOENT);
    port_of(handle->context).outbox.release(static_cast<AddressHandle*>(handle)->path);
    --port_of(handle->context).census.address_handles;
    --domain_of(handle->pd).users;
  }
  delete static_cast<AddressHandle*>(handle);  // NOLINT(cppcoreguidelines-owning-memory)
  return 0;
}

}  // namespace calls
}  // namespace railgauge::softroce
