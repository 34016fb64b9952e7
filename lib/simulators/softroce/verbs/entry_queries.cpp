// What a device and its port say of themselves, and addresses.

#include <cstddef>
#include <cstring>

#include "softroce/verbs/entry.hpp"

using namespace railgauge::softroce;

namespace {

/// The symbol ibv_query_port has the structure of the first rdma-core, which ended before
/// port_cap_flags2; verbs.h of today calls the context's own query_port for all of it.
int query_short_port(ibv_context* context, std::uint8_t port, _compat_ibv_port_attr* out) {
  ibv_port_attr whole{};
  const int error = calls::query_port(context, port, &whole);
  if (error == 0) std::memcpy(out, &whole, offsetof(ibv_port_attr, port_cap_flags2));
  return error;
}

/// verbs.h passes the size of its own ibv_gid_entry, so that a longer one could be told apart.
int query_gid_entry(ibv_context* context, std::uint32_t port, std::uint32_t index,
                    ibv_gid_entry* entry, std::uint32_t flags, std::size_t size) {
  if (flags != 0) return refuse<int>(EOPNOTSUPP);
  if (size != sizeof *entry) return refuse<int>(EINVAL);
  return calls::query_gid_ex(context, port, index, entry);
}

/// Errors are negative here: what is positive is a number of entries.
ssize_t query_gid_entries(ibv_context* context, ibv_gid_entry* entries, std::size_t most,
                          std::uint32_t flags, std::size_t size) {
  if (flags != 0) return -refuse<ssize_t>(EOPNOTSUPP);
  if (size != sizeof *entries) return -refuse<ssize_t>(EINVAL);
  return calls::query_gid_table(context, entries, most);
}

ibv_ah* create_ah_from_completion(ibv_pd* pd, ibv_wc* completion, ibv_grh* grh, std::uint8_t port) {
  ibv_ah_attr attributes{};
  if (calls::init_ah_from_wc(pd->context, port, completion, grh, &attributes) != 0) return nullptr;
  return calls::create_ah(pd, &attributes);
}

}  // namespace

SOFTROCE_ENTRY(int, ibv_query_device, (ibv_context * context, ibv_device_attr* attributes),
               (context, attributes), context, calls::query_device(context, attributes))
SOFTROCE_ENTRY(int, ibv_query_port,
               (ibv_context * context, std::uint8_t port, _compat_ibv_port_attr* attributes),
               (context, port, attributes), context, query_short_port(context, port, attributes))
SOFTROCE_ENTRY(int, ibv_query_gid,
               (ibv_context * context, std::uint8_t port, int index, ibv_gid* gid),
               (context, port, index, gid), context, calls::query_gid(context, port, index, gid))
SOFTROCE_ENTRY(int, _ibv_query_gid_ex,
               (ibv_context * context, std::uint32_t port, std::uint32_t index,
                ibv_gid_entry* entry, std::uint32_t flags, std::size_t size),
               (context, port, index, entry, flags, size), context,
               query_gid_entry(context, port, index, entry, flags, size))
SOFTROCE_ENTRY(ssize_t, _ibv_query_gid_table,
               (ibv_context * context, ibv_gid_entry* entries, std::size_t most,
                std::uint32_t flags, std::size_t size),
               (context, entries, most, flags, size), context,
               query_gid_entries(context, entries, most, flags, size))
/// Private to rdma-core, whose own ibv_devinfo uses it; no public header declares it.
SOFTROCE_ENTRY(int, ibv_query_gid_type,
               (ibv_context * context, std::uint8_t port, unsigned index, int* type),
               (context, port, index, type), context,
               calls::query_gid_type(context, port, index, type))
SOFTROCE_ENTRY(int, ibv_query_pkey,
               (ibv_context * context, std::uint8_t port, int index, __be16* key),
               (context, port, index, key), context, calls::query_pkey(context, port, index, key))
SOFTROCE_ENTRY(int, ibv_get_pkey_index, (ibv_context * context, std::uint8_t port, __be16 key),
               (context, port, key), context, calls::pkey_index(context, port, key))
SOFTROCE_ENTRY(int, ibv_query_port_speed,
               (ibv_context * context, std::uint32_t port, std::uint64_t* speed),
               (context, port, speed), context, calls::query_port_speed(context, port, speed))

SOFTROCE_ENTRY(ibv_ah*, ibv_create_ah, (ibv_pd * pd, ibv_ah_attr* attributes), (pd, attributes),
               pd->context, calls::create_ah(pd, attributes))
SOFTROCE_ENTRY(int, ibv_init_ah_from_wc,
               (ibv_context * context, std::uint8_t port, ibv_wc* completion, ibv_grh* grh,
                ibv_ah_attr* attributes),
               (context, port, completion, grh, attributes), context,
               calls::init_ah_from_wc(context, port, completion, grh, attributes))
SOFTROCE_ENTRY(ibv_ah*, ibv_create_ah_from_wc,
               (ibv_pd * pd, ibv_wc* completion, ibv_grh* grh, std::uint8_t port),
               (pd, completion, grh, port), pd->context,
               create_ah_from_completion(pd, completion, grh, port))
SOFTROCE_ENTRY(int, ibv_destroy_ah, (ibv_ah * handle), (handle), handle->context,
               calls::destroy_ah(handle))
/// A soft device's frames are the kernel's, which finds MAC addresses itself.
SOFTROCE_REFUSED(int, ibv_resolve_eth_l2_from_gid,
                 (ibv_context * context, ibv_ah_attr* attributes, std::uint8_t* mac,
                  std::uint16_t* vlan),
                 (context, attributes, mac, vlan), context)
