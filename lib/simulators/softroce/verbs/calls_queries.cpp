// What a device, a port and its tables are: as verbs report it, and as sysfs would show it.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "softroce/device/acknowledgement.hpp"
#include "softroce/device/gid_table.hpp"
#include "softroce/device/work_queues.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {
namespace {

constexpr const char* kFirmware = "softroce " RAILGAUGE_SOFTROCE_VERSION;
// With the shortcut on, so that results can be told apart.
constexpr const char* kFirmwareShortcut = "softroce " RAILGAUGE_SOFTROCE_VERSION " shortcut";
constexpr std::uint8_t kPort = 1;
constexpr std::uint16_t kDefaultPartition = 0xffff;
// Of rdma-core's private enum ibv_gid_type_sysfs.
constexpr int kGidTypeRoceV1 = 0, kGidTypeRoceV2 = 1;
constexpr double kSpeedUnit = 1e8;  // bits per second: manual page of ibv_query_port_speed
constexpr std::uint8_t kLinkUp = 5, kDisabled = 3;  // phys_state
// Nobody's, as rdma_rxe says it (drivers/infiniband/sw/rxe/rxe_param.h): 0 is a vendor's that
// forgot it.
constexpr std::uint32_t kNoVendor = 0xffffff;

ibv_mtu mtu_of(unsigned bytes) {
  ibv_mtu mtu = IBV_MTU_256;
  while (mtu < IBV_MTU_4096 && (128U << (mtu + 1)) <= bytes) mtu = static_cast<ibv_mtu>(mtu + 1);
  return mtu;
}

const Rail& rail_of(ibv_context* context) {
  return engine_of(context).rail(device_of(context->device).rail);
}

/// Not by printf: every counter that is read comes through here.
std::string in_fours(const std::uint8_t* bytes, std::size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(count * 5 / 2);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && i % 2 == 0) text += ':';
    text += kDigits[bytes[i] >> 4U];
    text += kDigits[bytes[i] & 0xfU];
  }
  return text;
}

std::vector<DeviceDescription::NamedGid> describe(const GidTable& table) {
  std::vector<DeviceDescription::NamedGid> out;
  for (const Gid& gid : table) {
    // As drivers/infiniband/core/cache.c names them.
    out.push_back({in_fours(gid.address.bytes.data(), gid.address.bytes.size()),
                   gid.type == GidType::roce_v1 ? "IB/RoCE v1" : "RoCE v2"});
  }
  return out;
}

/// The GID at this index; null, and EINVAL in errno, if there is none.
const Gid* find_gid(const GidTable& table, std::uint32_t port, std::uint32_t index) {
  if (port == kPort && index < table.size()) return &table.at(index);
  errno = EINVAL;
  return nullptr;
}

DeviceDescription describe(ibv_device& device, const Rail& rail) {
  DeviceDescription out;
  const __be64 guid = calls::device_guid(&device);
  const bool up = !rail.port || rail.port->link_up;
  out.name = rail.name;
  out.node_guid = in_fours(reinterpret_cast<const std::uint8_t*>(&guid), sizeof guid);
  out.firmware = Engine::settings().shortcut ? kFirmwareShortcut : kFirmware;
  Address address;
  if (rail.reserved) address = rail.reserved->address;
  if (rail.port) address = rail.port->address;
  out.gids = describe(gid_table(address));
  out.netdev = rail.port || rail.interface.index != 0 ? rail.interface.name : "lo";
  out.state = up ? "4: ACTIVE" : "1: DOWN";
  out.physical_state = up ? "5: LinkUp" : "3: Disabled";
  const Profile& profile = Engine::settings().profile;
  out.link_layer = profile.has_rc ? "Ethernet" : "Unknown";
  out.rate = link_speed(told_rate(profile, rail.bits_per_second)).rate;
  const Counters counters = rail.port ? rail.port->counters : Counters{};
  // Data counters are in units of four bytes (InfiniBand volume 1, 16.1.3.5).
  out.counters = {{"port_xmit_data", counters.sent_bytes / 4},
                  {"port_rcv_data", counters.rcvd_bytes / 4},
                  {"port_xmit_packets", counters.sent_pkts},
                  {"port_rcv_packets", counters.rcvd_pkts},
                  {"port_rcv_errors", counters.icrc_err + counters.malformed},
                  {"port_xmit_discards", counters.send_err},
                  {"link_downed", counters.link_downed}};
  out.hw_counters =
      as_driver_names(profile, rail.port ? rail.port->named_counters() : counters.named());
  return out;
}

/// Of the others only the name.
template <class IsWanted>
std::vector<DeviceDescription> describe_those(const IsWanted& is_wanted, Addresses addresses) {
  std::vector<DeviceDescription> all;
  const auto devices = calls::devices();
  if (devices.empty()) return all;
  for (ibv_device* device : devices) {
    const int number = device_of(device).rail;
    Engine& engine = Engine::of(number);
    const Engine::Lock lock(engine);
    if (addresses == Addresses::wanted) engine.reserve_address(number);
    const Rail& rail = engine.rail(number);
    if (is_wanted(rail)) {
      all.push_back(describe(*device, rail));
    } else {
      all.emplace_back().name = rail.name;
    }
  }
  return all;
}

}  // namespace

int query_device_ex(ibv_context* context, const ibv_query_device_ex_input* input,
                    ibv_device_attr_ex* out, std::size_t bytes) {
  if (input != nullptr && input->comp_mask != 0) return failed(EINVAL);
  ibv_device_attr_ex all{};
  if (const int error = calls::query_device(context, &all.orig_attr)) return error;
  all.completion_timestamp_mask = ~std::uint64_t{0};
  all.hca_core_clock = 1000000;  // kHz: stamps are nanoseconds
  all.phys_port_cnt_ex = 1;
  std::memcpy(out, &all, std::min(bytes, sizeof all));
  return 0;
}

int query_rt_values(ibv_context*, ibv_values_ex* values) {
  if ((values->comp_mask & ~std::uint32_t{IBV_VALUES_MASK_RAW_CLOCK}) != 0) {
    return failed(EOPNOTSUPP);
  }
  clock_gettime(CLOCK_MONOTONIC, &values->raw_clock);
  return 0;
}

namespace calls {

int query_device(ibv_context* context, ibv_device_attr* out) {
  *out = {};
  const Limits& limits = port_of(context).profile.limits;
  const bool shortcut = engine_of(context).settings().shortcut;
  std::strncpy(out->fw_ver, shortcut ? kFirmwareShortcut : kFirmware, sizeof out->fw_ver - 1);
  out->node_guid = out->sys_image_guid = device_guid(context->device);
  out->max_mr_size = ~std::uint64_t{0};
  out->page_size_cap = 0xfffff000;
  out->vendor_id = kNoVendor;
  out->max_qp = kMaxQueuePairs;
  out->max_qp_wr = limits.requests;
  out->device_cap_flags = IBV_DEVICE_SYS_IMAGE_GUID | IBV_DEVICE_RC_RNR_NAK_GEN |
                          IBV_DEVICE_SRQ_RESIZE | IBV_DEVICE_PORT_ACTIVE_EVENT |
                          IBV_DEVICE_CURR_QP_STATE_MOD | IBV_DEVICE_MEM_MGT_EXTENSIONS |
                          IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B;
  out->max_sge = out->max_sge_rd = limits.elements;
  out->max_cq = kMaxCompletionQueues;
  out->max_cqe = limits.completions;
  out->max_mr = kMaxRegions;
  out->max_mw = kMaxWindows;
  out->max_pd = kMaxDomains;
  out->max_ah = kMaxAddressHandles;
  out->max_qp_rd_atom = out->max_qp_init_rd_atom = limits.reads;
  out->max_res_rd_atom = limits.reads * kMaxQueuePairs;
  out->atomic_cap = IBV_ATOMIC_HCA;
  out->max_srq = kMaxSharedReceiveQueues;
  out->max_srq_wr = limits.requests;
  out->max_srq_sge = limits.elements;
  out->max_pkeys = 1;
  out->phys_port_cnt = 1;
  return 0;
}

int query_port(ibv_context* context, std::uint8_t port, ibv_port_attr* out) {
  if (port != kPort) return failed(EINVAL);
  const Rail& rail = rail_of(context);
  const Engine::Lock lock(engine_of(context));
  const bool up = rail.port->link_up;
  *out = {};
  out->state = up ? IBV_PORT_ACTIVE : IBV_PORT_DOWN;
  out->phys_state = up ? kLinkUp : kDisabled;
  out->max_mtu = IBV_MTU_4096;
  out->active_mtu = mtu_of(rail.port->mtu);
  out->gid_tbl_len = static_cast<int>(std::tuple_size_v<GidTable>);
  out->pkey_tbl_len = 1;
  out->port_cap_flags = IBV_PORT_CM_SUP | IBV_PORT_IP_BASED_GIDS;
  out->max_msg_sz = static_cast<std::uint32_t>(kLongestMessage);
  const LinkSpeed speed = link_speed(rail.port->line_bits_per_second);
  out->active_width = speed.width;
  out->active_speed = speed.speed;
  out->link_layer =
      rail.port->profile.has_rc ? IBV_LINK_LAYER_ETHERNET : IBV_LINK_LAYER_UNSPECIFIED;
  out->max_vl_num = 1;
  return 0;
}

int query_gid(ibv_context* context, std::uint8_t port, int index, ibv_gid* gid) {
  const GidTable table = gid_table(port_of(context).address);
  const Gid* const found = find_gid(table, port, static_cast<std::uint32_t>(index));
  if (found == nullptr) return -1;
  std::memcpy(gid->raw, found->address.bytes.data(), sizeof gid->raw);
  return 0;
}

int query_gid_ex(ibv_context* context, std::uint32_t port, std::uint32_t index,
                 ibv_gid_entry* entry) {
  const GidTable table = gid_table(port_of(context).address);
  const Gid* const found = find_gid(table, port, index);
  if (found == nullptr) return failed(EINVAL);
  *entry = {};
  std::memcpy(entry->gid.raw, found->address.bytes.data(), sizeof entry->gid.raw);
  entry->gid_index = index;
  entry->port_num = kPort;
  entry->gid_type = found->type == GidType::roce_v1 ? IBV_GID_TYPE_ROCE_V1 : IBV_GID_TYPE_ROCE_V2;
  entry->ndev_ifindex = rail_of(context).interface.index;
  return 0;
}

ssize_t query_gid_table(ibv_context* context, ibv_gid_entry* entries, std::size_t room) {
  constexpr std::size_t kEntries = std::tuple_size_v<GidTable>;
  if (room < kEntries) return -failed(EINVAL);
  for (std::uint32_t index = 0; index < kEntries; ++index) {
    query_gid_ex(context, kPort, index, &entries[index]);
  }
  return kEntries;
}

int query_gid_type(ibv_context* context, std::uint8_t port, unsigned index, int* type) {
  const GidTable table = gid_table(port_of(context).address);
  const Gid* const found = find_gid(table, port, index);
  if (found == nullptr) return -1;
  *type = found->type == GidType::roce_v1 ? kGidTypeRoceV1 : kGidTypeRoceV2;
  return 0;
}

int query_port_speed(ibv_context* context, std::uint32_t port, std::uint64_t* speed) {
  if (port != kPort) return failed(EINVAL);
  const double bits_per_second = port_of(context).line_bits_per_second;
  *speed = static_cast<std::uint64_t>(bits_per_second / kSpeedUnit);
  return 0;
}

int query_pkey(ibv_context*, std::uint8_t port, int index, __be16* pkey) {
  if (port != kPort || index != 0) {
    errno = EINVAL;
    return -1;
  }
  *pkey = htobe16(kDefaultPartition);
  return 0;
}

int pkey_index(ibv_context*, std::uint8_t port, __be16 pkey) {
  if (port == kPort && be16toh(pkey) == kDefaultPartition) return 0;
  errno = EINVAL;
  return -1;
}

}  // namespace calls

std::vector<DeviceDescription> describe_devices(Addresses addresses) {
  return describe_those([](const Rail&) { return true; }, addresses);
}

std::vector<DeviceDescription> describe_devices_for(std::string_view path, Addresses addresses) {
  const auto is_named = [path](const Rail& rail) {
    return path.find(rail.name) != std::string_view::npos;
  };
  return describe_those(is_named, addresses);
}

}  // namespace railgauge::softroce
