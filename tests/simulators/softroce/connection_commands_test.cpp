#include "softroce/cm/commands.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "connection_pair.hpp"

namespace railgauge::softroce::cm {
namespace {

/// What librdmacm writes, byte by byte.
class ConnectionCommands : public ConnectionPair {
 protected:
  template <class Command>
  int write(int number, const Command& command, std::size_t room = 0) {
    const rdma_ucm_cmd_hdr header{static_cast<std::uint32_t>(number), sizeof command,
                                  static_cast<std::uint16_t>(room)};
    std::vector<std::byte> bytes(sizeof header + sizeof command);
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(&bytes[sizeof header], &command, sizeof command);
    return execute(client.manager, client.channel, bytes, nobody);
  }
  static std::shared_ptr<Channel> nobody(int) { return nullptr; }

  template <class Answer>
  static std::uint64_t to(Answer& answer) {
    return reinterpret_cast<std::uint64_t>(&answer);
  }

  Id create(std::uint16_t space = RDMA_PS_TCP) {
    rdma_ucm_create_id_resp answer{kNoId};
    rdma_ucm_create_id command{};
    command.uid = 2000;
    command.response = to(answer);
    command.ps = space;
    EXPECT_EQ(write(RDMA_USER_CM_CMD_CREATE_ID, command, sizeof answer), 0);
    return answer.id;
  }
  int resolve(Id id) {
    rdma_ucm_resolve_ip command{};
    command.id = id;
    sockaddr_storage name{};
    const socklen_t length = to_sockaddr(ipv4(0x7f000001), kPort, name);
    std::memcpy(&command.dst_addr, &name, length);
    return write(RDMA_USER_CM_CMD_RESOLVE_IP, command);
  }
  template <class Answer>
  int query(Id id, int number, int option, Answer& answer, std::size_t room) {
    rdma_ucm_query command{};
    command.response = to(answer);
    command.id = id;
    command.option = static_cast<std::uint32_t>(option);
    return write(number, command, room);
  }
};

TEST_F(ConnectionCommands, ShortAndUnknownOnesAreEinval) {
  const auto run = [this](std::span<const std::byte> bytes) {
    return execute(client.manager, client.channel, bytes, nobody);
  };
  const std::array<std::byte, 7> few{};
  EXPECT_EQ(run(few), EINVAL);
  EXPECT_EQ(run({}), EINVAL);
  const struct {
  } nothing;
  EXPECT_EQ(write(RDMA_USER_CM_CMD_JOIN_MCAST + 1, nothing), EINVAL);
  EXPECT_EQ(write(RDMA_USER_CM_CMD_GET_OPTION, nothing), ENOSYS);
  rdma_ucm_cmd_hdr longer{RDMA_USER_CM_CMD_LISTEN, 8, 0};  // more than what follows
  EXPECT_EQ(run(std::as_bytes(std::span(&longer, 1))), EINVAL);
  EXPECT_FALSE(asks_for_event(few));
}

TEST_F(ConnectionCommands, AnAnswerNeedsRoom) {
  rdma_ucm_create_id_resp answer{kNoId};
  rdma_ucm_create_id command{};
  command.response = to(answer);
  command.ps = RDMA_PS_TCP;
  EXPECT_EQ(write(RDMA_USER_CM_CMD_CREATE_ID, command, 0), ENOSPC);
  EXPECT_EQ(answer.id, kNoId);
  command.ps = 77;
  EXPECT_EQ(write(RDMA_USER_CM_CMD_CREATE_ID, command, sizeof answer), EINVAL);
}

TEST_F(ConnectionCommands, TheDescriptorIsReadableWhileThereAreEvents) {
  pollfd descriptor{.fd = client.channel.descriptor(), .events = POLLIN, .revents = 0};
  ::fcntl(descriptor.fd, F_SETFL, O_NONBLOCK);
  EXPECT_EQ(::poll(&descriptor, 1, 0), 0);
  EXPECT_EQ(client.channel.wait(), EAGAIN);
  const Id id = create();
  ASSERT_EQ(resolve(id), 0);
  EXPECT_EQ(::poll(&descriptor, 1, 0), 1);
  EXPECT_EQ(client.channel.wait(), 0);
  rdma_ucm_event_resp event{};
  rdma_ucm_get_event command{to(event)};
  EXPECT_EQ(write(RDMA_USER_CM_CMD_GET_EVENT, command, 8), ENOSPC);
  ASSERT_EQ(write(RDMA_USER_CM_CMD_GET_EVENT, command, sizeof event), 0);
  EXPECT_EQ(event.uid, 2000U);
  EXPECT_EQ(event.id, id);
  EXPECT_EQ(event.event, 0U);  // RDMA_CM_EVENT_ADDR_RESOLVED
  EXPECT_EQ(::poll(&descriptor, 1, 0), 0);
  EXPECT_EQ(write(RDMA_USER_CM_CMD_GET_EVENT, command, sizeof event), EAGAIN);
}

TEST_F(ConnectionCommands, DroppedEventsAreNoLongerCounted) {
  const Id id = create();
  ASSERT_EQ(resolve(id), 0);
  rdma_ucm_destroy_id_resp told{7};
  rdma_ucm_destroy_id command{};
  command.response = to(told);
  command.id = id;
  ASSERT_EQ(write(RDMA_USER_CM_CMD_DESTROY_ID, command, sizeof told), 0);
  EXPECT_EQ(told.events_reported, 0U);
  pollfd descriptor{.fd = client.channel.descriptor(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&descriptor, 1, 0), 0);
}

TEST_F(ConnectionCommands, AddressesAreAnswered) {
  const Id id = create();
  ASSERT_EQ(resolve(id), 0);
  rdma_ucm_query_addr_resp answer{};
  ASSERT_EQ(query(id, RDMA_USER_CM_CMD_QUERY, RDMA_USER_CM_QUERY_ADDR, answer, sizeof answer), 0);
  EXPECT_EQ(answer.node_guid, 100U);
  EXPECT_EQ(answer.port_num, 1);
  EXPECT_EQ(answer.pkey, 0xffff);
  EXPECT_EQ(answer.src_size, sizeof(sockaddr_in));
  sockaddr_storage name{};
  std::memcpy(&name, &answer.dst_addr, sizeof name);
  EXPECT_EQ(from_sockaddr(name), ipv4(0x7f000001));
  EXPECT_EQ(port_of(name), kPort);
  EXPECT_EQ(query(id, RDMA_USER_CM_CMD_QUERY, RDMA_USER_CM_QUERY_ADDR, answer, 16), ENOSPC);
  EXPECT_EQ(query(id, RDMA_USER_CM_CMD_QUERY, 9, answer, sizeof answer), ENOSYS);
  ASSERT_EQ(query(id, RDMA_USER_CM_CMD_QUERY, RDMA_USER_CM_QUERY_GID, answer, sizeof answer), 0);
  std::array<std::uint8_t, 16> gid{};
  std::memcpy(gid.data(), reinterpret_cast<const char*>(&answer.src_addr) + 8, gid.size());
  EXPECT_EQ(gid, ipv4(0x7f400001).bytes);
}

TEST_F(ConnectionCommands, ThePathIsAnsweredOnceItIsResolved) {
  const Id id = create();
  ASSERT_EQ(resolve(id), 0);
  rdma_ucm_query_route_resp route{};
  ASSERT_EQ(query(id, RDMA_USER_CM_CMD_QUERY_ROUTE, 0, route, sizeof route), 0);
  EXPECT_EQ(route.num_paths, 0U);
  EXPECT_EQ(route.ib_route[0].sgid[13], 64);
  ASSERT_EQ(write(RDMA_USER_CM_CMD_RESOLVE_ROUTE, rdma_ucm_resolve_route{id, 2000}), 0);
  ASSERT_EQ(query(id, RDMA_USER_CM_CMD_QUERY_ROUTE, 0, route, sizeof route), 0);
  EXPECT_EQ(route.num_paths, 1U);
  EXPECT_EQ(route.ib_route[0].mtu, std::uint32_t{IBV_MTU_4096});
  EXPECT_EQ(route.ib_route[0].packet_life_time, 16);
  std::array<std::byte, sizeof(rdma_ucm_query_path_resp) + sizeof(ib_path_rec_data)> path{};
  ASSERT_EQ(query(id, RDMA_USER_CM_CMD_QUERY, RDMA_USER_CM_QUERY_PATH, path, path.size()), 0);
  EXPECT_EQ(path[0], std::byte{1});
}

TEST_F(ConnectionCommands, AQueuePairsAttributesAreAnswered) {
  const Id id = create();
  rdma_ucm_init_qp_attr command{};
  ib_uverbs_qp_attr answer{};
  command.response = to(answer);
  command.id = id;
  command.qp_state = IBV_QPS_INIT;
  EXPECT_EQ(write(RDMA_USER_CM_CMD_INIT_QP_ATTR, command, sizeof answer), EINVAL);  // no device
  ASSERT_EQ(resolve(id), 0);
  EXPECT_EQ(write(RDMA_USER_CM_CMD_INIT_QP_ATTR, command, 8), ENOSPC);
  ASSERT_EQ(write(RDMA_USER_CM_CMD_INIT_QP_ATTR, command, sizeof answer), 0);
  EXPECT_EQ(answer.qp_attr_mask,
            unsigned{IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS});
  EXPECT_EQ(answer.port_num, 1);
  command.qp_state = 99;
  EXPECT_EQ(write(RDMA_USER_CM_CMD_INIT_QP_ATTR, command, sizeof answer), EINVAL);
}

/// librdmacm before ECE sends less, and is understood.
TEST_F(ConnectionCommands, OlderLibrariesConnectToo) {
  server.listen(kPort);
  const Id id = create();
  ASSERT_EQ(resolve(id), 0);
  ASSERT_EQ(write(RDMA_USER_CM_CMD_RESOLVE_ROUTE, rdma_ucm_resolve_route{id, 2000}), 0);
  rdma_ucm_connect command{};
  command.conn_param = offer(17);
  command.id = id;
  std::array<std::byte, offsetof(rdma_ucm_connect, ece)> old{};
  std::memcpy(old.data(), &command, old.size());
  std::array<std::byte, offsetof(rdma_ucm_connect, ece) - 1> short_one{};
  EXPECT_EQ(write(RDMA_USER_CM_CMD_CONNECT, short_one), EINVAL);
  EXPECT_EQ(write(RDMA_USER_CM_CMD_CONNECT, old), 0);
  wires.deliver();
  server.expect(EventType::connect_request);
}

TEST_F(ConnectionCommands, AReasonIsTheConsumersOrTheVendors) {
  rdma_ucm_reject command{};
  command.id = create();
  command.reason = 8;
  EXPECT_EQ(write(RDMA_USER_CM_CMD_REJECT, command), EINVAL);
}

TEST_F(ConnectionCommands, GroupsAreRefused) {
  EXPECT_EQ(write(RDMA_USER_CM_CMD_JOIN_MCAST, rdma_ucm_join_mcast{}, 4), EOPNOTSUPP);
  EXPECT_EQ(write(RDMA_USER_CM_CMD_JOIN_IP_MCAST, rdma_ucm_join_ip_mcast{}, 4), EOPNOTSUPP);
  EXPECT_EQ(write(RDMA_USER_CM_CMD_LEAVE_MCAST, rdma_ucm_destroy_id{}, 4), ENOENT);
}

TEST_F(ConnectionCommands, AnIdentifierComesFromAChannel) {
  rdma_ucm_migrate_resp told{};
  const rdma_ucm_migrate_id command{to(told), create(), 0};
  EXPECT_EQ(write(RDMA_USER_CM_CMD_MIGRATE_ID, command, sizeof told), EINVAL);
}

}  // namespace
}  // namespace railgauge::softroce::cm
