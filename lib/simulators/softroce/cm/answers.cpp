#include "softroce/cm/answers.hpp"

#include <arpa/inet.h>
#include <endian.h>
#include <sys/socket.h>

#include <cstring>

namespace railgauge::softroce::cm {
namespace {

constexpr std::uint16_t kDefaultPartition = 0xffff;
constexpr std::uint8_t kExactly = 2;           // a selector of a path record (volume 1, table 205)
constexpr std::uint8_t kRate = 7;              // 40 Gb/s, as a port says by default
constexpr std::uint8_t kReversibleOne = 0x81;  // reversible, one path

/// struct sockaddr_ib of <rdma/ib.h>, which only librdmacm has for programs.
struct SockaddrIb {
  std::uint16_t family = AF_IB;
  std::uint16_t pkey = 0;
  std::uint32_t flow_information = 0;
  std::array<std::uint8_t, 16> address{};
  std::uint64_t service_id = 0;
  std::uint64_t service_mask = 0;
  std::uint64_t scope_id = 0;
};

/// A path record on the wire (volume 1, 15.2.5.16).
struct PathRecord {
  std::uint64_t service_id = 0;
  std::array<std::uint8_t, 16> target{}, source{};
  std::uint16_t target_lid = 0, source_lid = 0;
  std::uint32_t flow_and_hops = 0;
  std::uint8_t traffic_class = 0, reversible = kReversibleOne;
  std::uint16_t pkey = kDefaultPartition;
  std::uint16_t service_level = 0;
  std::uint8_t mtu = 0, rate = 0, lifetime = 0, preference = 0;
  std::array<std::uint8_t, 6> reserved{};
};
static_assert(sizeof(PathRecord) == sizeof(ib_path_rec_data::path_rec));

constexpr std::uint8_t exactly(std::uint8_t value) {
  return static_cast<std::uint8_t>(kExactly << 6 | value);
}

bool has_path(const Identifier& identifier) {
  return identifier.state >= State::route_resolved;
}

Address source_gid(const Identifier& identifier) {
  return identifier.device ? identifier.device->gid : identifier.source.address;
}

/// The peer's device, or before it is known the address that was named.
Address target_gid(const Identifier& identifier) {
  const bool known = identifier.peer.device != Address{};
  return known ? identifier.peer.device : identifier.destination.address;
}

/// Returns the length.
template <class Out>
std::uint16_t put(const Endpoint& endpoint, Out& out) {
  sockaddr_storage name{};
  if (endpoint.family == AF_IB) {
    SockaddrIb ib;
    std::memcpy(&out, &ib, std::min(sizeof out, sizeof ib));
    return sizeof ib;
  }
  if (endpoint.family == 0) return 0;
  const socklen_t length = to_sockaddr(endpoint.address, endpoint.port, name);
  std::memcpy(&out, &name, std::min<std::size_t>(sizeof out, length));
  return static_cast<std::uint16_t>(length);
}

/// rdma_get_service_id() of cma.c: the port space and the port (annex A11).
std::uint64_t service_id(const Identifier& identifier, const Endpoint& endpoint) {
  return htobe64(std::uint64_t{identifier.port_space} << 16 | endpoint.port);
}

void put_device(const Identifier& identifier, rdma_ucm_query_addr_resp& out) {
  if (!identifier.device) return;
  out.node_guid = identifier.device->guid;
  out.ibdev_index = identifier.device->index;
  out.port_num = kPortNumber;
  out.pkey = kDefaultPartition;
}

std::uint8_t mtu_of(const Identifier& identifier) {
  return identifier.device ? identifier.device->mtu : std::uint8_t{0};
}

}  // namespace

rdma_ucm_query_addr_resp addresses_of(const Identifier& identifier) {
  rdma_ucm_query_addr_resp out{};
  out.src_size = put(identifier.source, out.src_addr);
  out.dst_size = put(identifier.destination, out.dst_addr);
  put_device(identifier, out);
  return out;
}

rdma_ucm_query_addr_resp gids_of(const Identifier& identifier) {
  rdma_ucm_query_addr_resp out{};
  put_device(identifier, out);
  SockaddrIb source;
  source.pkey = out.pkey;
  source.address = source_gid(identifier).bytes;
  source.service_id = service_id(identifier, identifier.source);
  SockaddrIb target = source;
  target.address = target_gid(identifier).bytes;
  target.service_id = service_id(identifier, identifier.destination);
  out.src_size = out.dst_size = sizeof source;
  std::memcpy(&out.src_addr, &source, sizeof source);
  std::memcpy(&out.dst_addr, &target, sizeof target);
  return out;
}

rdma_ucm_query_route_resp route_of(const Identifier& identifier) {
  rdma_ucm_query_route_resp out{};
  put(identifier.source, out.src_addr);
  put(identifier.destination, out.dst_addr);
  if (!identifier.device) return out;
  out.node_guid = identifier.device->guid;
  out.ibdev_index = identifier.device->index;
  out.port_num = kPortNumber;
  ib_user_path_rec& path = out.ib_route[0];
  std::memcpy(path.sgid, source_gid(identifier).bytes.data(), sizeof path.sgid);
  std::memcpy(path.dgid, target_gid(identifier).bytes.data(), sizeof path.dgid);
  path.pkey = kDefaultPartition;
  if (!has_path(identifier)) return out;
  out.num_paths = 1;
  path.reversible = 1;
  path.numb_path = 1;
  path.hop_limit = kHops;
  path.traffic_class = identifier.traffic_class;
  path.mtu = mtu_of(identifier);
  path.rate = kRate;
  path.packet_life_time = kPacketLifetime;
  path.mtu_selector = path.rate_selector = path.packet_life_time_selector = kExactly;
  return out;
}

Paths paths_of(const Identifier& identifier) {
  Paths out{};
  if (!has_path(identifier)) return out;
  PathRecord record;
  record.source = source_gid(identifier).bytes;
  record.target = target_gid(identifier).bytes;
  record.flow_and_hops = htonl(kHops);
  record.traffic_class = identifier.traffic_class;
  record.mtu = exactly(mtu_of(identifier));
  record.rate = exactly(kRate);
  record.lifetime = exactly(kPacketLifetime);
  out.num_paths = 1;
  out.path.flags = IB_PATH_GMP | IB_PATH_PRIMARY | IB_PATH_BIDIRECTIONAL;
  std::memcpy(out.path.path_rec, &record, sizeof record);
  return out;
}

ib_uverbs_qp_attr for_user(const ibv_qp_attr& attributes, int mask) {
  ib_uverbs_qp_attr out{};
  out.qp_attr_mask = static_cast<std::uint32_t>(mask);
  out.qp_state = attributes.qp_state;
  out.path_mtu = attributes.path_mtu;
  out.qkey = attributes.qkey;
  out.rq_psn = attributes.rq_psn;
  out.sq_psn = attributes.sq_psn;
  out.dest_qp_num = attributes.dest_qp_num;
  out.qp_access_flags = attributes.qp_access_flags;
  std::memcpy(out.ah_attr.grh.dgid, attributes.ah_attr.grh.dgid.raw, sizeof out.ah_attr.grh.dgid);
  out.ah_attr.grh.sgid_index = attributes.ah_attr.grh.sgid_index;
  out.ah_attr.grh.hop_limit = attributes.ah_attr.grh.hop_limit;
  out.ah_attr.grh.traffic_class = attributes.ah_attr.grh.traffic_class;
  out.ah_attr.is_global = attributes.ah_attr.is_global;
  out.ah_attr.port_num = attributes.ah_attr.port_num;
  out.pkey_index = attributes.pkey_index;
  out.max_rd_atomic = attributes.max_rd_atomic;
  out.max_dest_rd_atomic = attributes.max_dest_rd_atomic;
  out.min_rnr_timer = attributes.min_rnr_timer;
  out.port_num = attributes.port_num;
  out.timeout = attributes.timeout;
  out.retry_cnt = attributes.retry_cnt;
  out.rnr_retry = attributes.rnr_retry;
  return out;
}

}  // namespace railgauge::softroce::cm
