#include "verbs/connection_manager.hpp"

#include <netdb.h>
#include <poll.h>

#include <algorithm>

#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBacklog = 1024;  // requests that wait until finish(); the kernel's own limit

/// A numeric IPv4 or IPv6 address as a socket address.
std::shared_ptr<addrinfo> parse(const std::string& address, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* result = nullptr;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &result) != 0) {
    fail(EINVAL, "reading '" + address + "' as an IP address");
  }
  return {result, freeaddrinfo};
}

}  // namespace

/// A copy of one event, so that the event itself is acknowledged before it is handled: destroying
/// an id waits for that.
struct ConnectionManager::Event {
  rdma_cm_event_type type;
  int status;
  rdma_cm_id* id;
  Cookie cookie{};  // requests only

  explicit Event(const rdma_cm_event& raw) : type(raw.event), status(raw.status), id(raw.id) {
    const rdma_conn_param& conn = raw.param.conn;
    if (type != RDMA_CM_EVENT_CONNECT_REQUEST || conn.private_data == nullptr) return;
    const auto bytes = std::min<std::size_t>(conn.private_data_len, cookie.size());
    std::copy_n(static_cast<const char*>(conn.private_data), bytes, cookie.begin());
  }
};

ConnectionManager::ConnectionManager(const std::string& source_address)
    : source_address_(source_address), channel_(open_event_channel()) {}

std::uint16_t ConnectionManager::listen() {
  listener_ = create_id(channel_, nullptr);
  const auto address = parse(source_address_, 0);
  answered(rdma_bind_addr(listener_.get(), address->ai_addr), "rdma_bind_addr", source_address_);
  answered(rdma_listen(listener_.get(), kBacklog), "rdma_listen", source_address_);
  return ntohs(rdma_get_src_port(listener_.get()));
}

void ConnectionManager::start(PendingQueuePair pair, const std::string& peer_address,
                              std::uint16_t peer_port, std::string_view cookie) {
  const std::string peer = peer_address + " port " + std::to_string(peer_port);
  add(std::make_unique<Connection>(std::move(pair), cookie,
                                   peer + " (" + std::string(cookie) + ")"));
  const auto from = parse(source_address_, 0);
  const auto to = parse(peer_address, peer_port);
  connections_.back()->resolve_address(channel_, *from->ai_addr, *to->ai_addr);
}

void ConnectionManager::expect(PendingQueuePair pair, std::string_view cookie) {
  add(std::make_unique<Connection>(std::move(pair), cookie,
                                   "a peer (" + std::string(cookie) + ")"));
}

void ConnectionManager::add(std::unique_ptr<Connection> connection) {
  const std::string address = connection->source_address();
  if (address != source_address_) {
    fail(EXDEV, "rdma_cm: a pair of " + address + " given to the manager of " + source_address_);
  }
  connections_.push_back(std::move(connection));
}

std::vector<QueuePair> ConnectionManager::finish(Clock::time_point deadline,
                                                 const std::function<void()>& look_up) {
  while (!all_connected()) wait_and_handle(deadline, look_up);
  std::vector<QueuePair> pairs;
  for (const auto& connection : connections_) pairs.push_back(connection->take());
  connections_.clear();
  return pairs;
}

bool ConnectionManager::all_connected() const {
  return std::all_of(connections_.begin(), connections_.end(),
                     [](const auto& connection) { return connection->connected(); });
}

void ConnectionManager::wait_and_handle(Clock::time_point deadline,
                                        const std::function<void()>& look_up) {
  rdma_cm_event* raw = nullptr;
  if (rdma_get_cm_event(channel_.get(), &raw) == 0) {
    const Event event(*raw);
    rdma_ack_cm_event(raw);
    return handle(event);
  }
  if (errno != EAGAIN && errno != EINTR) answered(-1, "rdma_get_cm_event", source_address_);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  if (left <= 0) give_up();
  look_up();
  pollfd waiting{.fd = channel_->fd, .events = POLLIN, .revents = 0};
  ::poll(&waiting, 1, static_cast<int>(std::min<decltype(left)>(left, 100)));
}

void ConnectionManager::handle(const Event& event) {
  if (event.type == RDMA_CM_EVENT_CONNECT_REQUEST) return accept(event);
  auto* connection = static_cast<Connection*>(event.id->context);
  // Once a pair has been handed out, its completions report failures, and do so better.
  if (connection == nullptr || connection->connected()) return;
  switch (event.type) {
    case RDMA_CM_EVENT_ADDR_RESOLVED: return connection->resolve_route();
    case RDMA_CM_EVENT_ROUTE_RESOLVED: return connection->connect();
    case RDMA_CM_EVENT_CONNECT_RESPONSE: return connection->establish();
    case RDMA_CM_EVENT_ESTABLISHED: return connection->complete();
    case RDMA_CM_EVENT_ADDR_CHANGE:
    case RDMA_CM_EVENT_TIMEWAIT_EXIT: return;
    default: break;
  }
  // A negative status is the error itself, which the exception spells out.
  const int error = event.status < 0 ? -event.status : ECONNREFUSED;
  fail(error, "rdma_cm from " + source_address_ + " to " + connection->peer() + ": " +
                  describe(event.type, std::max(event.status, 0)));
}

void ConnectionManager::accept(const Event& request) {
  ConnectionId id = own(request.id, channel_);
  const auto awaiting =
      std::find_if(connections_.begin(), connections_.end(),
                   [&](const auto& connection) { return connection->awaits(request.cookie); });
  if (awaiting != connections_.end()) return (*awaiting)->accept(std::move(id));
  ++refused_;
  rdma_reject(id.get(), nullptr, 0);
}

void ConnectionManager::give_up() const {
  std::string missing;
  for (const auto& connection : connections_) {
    if (!connection->connected()) missing += "; " + connection->peer() + ": " + connection->phase();
  }
  if (refused_ > 0) missing += "; " + std::to_string(refused_) + " unexpected request(s) refused";
  fail(ETIMEDOUT, "rdma_cm: not all connected from " + source_address_ + missing);
}

}  // namespace railgauge::verbs
