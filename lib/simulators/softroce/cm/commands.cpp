#include "softroce/cm/commands.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "softroce/cm/answers.hpp"

namespace railgauge::softroce::cm {
namespace {

/// One command on its way.
struct Call {
  Manager& manager;
  Channel& channel;
  std::span<const std::byte> in;
  std::size_t room;  ///< for the answer
  Lookup look_up;

  /// The command's structure; what an older librdmacm does not send of it is zero.
  template <class Command>
  Command read() const {
    Command command{};
    std::memcpy(static_cast<void*>(&command), in.data(), std::min(in.size(), sizeof command));
    return command;
  }
  /// Answers with as much as there is room for; `least` must fit.
  template <class Answer>
  int answer(std::uint64_t where, const Answer& answer, std::size_t least = sizeof(Answer)) const {
    if (room < least) return ENOSPC;
    auto* const out = reinterpret_cast<void*>(where);  // NOLINT(performance-no-int-to-ptr)
    std::memcpy(out, &answer, std::min(room, sizeof answer));
    return 0;
  }
};

template <class Sockaddr>
Endpoint endpoint_of(const Sockaddr& from) {
  sockaddr_storage name{};
  std::memcpy(&name, &from, std::min(sizeof name, sizeof from));
  if (name.ss_family != AF_INET && name.ss_family != AF_INET6) return {.family = name.ss_family};
  return {.family = name.ss_family, .address = from_sockaddr(name), .port = port_of(name)};
}

int create(const Call& call) {
  const auto command = call.read<rdma_ucm_create_id>();
  if (call.room < sizeof(rdma_ucm_create_id_resp)) return ENOSPC;
  switch (command.ps) {
    case RDMA_PS_TCP:
    case RDMA_PS_UDP:
    case RDMA_PS_IB:
    case RDMA_PS_IPOIB: break;
    default: return EINVAL;
  }
  const Id id = call.manager.create(call.channel, command.uid, command.ps);
  return call.answer(command.response, rdma_ucm_create_id_resp{id});
}

int destroy(const Call& call) {
  const auto command = call.read<rdma_ucm_destroy_id>();
  rdma_ucm_destroy_id_resp told{};
  if (call.room < sizeof told) return ENOSPC;
  const int error = call.manager.destroy(call.channel, command.id, told.events_reported);
  return error != 0 ? error : call.answer(command.response, told);
}

int bind_ip(const Call& call) {
  const auto command = call.read<rdma_ucm_bind_ip>();
  return call.manager.bind(call.channel, command.id, endpoint_of(command.addr));
}

int bind(const Call& call) {
  const auto command = call.read<rdma_ucm_bind>();
  if (command.reserved != 0 || command.addr_size == 0) return EINVAL;
  return call.manager.bind(call.channel, command.id, endpoint_of(command.addr));
}

int resolve_ip(const Call& call) {
  const auto command = call.read<rdma_ucm_resolve_ip>();
  return call.manager.resolve_address(call.channel, command.id, endpoint_of(command.src_addr),
                                      endpoint_of(command.dst_addr));
}

int resolve_address(const Call& call) {
  const auto command = call.read<rdma_ucm_resolve_addr>();
  if (command.reserved != 0 || command.dst_size == 0) return EINVAL;
  const Endpoint source = command.src_size != 0 ? endpoint_of(command.src_addr) : Endpoint{};
  return call.manager.resolve_address(call.channel, command.id, source,
                                      endpoint_of(command.dst_addr));
}

int resolve_route(const Call& call) {
  return call.manager.resolve_route(call.channel, call.read<rdma_ucm_resolve_route>().id);
}

int query_route(const Call& call) {
  const auto command = call.read<rdma_ucm_query>();
  Identifier* identifier = nullptr;
  if (const int error = call.manager.find(call.channel, command.id, identifier)) return error;
  return call.answer(command.response, route_of(*identifier),
                     offsetof(rdma_ucm_query_route_resp, ibdev_index));
}

int query(const Call& call) {
  const auto command = call.read<rdma_ucm_query>();
  Identifier* identifier = nullptr;
  if (const int error = call.manager.find(call.channel, command.id, identifier)) return error;
  constexpr std::size_t kLeast = offsetof(rdma_ucm_query_addr_resp, ibdev_index);
  switch (command.option) {
    case RDMA_USER_CM_QUERY_ADDR:
      return call.answer(command.response, addresses_of(*identifier), kLeast);
    case RDMA_USER_CM_QUERY_GID: return call.answer(command.response, gids_of(*identifier), kLeast);
    case RDMA_USER_CM_QUERY_PATH:
      return call.answer(command.response, paths_of(*identifier), sizeof(rdma_ucm_query_path_resp));
    default: return ENOSYS;
  }
}

int connect(const Call& call) {
  if (call.in.size() < offsetof(rdma_ucm_connect, ece)) return EINVAL;
  const auto command = call.read<rdma_ucm_connect>();
  return call.manager.connect(call.channel, command.id, command.conn_param, command.ece);
}

int listen(const Call& call) {
  const auto command = call.read<rdma_ucm_listen>();
  return call.manager.listen(call.channel, command.id, static_cast<int>(command.backlog));
}

int accept(const Call& call) {
  if (call.in.size() < offsetof(rdma_ucm_accept, ece)) return EINVAL;
  const auto command = call.read<rdma_ucm_accept>();
  const bool offers = command.conn_param.valid != 0;
  return call.manager.accept(call.channel, command.id, command.uid,
                             offers ? &command.conn_param : nullptr, command.ece);
}

int reject(const Call& call) {
  const auto command = call.read<rdma_ucm_reject>();
  const auto reason = command.reason == 0 ? kConsumerDefined : static_cast<Reason>(command.reason);
  if (reason != kConsumerDefined && reason != kVendorOptionNotSupported) return EINVAL;
  return call.manager.reject(call.channel, command.id,
                             {command.private_data, command.private_data_len}, reason);
}

int disconnect(const Call& call) {
  return call.manager.disconnect(call.channel, call.read<rdma_ucm_disconnect>().id);
}

int initialize_queue_pair(const Call& call) {
  const auto command = call.read<rdma_ucm_init_qp_attr>();
  if (call.room < sizeof(ib_uverbs_qp_attr)) return ENOSPC;
  if (command.qp_state > IBV_QPS_ERR) return EINVAL;
  Identifier* identifier = nullptr;
  if (const int error = call.manager.find(call.channel, command.id, identifier)) return error;
  if (!identifier->device) return EINVAL;
  ibv_qp_attr attributes{};
  attributes.qp_state = static_cast<ibv_qp_state>(command.qp_state);
  int mask = 0;
  if (const int error = queue_pair_attributes(*identifier, attributes, mask)) return error;
  return call.answer(command.response, for_user(attributes, mask));
}

int next_event(const Call& call) {
  const auto command = call.read<rdma_ucm_get_event>();
  constexpr std::size_t kLeast = offsetof(rdma_ucm_event_resp, reserved);
  if (call.room < kLeast) return ENOSPC;
  rdma_ucm_event_resp event{};
  if (!call.manager.next_event(call.channel, event)) return EAGAIN;
  return call.answer(command.response, event, kLeast);
}

int set_option(const Call& call) {
  const auto command = call.read<rdma_ucm_set_option>();
  // NOLINTNEXTLINE(performance-no-int-to-ptr): that is how the kernel's interface has it
  const auto* const value = reinterpret_cast<const std::byte*>(command.optval);
  return call.manager.set_option(call.channel, command.id, command.level, command.optname,
                                 {value, command.optlen});
}

int notify(const Call& call) {
  const auto command = call.read<rdma_ucm_notify>();
  return call.manager.notify(call.channel, command.id, static_cast<ibv_event_type>(command.event));
}

int migrate(const Call& call) {
  const auto command = call.read<rdma_ucm_migrate_id>();
  if (call.room < sizeof(rdma_ucm_migrate_resp)) return ENOSPC;
  const std::shared_ptr<Channel> from = call.look_up(static_cast<int>(command.fd));
  if (!from) return EINVAL;
  rdma_ucm_migrate_resp told{};
  const int error = call.manager.migrate(*from, call.channel, command.id, told.events_reported);
  return error != 0 ? error : call.answer(command.response, told);
}

int refuse_multicast(const Call&) {
  return EOPNOTSUPP;
}

int leave_multicast(const Call&) {
  return ENOENT;  // none was joined
}

using Handler = int (*)(const Call&);

Handler handler_of(std::uint32_t command) {
  switch (command) {
    case RDMA_USER_CM_CMD_CREATE_ID: return create;
    case RDMA_USER_CM_CMD_DESTROY_ID: return destroy;
    case RDMA_USER_CM_CMD_BIND_IP: return bind_ip;
    case RDMA_USER_CM_CMD_RESOLVE_IP: return resolve_ip;
    case RDMA_USER_CM_CMD_RESOLVE_ROUTE: return resolve_route;
    case RDMA_USER_CM_CMD_QUERY_ROUTE: return query_route;
    case RDMA_USER_CM_CMD_CONNECT: return connect;
    case RDMA_USER_CM_CMD_LISTEN: return listen;
    case RDMA_USER_CM_CMD_ACCEPT: return accept;
    case RDMA_USER_CM_CMD_REJECT: return reject;
    case RDMA_USER_CM_CMD_DISCONNECT: return disconnect;
    case RDMA_USER_CM_CMD_INIT_QP_ATTR: return initialize_queue_pair;
    case RDMA_USER_CM_CMD_GET_EVENT: return next_event;
    case RDMA_USER_CM_CMD_SET_OPTION: return set_option;
    case RDMA_USER_CM_CMD_NOTIFY: return notify;
    case RDMA_USER_CM_CMD_JOIN_IP_MCAST:
    case RDMA_USER_CM_CMD_JOIN_MCAST: return refuse_multicast;
    case RDMA_USER_CM_CMD_LEAVE_MCAST: return leave_multicast;
    case RDMA_USER_CM_CMD_MIGRATE_ID: return migrate;
    case RDMA_USER_CM_CMD_QUERY: return query;
    case RDMA_USER_CM_CMD_BIND: return bind;
    case RDMA_USER_CM_CMD_RESOLVE_ADDR: return resolve_address;
    default: return nullptr;
  }
}

rdma_ucm_cmd_hdr header_of(std::span<const std::byte> written) {
  rdma_ucm_cmd_hdr header{};
  std::memcpy(&header, written.data(), sizeof header);
  return header;
}

}  // namespace

bool asks_for_event(std::span<const std::byte> written) {
  return written.size() >= sizeof(rdma_ucm_cmd_hdr) &&
         header_of(written).cmd == RDMA_USER_CM_CMD_GET_EVENT;
}

int execute(Manager& manager, Channel& channel, std::span<const std::byte> written,
            Lookup look_up) {
  if (written.size() < sizeof(rdma_ucm_cmd_hdr)) return EINVAL;
  const rdma_ucm_cmd_hdr header = header_of(written);
  if (header.cmd > RDMA_USER_CM_CMD_JOIN_MCAST) return EINVAL;
  const auto structure = written.subspan(sizeof header);
  if (header.in > structure.size()) return EINVAL;
  const Handler handler = handler_of(header.cmd);
  if (handler == nullptr) return ENOSYS;  // GET_OPTION, as in the kernel
  return handler({manager, channel, structure.first(header.in), header.out, look_up});
}

}  // namespace railgauge::softroce::cm
