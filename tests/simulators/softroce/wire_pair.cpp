#include "wire_pair.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>

#include "softroce/device/memory_guard.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

ibv_ah_attr towards(const Address& address) {
  ibv_ah_attr attributes{};
  attributes.is_global = 1;
  attributes.port_num = 1;
  std::memcpy(attributes.grh.dgid.raw, address.bytes.data(), address.bytes.size());
  return attributes;
}

Address address_of(const Options& options, unsigned number) {
  if (!options.ipv6) return ipv4(0x7f400000 + number);
  return *parse_address("fd00::" + std::to_string(number));
}

}  // namespace

Packet Flying::packet() const {
  const auto parsed = parse(bytes);
  require(parsed.has_value(), "a device sent what nobody can read");
  return *parsed;
}

Flying flying(const Path& path, const Packet& headers, std::span<const std::byte> payload) {
  Flying made{path, std::vector<std::byte>(kMaxHeaderBytes)};
  made.bytes.resize(write_headers(headers, payload.size(), made.bytes.data()));
  made.bytes.insert(made.bytes.end(), payload.begin(), payload.end());
  made.bytes.resize(made.bytes.size() + padding(payload.size()));
  return made;
}

std::size_t HeldWire::send(const Path& path, const Packet& headers,
                           std::span<const iovec> payload) {
  std::vector<std::byte> bytes;
  for (const iovec& piece : payload) {
    const std::size_t at = bytes.size();
    bytes.resize(at + piece.iov_len);
    if (!guarded([&] { std::memcpy(bytes.data() + at, piece.iov_base, piece.iov_len); })) return 0;
  }
  held.push_back(flying(path, headers, bytes));
  return held.back().bytes.size() + kIcrcBytes;
}

Host::Host(Address address) : port(wire, address, 0x10) {
  static_cast<verbs_context&>(context) = {};
  context.engine = &Engine::of(0);
  context.port = &port;
  set_operations(context);
  port.contexts.push_back(&context);
  domain = calls::alloc_pd(&context.context);
}

Host::~Host() {
  EXPECT_EQ(calls::dealloc_pd(domain), 0);
}

Flight Host::sends() {
  while (port.transmit()) {
  }
  return std::exchange(wire.held, {});
}

void Host::receives(const Flying& flying, const Address& source, std::uint8_t traffic_class) {
  port.deliver(flying.packet(), {source, traffic_class, flying.path.source_port});
}

std::vector<ibv_event_type> Host::events() {
  std::vector<ibv_event_type> types;
  for (const ibv_async_event& event : context.events.waiting) types.push_back(event.event_type);
  context.events.waiting.clear();
  return types;
}

End::End(Host& on, const Options& its_options)
    : host(on), options(its_options), memory(options.memory_bytes) {
  ibv_context* context = &host.context.context;
  region = add_memory();
  send_queue =
      calls::create_cq(context, static_cast<int>(options.completions), nullptr, nullptr, 0);
  receive_queue =
      calls::create_cq(context, static_cast<int>(options.completions), nullptr, nullptr, 0);
  ibv_qp_init_attr init{};
  if (options.shared_receives) {
    ibv_srq_init_attr shared_init{};
    shared_init.attr = {options.requests, 4, 0};
    init.srq = shared = calls::create_srq(host.domain, &shared_init);
  }
  init.send_cq = send_queue;
  init.recv_cq = receive_queue;
  init.qp_type = options.type;
  init.cap = {options.requests, options.requests, 4, 4, 64};
  qp = calls::create_qp(host.domain, &init);
  require(qp != nullptr && region != nullptr, "cannot make a queue pair");
}

ibv_mr* End::add_memory() {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const unsigned access = IBV_ACCESS_LOCAL_WRITE | options.access;
  if (!options.gpu) {
    return calls::reg_mr(host.domain, memory.data(), memory.size(), address, access);
  }
  gpu.memory = memory;
  auto shadow = std::make_unique<LateShadow>(gpu);
  Imported imported;
  imported.bytes = shadow->bytes();
  imported.shadow = shadow.get();
  imported.backing = std::move(shadow);
  return add_region(host.domain, nullptr, memory.size(), address, access, imported);
}

End::~End() {
  EXPECT_EQ(calls::destroy_qp(qp), 0);
  EXPECT_TRUE(handle == nullptr || calls::destroy_ah(handle) == 0);
  EXPECT_TRUE(shared == nullptr || calls::destroy_srq(shared) == 0);
  EXPECT_EQ(calls::destroy_cq(send_queue), 0);
  EXPECT_EQ(calls::destroy_cq(receive_queue), 0);
  EXPECT_TRUE(region == nullptr || calls::dereg_mr(region) == 0);
}

void End::modify(ibv_qp_state to) {
  ibv_qp_attr attributes{};
  attributes.qp_state = to;
  require(calls::modify_qp(qp, &attributes, IBV_QP_STATE) == 0, "cannot modify");
}

void End::connect(const End& peer) {
  const bool datagram = options.type == IBV_QPT_UD;
  const bool reliable = options.type == IBV_QPT_RC;
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.port_num = 1;
  attributes.qkey = 0x11111111;
  attributes.qp_access_flags = options.access;
  const int init = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
  require(
      calls::modify_qp(qp, &attributes, init | (datagram ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS)) == 0,
      "INIT");
  attributes.qp_state = IBV_QPS_RTR;
  attributes.ah_attr = towards(peer.host.port.address);
  attributes.path_mtu = options.mtu;
  attributes.dest_qp_num = peer.qp->qp_num;
  attributes.rq_psn = peer.options.first_psn;
  attributes.max_dest_rd_atomic = options.reads;
  attributes.min_rnr_timer = options.not_ready_timer;
  const int path = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
  const int receives = reliable ? path | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER : path;
  require(calls::modify_qp(qp, &attributes, IBV_QP_STATE | (datagram ? 0 : receives)) == 0, "RTR");
  attributes.qp_state = IBV_QPS_RTS;
  attributes.timeout = options.timeout;
  attributes.retry_cnt = options.retries;
  attributes.rnr_retry = options.retries_when_not_ready;
  attributes.sq_psn = options.first_psn;
  attributes.max_rd_atomic = options.reads;
  const int sends = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  require(
      calls::modify_qp(qp, &attributes, IBV_QP_STATE | IBV_QP_SQ_PSN | (reliable ? sends : 0)) == 0,
      "RTS");
  if (datagram && handle == nullptr) handle = calls::create_ah(host.domain, &attributes.ah_attr);
  remote_address = reinterpret_cast<std::uintptr_t>(peer.memory.data());
  remote_key = peer.region->rkey;
}

ibv_sge End::element(std::size_t offset, std::uint32_t length) const {
  return {reinterpret_cast<std::uintptr_t>(memory.data()) + offset, length, region->lkey};
}

int End::post(ibv_wr_opcode opcode, std::uint64_t id, std::size_t offset, std::uint32_t length,
              unsigned flags) {
  ibv_sge one = element(offset, length);
  ibv_send_wr request{};
  request.wr_id = id;
  request.sg_list = &one;
  request.num_sge = 1;
  request.opcode = opcode;
  request.send_flags = flags;
  request.imm_data = immediate;
  const bool atomic = opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
  if (options.type == IBV_QPT_UD) {
    request.wr.ud = {handle, remote_key, 0x11111111};
  } else if (atomic) {
    request.wr.atomic = {remote_address + offset, compare_or_add, swap, remote_key};
  } else if (opcode != IBV_WR_SEND && opcode != IBV_WR_SEND_WITH_IMM) {
    request.wr.rdma = {remote_address + offset, remote_key};
  }
  return post(request);
}

int End::post(ibv_send_wr& request) {
  ibv_send_wr* bad = nullptr;
  return post_send(qp, &request, &bad);
}

int End::post_receive(std::uint64_t id, std::size_t offset, std::uint32_t length) {
  ibv_sge one = element(offset, length);
  ibv_recv_wr request{id, nullptr, &one, 1};
  ibv_recv_wr* bad = nullptr;
  return shared != nullptr ? post_srq_recv(shared, &request, &bad) : post_recv(qp, &request, &bad);
}

std::vector<ibv_wc> End::completions(CompletionQueue& queue) {
  std::vector<ibv_wc> all;
  for (Completion entry; queue.take(entry);) all.push_back(entry.wc);
  return all;
}

TakenAway::TakenAway(std::vector<std::byte>& memory) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(memory.data());
  offset_ = (start / page + 1) * page - start;
  first_ = memory.data() + offset_;
  bytes_ = (memory.size() - offset_) / page * page;
  require(bytes_ > 0 && mprotect(first_, bytes_, PROT_NONE) == 0, "mprotect");
}

TakenAway::~TakenAway() {
  EXPECT_EQ(mprotect(first_, bytes_, PROT_READ | PROT_WRITE), 0);
}

WirePair::WirePair(const Options& options) : WirePair(options, options) {}

WirePair::WirePair(const Options& client_options, const Options& server_options)
    : client_host(address_of(client_options, 1)),
      server_host(address_of(server_options, 2)),
      client(client_host, client_options),
      server(server_host, server_options) {
  client_host.port.any_order = client_options.any_order;
  server_host.port.any_order = server_options.any_order;
  set_time(Time(std::chrono::hours(1)));
  client.connect(server);
  server.connect(client);
  if (client_options.type == IBV_QPT_UD) {
    client.remote_key = server.qp->qp_num;
    server.remote_key = client.qp->qp_num;
  }
}

void WirePair::set_time(Time time) {
  now = client_host.port.now = server_host.port.now = time;
}

void WirePair::pass(nanoseconds time) {
  set_time(now + time);
  client_host.port.run_timers();
  server_host.port.run_timers();
}

void WirePair::to_server(const Flight& packets) {
  for (const Flying& packet : packets) to_server(packet);
}

void WirePair::to_client(const Flight& packets) {
  for (const Flying& packet : packets) to_client(packet);
}

void WirePair::to_server(Packet packet, std::span<const std::byte> payload) {
  packet.queue_pair = server.qp->qp_num;
  to_server(flying({}, packet, payload));
}

void WirePair::to_client(Packet packet, std::span<const std::byte> payload) {
  packet.queue_pair = client.qp->qp_num;
  to_client(flying({}, packet, payload));
}

void WirePair::settle() {
  for (;;) {
    const Flight requests = client_host.sends();
    const Flight answers = server_host.sends();
    if (requests.empty() && answers.empty()) return;
    to_server(requests);
    to_client(answers);
  }
}

namespace {

std::string name_of(Operation operation) {
  static constexpr std::array<const char*, 24> kNames = {"SEND_FIRST",
                                                         "SEND_MIDDLE",
                                                         "SEND_LAST",
                                                         "SEND_LAST_IMM",
                                                         "SEND_ONLY",
                                                         "SEND_ONLY_IMM",
                                                         "WRITE_FIRST",
                                                         "WRITE_MIDDLE",
                                                         "WRITE_LAST",
                                                         "WRITE_LAST_IMM",
                                                         "WRITE_ONLY",
                                                         "WRITE_ONLY_IMM",
                                                         "READ",
                                                         "RESPONSE_FIRST",
                                                         "RESPONSE_MIDDLE",
                                                         "RESPONSE_LAST",
                                                         "RESPONSE_ONLY",
                                                         "ACK",
                                                         "ATOMIC_ACK",
                                                         "SWAP",
                                                         "ADD",
                                                         "?",
                                                         "SEND_LAST_INV",
                                                         "SEND_ONLY_INV"};
  return kNames.at(static_cast<std::size_t>(operation));
}

std::string name_of(const Packet& packet) {
  if (is_congestion_notification(packet)) return "CNP";
  if (packet.operation != Operation::acknowledge) return name_of(packet.operation);
  switch (syndrome_class(packet.syndrome)) {
    case SyndromeClass::acknowledge: return "ACK";
    case SyndromeClass::not_ready: return "RNR" + std::to_string(packet.syndrome & 0x1f);
    default: break;
  }
  switch (static_cast<Syndrome>(packet.syndrome)) {
    case Syndrome::sequence_error: return "NAK_SEQUENCE";
    case Syndrome::invalid_request: return "NAK_REQUEST";
    case Syndrome::remote_access: return "NAK_ACCESS";
    case Syndrome::remote_operation: return "NAK_OPERATION";
    default: return "NAK?";
  }
}

std::string status_name(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_SUCCESS: return "ok";
    case IBV_WC_LOC_LEN_ERR: return "local length";
    case IBV_WC_LOC_QP_OP_ERR: return "local operation";
    case IBV_WC_LOC_PROT_ERR: return "local protection";
    case IBV_WC_WR_FLUSH_ERR: return "flushed";
    case IBV_WC_MW_BIND_ERR: return "memory management";
    case IBV_WC_LOC_ACCESS_ERR: return "local access";
    case IBV_WC_BAD_RESP_ERR: return "bad response";
    case IBV_WC_REM_INV_REQ_ERR: return "remote request";
    case IBV_WC_REM_ACCESS_ERR: return "remote access";
    case IBV_WC_REM_OP_ERR: return "remote operation";
    case IBV_WC_RETRY_EXC_ERR: return "retry exceeded";
    case IBV_WC_RNR_RETRY_EXC_ERR: return "not ready exceeded";
    default: return "status " + std::to_string(status);
  }
}

}  // namespace

std::string summary(const Flight& flight) {
  std::string text;
  for (const Flying& flying : flight) {
    const Packet packet = flying.packet();
    text += (text.empty() ? "" : ", ") + name_of(packet);
    if (!is_congestion_notification(packet)) text += " " + std::to_string(packet.psn);
  }
  return text;
}

std::string summary(const std::vector<ibv_wc>& completions) {
  std::string text;
  for (const ibv_wc& wc : completions) {
    text += (text.empty() ? "" : ", ") + std::to_string(wc.wr_id) + " " + status_name(wc.status);
  }
  return text;
}

}  // namespace railgauge::softroce
