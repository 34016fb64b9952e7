#pragma once

// lib/simulators/softroce/verbs answers the verbs of <infiniband/verbs.h> for soft devices. It is
// the only part that knows both verbs' types and the engine.

#include <infiniband/verbs.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What each public function of libibverbs does if its object is a soft one. The entry points
/// (entry_*.cpp) check who owns the object and call either these or the real library. Return values
/// and errno follow the manual page of the same name. Thread-safe, like verbs. What is unsupported
/// fails here with EOPNOTSUPP.
namespace railgauge::softroce::calls {

/// The soft devices of this process: always the same pointers, never freed. Empty if the
/// environment is invalid (a sentence on stderr, once).
std::span<ibv_device* const> devices();
/// The errno for why there are none, or 0.
int devices_error();
bool ours(const ibv_device* device);
bool ours(const ibv_context* context);

ibv_context* open_device(ibv_device* device);
int close_device(ibv_context* context);
__be64 device_guid(ibv_device* device);
int device_index(ibv_device* device);

int query_device(ibv_context*, ibv_device_attr*);
int query_port(ibv_context*, std::uint8_t port, ibv_port_attr*);  ///< the whole structure
int query_gid(ibv_context*, std::uint8_t port, int index, ibv_gid*);
int query_gid_ex(ibv_context*, std::uint32_t port, std::uint32_t index, ibv_gid_entry*);
ssize_t query_gid_table(ibv_context*, ibv_gid_entry*, std::size_t entries);
int query_gid_type(ibv_context*, std::uint8_t port, unsigned index,
                   int* type);  ///< 0 IB/v1, 1 RoCE v2
int query_port_speed(ibv_context*, std::uint32_t port, std::uint64_t* speed);  ///< 100 Mb/s
int query_pkey(ibv_context*, std::uint8_t port, int index, __be16* pkey);
int pkey_index(ibv_context*, std::uint8_t port, __be16 pkey);

ibv_pd* alloc_pd(ibv_context*);
int dealloc_pd(ibv_pd*);
ibv_mr* reg_mr(ibv_pd*, void* address, std::size_t length, std::uint64_t iova, unsigned access);
ibv_mr* reg_dmabuf_mr(ibv_pd*, std::uint64_t offset, std::size_t length, std::uint64_t iova,
                      int file, unsigned access);
/// Nothing is kept from the children of fork(), so the errors about that (ERR_DONT_FORK_NEW,
/// ERR_DO_FORK_OLD) do not occur; and whatever fails, the region stays valid as it was.
int rereg_mr(ibv_mr*, int flags, ibv_pd*, void* address, std::size_t length, int access);
int dereg_mr(ibv_mr*);

ibv_comp_channel* create_comp_channel(ibv_context*);
int destroy_comp_channel(ibv_comp_channel*);
ibv_cq* create_cq(ibv_context*, int entries, void* cq_context, ibv_comp_channel*, int vector);
int resize_cq(ibv_cq*, int entries);
int destroy_cq(ibv_cq*);
int get_cq_event(ibv_comp_channel*, ibv_cq**, void** cq_context);
void ack_cq_events(ibv_cq*, unsigned events);

ibv_srq* create_srq(ibv_pd*, ibv_srq_init_attr*);
int modify_srq(ibv_srq*, ibv_srq_attr*, int mask);
int query_srq(ibv_srq*, ibv_srq_attr*);
int destroy_srq(ibv_srq*);

ibv_qp* create_qp(ibv_pd*, ibv_qp_init_attr*);
ibv_qp_ex* qp_to_qp_ex(ibv_qp*);
int modify_qp(ibv_qp*, ibv_qp_attr*, int mask);
int query_qp(ibv_qp*, ibv_qp_attr*, int mask, ibv_qp_init_attr*);
int destroy_qp(ibv_qp*);

ibv_ah* create_ah(ibv_pd*, ibv_ah_attr*);
int init_ah_from_wc(ibv_context*, std::uint8_t port, ibv_wc*, ibv_grh*, ibv_ah_attr*);
int destroy_ah(ibv_ah*);

int get_async_event(ibv_context*, ibv_async_event*);
void ack_async_event(ibv_async_event*);

}  // namespace railgauge::softroce::calls

namespace railgauge::softroce {

/// What sysfs would show of one soft device, for programs that read it.
struct DeviceDescription {
  std::string name;       ///< "soft0"
  std::string node_guid;  ///< "0200:5eff:7f40:0001"
  std::string firmware;   ///< "softroce 0.1.0", which is also fw_ver of ibv_query_device()
  struct NamedGid {
    std::string gid;   ///< "0000:0000:0000:0000:0000:ffff:7f40:0001"; zeros until it has one
    std::string type;  ///< "RoCE v2"
  };
  std::vector<NamedGid> gids;  ///< by index
  std::string netdev;          ///< the interface that has the address: "lo"
  std::string state;           ///< "4: ACTIVE", "1: DOWN"
  std::string physical_state;  ///< "5: LinkUp", "3: Disabled"
  std::string link_layer;      ///< "Ethernet"; "Unknown" of a device that is like an EFA
  std::string rate;            ///< "40 Gb/sec (4X QDR)"
  std::vector<std::pair<std::string, std::uint64_t>> counters;     ///< as in .../counters
  std::vector<std::pair<std::string, std::uint64_t>> hw_counters;  ///< as in .../hw_counters
};
/// A device has an address when it is opened; `wanted`: those that have none are to be given one
/// now.
enum class Addresses { known, wanted };
std::vector<DeviceDescription> describe_devices(Addresses addresses = Addresses::known);
/// Likewise, but of devices whose name is nowhere in `path` the name only: programs read hundreds
/// of counters, each by its path.
std::vector<DeviceDescription> describe_devices_for(std::string_view path, Addresses addresses);

}  // namespace railgauge::softroce
