#include "connection_pair.hpp"

#include <algorithm>
#include <cerrno>

namespace railgauge::softroce::cm {

/// One end of a connection. Its link has died if it has no end.
struct Wires::Half {
  End* end = nullptr;
  Id id = kNoId;
  std::uint16_t to = 0;
  std::weak_ptr<Half> other;
};

namespace {

class HeldPort final : public Port {
 public:
  HeldPort(Wires& wires, std::uint16_t number) : wires_(wires), number_(number) {}
  ~HeldPort() override {
    wires_.taken.erase(number_);
    wires_.listeners.erase(number_);
  }
  HeldPort(const HeldPort&) = delete;
  HeldPort& operator=(const HeldPort&) = delete;
  std::uint16_t number() const override { return number_; }

 private:
  Wires& wires_;
  std::uint16_t number_;
};

class HeldLink final : public Link {
 public:
  HeldLink(Wires& wires, std::shared_ptr<Wires::Half> half)
      : wires_(wires), half_(std::move(half)) {}
  ~HeldLink() override {
    if (!half_) return;
    half_->end = nullptr;
    wires_.underway.push_back({.at = half_->other, .end = true});
  }
  void send(const Message& message) override {
    wires_.sent.push_back(message);
    // Through the wire's format, as between processes.
    wires_.underway.push_back({half_->other, decode(encode(message)).value()});
  }
  HeldLink(const HeldLink&) = delete;
  HeldLink& operator=(const HeldLink&) = delete;
  void forget() { half_.reset(); }
  void belongs_to(Id id) override { half_->id = id; }

 private:
  Wires& wires_;
  std::shared_ptr<Wires::Half> half_;
};

}  // namespace

std::unique_ptr<Port> Wires::End::take(const Wanted& wanted, int& error) {
  std::uint16_t port = wanted.at.port;
  for (std::uint16_t any = 40000; port == 0; ++any) {
    if (!wires_.taken.contains(any)) port = any;
  }
  if (wires_.taken.insert(port).second) return std::make_unique<HeldPort>(wires_, port);
  error = EADDRINUSE;
  return nullptr;
}

int Wires::End::listen(Port& port, Id listener) {
  wires_.listeners[port.number()] = {this, listener};
  return 0;
}

void Wires::End::resume(Id listener) {
  const auto found = std::ranges::find_if(
      wires_.kept, [&](const Kept& entry) { return entry.listener.id == listener; });
  if (found == wires_.kept.end()) return;
  const Kept next = *found;
  wires_.kept.erase(found);
  wires_.offer(next.listener, next.half, next.message);
}

std::unique_ptr<Link> Wires::End::connect(Id id, Port&, const Endpoint& to) {
  auto own = std::make_shared<Half>(Half{this, id, to.port, {}});
  auto other = std::make_shared<Half>(Half{nullptr, kNoId, to.port, own});
  own->other = other;
  wires_.halves.push_back(own);
  wires_.halves.push_back(other);
  wires_.kept.push_back({{}, other, {}});  // keeps it alive until somebody takes the request
  return std::make_unique<HeldLink>(wires_, own);
}

Endpoint Wires::End::source_for(const Endpoint& to) {
  if (!has_route) return {};
  const bool here = to.address.bytes[12] == 127;
  return {.family = to.family, .address = here ? ipv4(0x7f000001) : ipv4(0xc0000202)};
}

void Wires::offer(const Listener& listener, const std::shared_ptr<Half>& half,
                  const Message& message) {
  half->end = listener.end;
  auto owned = std::make_unique<HeldLink>(*this, half);
  HeldLink& own = *owned;
  std::unique_ptr<Link> link = std::move(owned);
  if (listener.end->manager->request(listener.id, link, message)) return;
  own.forget();
  kept.push_back({listener, half, message});
}

void Wires::deliver(Half& half, const Message& message) {
  if (half.end != nullptr) return half.end->manager->received(half.id, message);
  if (half.id != kNoId) return;  // its link has died
  const auto shared =
      std::ranges::find_if(kept, [&](const Kept& entry) { return entry.half.get() == &half; });
  if (shared == kept.end()) return;
  const std::shared_ptr<Half> owner = shared->half;
  kept.erase(shared);
  const auto listener = listeners.find(half.to);
  if (listener != listeners.end()) return offer(listener->second, owner, message);
  const auto caller = half.other.lock();
  if (caller && caller->end != nullptr) caller->end->manager->lost(caller->id, ECONNREFUSED);
}

int Wires::deliver() {
  int number = 0;
  for (; !underway.empty(); ++number) {
    const Heard heard = underway.front();
    underway.pop_front();
    const auto half = heard.at.lock();
    if (!half) continue;
    if (!heard.end) {
      deliver(*half, heard.message);
    } else if (half->end != nullptr) {
      half->end->manager->lost(half->id, ECONNRESET);
    }
  }
  return number;
}

void Wires::cut() {
  underway.clear();
  for (const auto& weak : halves) {
    const auto half = weak.lock();
    if (half && half->end != nullptr) half->end->manager->lost(half->id, ECONNRESET);
  }
}

std::optional<int> TwoDevices::rail_at(const Address& local) {
  return local.bytes[12] == 127 && local.bytes[13] == 65 ? 1 : 0;
}

std::optional<Device> TwoDevices::open(int rail) {
  const auto number = static_cast<std::uint32_t>(rail);
  return Device{.rail = rail,
                .guid = 100U * host_ + number,
                .index = number,
                .gid = ipv4(0x7f400000U + (number << 16) + host_),
                .gid_index = 3,
                .mtu = static_cast<std::uint8_t>(host_ == 1 ? IBV_MTU_4096 : IBV_MTU_1024)};
}

rdma_ucm_event_resp Program::next() {
  rdma_ucm_event_resp event{};
  if (manager.next_event(channel, event)) return event;
  event.event = static_cast<std::uint32_t>(EventType::timewait_exit);
  event.id = kNoId;
  return event;
}

rdma_ucm_event_resp Program::expect(EventType type) {
  const rdma_ucm_event_resp event = next();
  EXPECT_NE(event.id, kNoId) << "no event";
  EXPECT_EQ(event.event, static_cast<std::uint32_t>(type));
  return event;
}

Id Program::listen(std::uint16_t port, int backlog, std::uint16_t space) {
  const Id id = manager.create(channel, 1000, space);
  EXPECT_EQ(manager.bind(channel, id, at("0.0.0.0", port)), 0);
  EXPECT_EQ(manager.listen(channel, id, backlog), 0);
  return id;
}

Id Program::resolve(std::uint16_t port, std::uint16_t space) {
  const Id id = manager.create(channel, 2000, space);
  EXPECT_EQ(manager.resolve_address(channel, id, {}, at("127.0.0.1", port)), 0);
  expect(EventType::address_resolved);
  EXPECT_EQ(manager.resolve_route(channel, id), 0);
  expect(EventType::route_resolved);
  return id;
}

rdma_ucm_conn_param offer(std::uint32_t queue_pair, std::size_t private_length) {
  rdma_ucm_conn_param param{};
  param.qp_num = queue_pair;
  param.valid = 1;
  param.responder_resources = 3;
  param.initiator_depth = 5;
  param.retry_count = 6;
  param.rnr_retry_count = 7;
  param.private_data_len = static_cast<std::uint8_t>(private_length);
  for (std::size_t i = 0; i < private_length; ++i) {
    param.private_data[i] = static_cast<std::uint8_t>(i + 1);
  }
  return param;
}

Id ConnectionPair::request(const rdma_ucm_conn_param& what) {
  const Id id = client.resolve(kPort);
  EXPECT_EQ(client.manager.connect(client.channel, id, what, {}), 0);
  wires.deliver();
  return id;
}

int ConnectionPair::accept(Program& program, Id id, std::uint32_t queue_pair) {
  const rdma_ucm_conn_param param = offer(queue_pair);
  return program.manager.accept(program.channel, id, 3000, &param, {});
}

std::pair<Id, Id> ConnectionPair::establish() {
  server.listen(kPort);
  const Id active = request(offer(17));
  const Id passive = server.expect(EventType::connect_request).id;
  EXPECT_EQ(accept(server, passive, 18), 0);
  wires.deliver();
  client.expect(EventType::connect_response);
  EXPECT_EQ(client.manager.accept(client.channel, active, 0, nullptr, {}), 0);
  wires.deliver();
  server.expect(EventType::established);
  return {active, passive};
}

void ConnectionPair::pass(std::chrono::nanoseconds time) {
  for (Program* program : {&client, &server}) {
    program->manager.now += time;
    program->manager.on_time();
  }
}

}  // namespace railgauge::softroce::cm
