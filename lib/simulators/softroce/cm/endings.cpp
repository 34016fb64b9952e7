// What comes of connections: they are established, refused, ended, lost, or it takes too long.

#include <algorithm>
#include <cerrno>

#include "softroce/cm/manager.hpp"

namespace railgauge::softroce::cm {
namespace {

constexpr std::chrono::nanoseconds kRestTime{4096LL << kAcknowledgementTimeout};
/// IB_SIDR_UNSUPPORTED: what the peer's host answers where nobody listens for datagrams.
constexpr int kNoSuchService = 1;

}  // namespace

int Manager::disconnect(Channel& channel, Id id) {
  Identifier* identifier = nullptr;
  if (const int error = find_bound(channel, id, identifier)) return error;
  if (identifier->state < State::request_sent) return EINVAL;
  if (identifier->state == State::established) {
    identifier->link->send({.kind = Kind::disconnect});
    identifier->state = State::disconnect_sent;
    expect(*identifier, now + kAnswerTime);
  } else if (identifier->state == State::disconnect_received) {
    identifier->link->send({.kind = Kind::disconnected});
    rest(*identifier);
  }
  return 0;  // as rdma_disconnect() of cma.c, whatever else the state is
}

int Manager::notify(Channel& channel, Id id, ibv_event_type event) {
  Identifier* identifier = nullptr;
  if (const int error = find_bound(channel, id, identifier)) return error;
  if (event != IBV_EVENT_COMM_EST) return EINVAL;
  if (identifier->state == State::established) return 0;
  if (identifier->state != State::reply_sent) return EINVAL;
  identifier->state = State::established;
  identifier->deadline = Time::max();
  tell(*identifier, EventType::established);
  return 0;
}

void Manager::on_reject(Identifier& identifier, const Message& message) {
  if (identifier.state < State::request_sent || identifier.state > State::reply_sent) return;
  identifier.state = State::ended;
  identifier.deadline = Time::max();
  tell_with(identifier, EventType::rejected, message);
}

void Manager::disconnected(Identifier& identifier, int status) {
  if (!identifier.told_disconnected) tell(identifier, EventType::disconnected, status);
  identifier.told_disconnected = true;
  if (!identifier.link) rest(identifier);
}

void Manager::rest(Identifier& identifier) {
  identifier.state = State::time_wait;
  expect(identifier, now + kRestTime);
}

void Manager::on_disconnect(Identifier& identifier) {
  switch (identifier.state) {
    case State::reply_sent:
    case State::established:
    case State::disconnect_sent:
      identifier.state = State::disconnect_received;
      identifier.deadline = Time::max();
      return disconnected(identifier, 0);
    case State::time_wait: return identifier.link->send({.kind = Kind::disconnected});
    default: return;
  }
}

void Manager::received(Id id, const Message& message) {
  Identifier* const identifier = of(id);
  if (identifier == nullptr || !identifier->link) return;
  switch (message.kind) {
    case Kind::reply: return on_reply(*identifier, message);
    case Kind::datagram_reply: return on_datagram_reply(*identifier, message);
    case Kind::reject: return on_reject(*identifier, message);
    case Kind::ready:
      if (identifier->state == State::reply_sent) {
        static_cast<void>(notify(*identifier->channel, id, IBV_EVENT_COMM_EST));
      }
      return;
    case Kind::disconnect: return on_disconnect(*identifier);
    case Kind::disconnected:
      if (identifier->state != State::disconnect_sent &&
          identifier->state != State::disconnect_received) {
        return;
      }
      disconnected(*identifier, 0);
      return rest(*identifier);
    default: return;
  }
}

void Manager::lost(Id id, int error) {
  Identifier* const identifier = of(id);
  if (identifier == nullptr) return;
  identifier->link.reset();
  switch (identifier->state) {
    case State::request_sent:
      if (error == ECONNREFUSED && !identifier->datagrams()) {
        const Message refusal{.kind = Kind::reject, .status = kInvalidServiceId};
        return on_reject(*identifier, refusal);
      }
      tell(*identifier, EventType::unreachable,
           error == ECONNREFUSED ? kNoSuchService : -ETIMEDOUT);
      break;
    case State::reply_sent: tell(*identifier, EventType::unreachable, -ETIMEDOUT); break;
    case State::request_received: break;
    case State::established:
    case State::disconnect_sent:
    case State::disconnect_received: return disconnected(*identifier, 0);
    default: return;
  }
  identifier->state = State::ended;
  identifier->deadline = Time::max();
}

void Manager::expect(Identifier& identifier, Time by) {
  identifier.deadline = by;
  next_deadline_ = std::min(next_deadline_, by);
}

void Manager::on_time() {
  if (now < next_deadline_) return;
  for (const auto& [id, identifier] : identifiers_) {
    if (identifier->deadline <= now) on_time(*identifier);
  }
  next_deadline_ = Time::max();
  for (const auto& [id, identifier] : identifiers_) expect(*identifier, identifier->deadline);
}

void Manager::on_time(Identifier& identifier) {
  identifier.deadline = Time::max();
  if (identifier.state == State::disconnect_sent) {
    identifier.link.reset();
    return disconnected(identifier, -ETIMEDOUT);
  }
  const bool rested = identifier.state == State::time_wait;
  if (!rested) farewell(identifier);
  identifier.link.reset();
  identifier.state = State::ended;
  tell(identifier, rested ? EventType::timewait_exit : EventType::unreachable,
       rested ? 0 : -ETIMEDOUT);
}

}  // namespace railgauge::softroce::cm
