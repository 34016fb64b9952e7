#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "connection_pair.hpp"

namespace railgauge::softroce::cm {
namespace {

using ConnectionAddresses = ConnectionPair;

Identifier& identifier_of(Program& program, Id id) {
  Identifier* identifier = nullptr;
  EXPECT_EQ(program.manager.find(program.channel, id, identifier), 0);
  return *identifier;
}

TEST_F(ConnectionAddresses, ABoundAddressChoosesTheDevice) {
  const Id id = server.manager.create(server.channel, 1, RDMA_PS_TCP);
  ASSERT_EQ(server.manager.bind(server.channel, id, at("127.65.0.7", 0)), 0);
  const Identifier& identifier = identifier_of(server, id);
  ASSERT_TRUE(identifier.device);
  EXPECT_EQ(identifier.device->rail, 1);
  EXPECT_NE(identifier.source.port, 0);
}

TEST_F(ConnectionAddresses, AnyAddressIsNoDevices) {
  const Id id = server.manager.create(server.channel, 1, RDMA_PS_TCP);
  ASSERT_EQ(server.manager.bind(server.channel, id, at("0.0.0.0", 7000)), 0);
  EXPECT_FALSE(identifier_of(server, id).device);
  EXPECT_EQ(identifier_of(server, id).source.port, 7000);
}

TEST_F(ConnectionAddresses, APortIsOneIdentifiers) {
  const Id listener = server.listen(kPort);
  const Id id = client.manager.create(client.channel, 1, RDMA_PS_TCP);
  EXPECT_EQ(client.manager.bind(client.channel, id, at("0.0.0.0", kPort)), EADDRINUSE);
  std::uint32_t told = 0;
  ASSERT_EQ(server.manager.destroy(server.channel, listener, told), 0);
  EXPECT_EQ(client.manager.bind(client.channel, id, at("0.0.0.0", kPort)), 0);
  EXPECT_EQ(client.manager.bind(client.channel, id, at("0.0.0.0", kPort)), EINVAL);  // it is bound
}

TEST_F(ConnectionAddresses, ThePeersAddressChoosesTheDeviceIfNoneIsNamed) {
  const Id id = client.manager.create(client.channel, 1, RDMA_PS_TCP);
  ASSERT_EQ(client.manager.resolve_address(client.channel, id, {}, at("127.65.0.9", 1)), 0);
  client.expect(EventType::address_resolved);
  EXPECT_EQ(identifier_of(client, id).device->rail, 1);
  EXPECT_EQ(identifier_of(client, id).source.address, ipv4(0x7f000001));
}

TEST_F(ConnectionAddresses, ANamedSourceChoosesTheDevice) {
  const Id id = client.manager.create(client.channel, 1, RDMA_PS_TCP);
  ASSERT_EQ(
      client.manager.resolve_address(client.channel, id, at("127.65.0.1", 0), at("127.0.0.1", 1)),
      0);
  client.expect(EventType::address_resolved);
  EXPECT_EQ(identifier_of(client, id).device->rail, 1);
  EXPECT_EQ(identifier_of(client, id).source.address, ipv4(0x7f410001));
}

TEST_F(ConnectionAddresses, AnotherHostIsOutOfReachOfLoopbackDevices) {
  const Id id = client.manager.create(client.channel, 1, RDMA_PS_TCP);
  ASSERT_EQ(client.manager.resolve_address(client.channel, id, {}, at("198.51.100.1", 1)), 0);
  EXPECT_EQ(static_cast<int>(client.expect(EventType::address_error).status), -ENODEV);
}

TEST_F(ConnectionAddresses, WithoutARouteThereIsNoNetwork) {
  client.network.has_route = false;
  const Id id = client.manager.create(client.channel, 1, RDMA_PS_TCP);
  ASSERT_EQ(client.manager.resolve_address(client.channel, id, {}, at("127.0.0.1", 1)), 0);
  EXPECT_EQ(static_cast<int>(client.expect(EventType::address_error).status), -ENETUNREACH);
}

/// librdmacm finds out in this way whether the kernel knows AF_IB.
TEST_F(ConnectionAddresses, InfiniBandsFamilyIsKnownButNotServed) {
  const Id id = client.manager.create(client.channel, 1, RDMA_PS_IB);
  EXPECT_EQ(client.manager.bind(client.channel, id, {.family = AF_IB}), 0);
  EXPECT_EQ(client.manager.listen(client.channel, id, 0), EINVAL);
  const Id other = client.manager.create(client.channel, 1, RDMA_PS_TCP);
  EXPECT_EQ(client.manager.bind(client.channel, other, {.family = AF_UNIX}), EAFNOSUPPORT);
  EXPECT_EQ(client.manager.resolve_address(client.channel, other, {}, {.family = AF_IB}),
            EAFNOSUPPORT);
}

TEST_F(ConnectionAddresses, EverythingHasItsOrder) {
  Manager& manager = client.manager;
  Channel& channel = client.channel;
  const Id id = manager.create(channel, 1, RDMA_PS_TCP);
  EXPECT_EQ(manager.resolve_route(channel, id), EINVAL);
  EXPECT_EQ(manager.connect(channel, id, offer(1), {}), EINVAL);
  EXPECT_EQ(manager.disconnect(channel, id), EINVAL);
  EXPECT_EQ(manager.reject(channel, id, {}, kConsumerDefined), EINVAL);
  ASSERT_EQ(manager.resolve_address(channel, id, {}, at("127.0.0.1", 1)), 0);
  EXPECT_EQ(manager.resolve_address(channel, id, {}, at("127.0.0.1", 1)), EINVAL);
  EXPECT_EQ(manager.listen(channel, id, 0), EINVAL);
  EXPECT_EQ(manager.connect(channel, id, offer(1), {}), EINVAL);
  EXPECT_EQ(manager.accept(channel, id, 1, nullptr, {}), EINVAL);
  EXPECT_EQ(accept(client, id, 1), EINVAL);
  ASSERT_EQ(manager.resolve_route(channel, id), 0);
  EXPECT_EQ(manager.resolve_route(channel, id), EINVAL);
  EXPECT_EQ(manager.disconnect(channel, id), EINVAL);
  rdma_ucm_conn_param invalid = offer(1);
  invalid.valid = 0;
  EXPECT_EQ(manager.connect(channel, id, invalid, {}), EINVAL);
}

TEST_F(ConnectionAddresses, AnIdentifierIsItsChannelsAlone) {
  const Id id = client.manager.create(client.channel, 1, RDMA_PS_TCP);
  Channel other;
  std::uint32_t told = 0;
  EXPECT_EQ(client.manager.destroy(other, id, told), EINVAL);
  EXPECT_EQ(client.manager.destroy(client.channel, id + 1, told), ENOENT);
  EXPECT_EQ(client.manager.destroy(client.channel, id, told), 0);
  EXPECT_EQ(client.manager.destroy(client.channel, id, told), ENOENT);
}

int set_option(Program& program, Id id, int name, std::span<const std::uint8_t> value) {
  return program.manager.set_option(program.channel, id, RDMA_OPTION_ID,
                                    static_cast<std::uint32_t>(name), std::as_bytes(value));
}

TEST_F(ConnectionAddresses, OptionsHaveTheirSizesAndTimes) {
  const Id id = client.manager.create(client.channel, 1, RDMA_PS_TCP);
  const std::array<std::uint8_t, 4> four{1, 0, 0, 0};
  const std::array<std::uint8_t, 1> one{0x60};
  EXPECT_EQ(set_option(client, id, RDMA_OPTION_ID_TOS, one), 0);
  EXPECT_EQ(set_option(client, id, RDMA_OPTION_ID_TOS, four), EINVAL);
  EXPECT_EQ(set_option(client, id, RDMA_OPTION_ID_ACK_TIMEOUT, one), 0);
  EXPECT_EQ(set_option(client, id, RDMA_OPTION_ID_ACK_TIMEOUT, four), EINVAL);
  EXPECT_EQ(set_option(client, id, RDMA_OPTION_ID_REUSEADDR, four), 0);
  EXPECT_EQ(set_option(client, id, RDMA_OPTION_ID_REUSEADDR, one), EINVAL);
  EXPECT_EQ(set_option(client, id, RDMA_OPTION_ID_AFONLY, four), 0);
  EXPECT_EQ(set_option(client, id, 77, four), ENOSYS);
  EXPECT_EQ(client.manager.set_option(client.channel, id, 7, 0, {}), ENOSYS);
  const Id listener = server.listen(kPort);
  EXPECT_EQ(set_option(server, listener, RDMA_OPTION_ID_REUSEADDR, four), EINVAL);
  EXPECT_EQ(set_option(server, listener, RDMA_OPTION_ID_AFONLY, four), EINVAL);
}

TEST_F(ConnectionAddresses, TheTrafficClassAndTheTimeoutReachTheQueuePair) {
  server.listen(kPort);
  const Id id = client.resolve(kPort);
  ASSERT_EQ(set_option(client, id, RDMA_OPTION_ID_TOS, std::array<std::uint8_t, 1>{0x60}), 0);
  ASSERT_EQ(set_option(client, id, RDMA_OPTION_ID_ACK_TIMEOUT, std::array<std::uint8_t, 1>{12}), 0);
  ASSERT_EQ(client.manager.connect(client.channel, id, offer(17), {}), 0);
  wires.deliver();
  const Id passive = server.expect(EventType::connect_request).id;
  ASSERT_EQ(accept(server, passive, 18), 0);
  wires.deliver();
  ibv_qp_attr attributes{};
  int mask = 0;
  attributes.qp_state = IBV_QPS_RTS;
  ASSERT_EQ(queue_pair_attributes(identifier_of(client, id), attributes, mask), 0);
  EXPECT_EQ(attributes.timeout, 12);
  EXPECT_EQ(address_vector(identifier_of(client, id)).grh.traffic_class, 0x60);
  EXPECT_EQ(address_vector(identifier_of(server, passive)).grh.traffic_class, 0x60);
}

}  // namespace
}  // namespace railgauge::softroce::cm
