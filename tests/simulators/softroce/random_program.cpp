#include "random_program.hpp"

#include <algorithm>
#include <cstring>

namespace railgauge::softroce {

namespace {

using std::chrono::microseconds;

// The memory of each side in equal areas: what it sends; what the peer writes; what the peer reads,
// which never changes; where its own READs land; words for the peer's atomics; where messages are
// received.
enum Area : unsigned { source, written, constant, landing, words, receives, areas };
constexpr std::size_t kWords = 8;
constexpr std::size_t kSteps = 24;
// Long after every back-off: whoever needs longer hangs.
constexpr nanoseconds kTooLong = std::chrono::minutes(5);

}  // namespace

RandomProgram::RandomProgram(std::uint64_t seed, const Options& options, const Weather& weather)
    : random_(seed),
      weather_(weather),
      unit_(options.memory_bytes / areas),
      each_once_(options.any_order),
      longest_(each_once_ ? unit_ / kSteps : unit_ / 4),
      pair_(options),
      client_(pair_.client, pair_.server, pair_.client_host),
      server_(pair_.server, pair_.client, pair_.server_host) {
  for (Side* side : {&client_, &server_}) {
    for (const Area which : {source, constant}) {
      for (std::size_t i = 0; i + sizeof(std::uint64_t) <= unit_; i += sizeof(std::uint64_t)) {
        const std::uint64_t eight = random_();
        std::memcpy(&side->end.memory[area(which) + i], &eight, sizeof eight);
      }
    }
  }
  plan(client_);
  plan(server_);
  begun_ = pair_.now;
}

RandomProgram::Step RandomProgram::random_step(std::size_t wrote, std::size_t& landed) {
  static constexpr std::array kOpcodes = {IBV_WR_SEND,
                                          IBV_WR_SEND_WITH_IMM,
                                          IBV_WR_RDMA_WRITE,
                                          IBV_WR_RDMA_WRITE_WITH_IMM,
                                          IBV_WR_RDMA_READ,
                                          IBV_WR_ATOMIC_CMP_AND_SWP,
                                          IBV_WR_ATOMIC_FETCH_AND_ADD,
                                          IBV_WR_RDMA_READ};
  const std::size_t mtu = 128U << pair_.client.options.mtu;
  const std::size_t longest = longest_;
  // Around the borders of packets more often than not.
  const std::array lengths = {
      std::size_t{0}, std::size_t{1},     mtu - 1,        mtu,           mtu + 1,
      2 * mtu,        3 * mtu + below(7), below(longest), below(longest)};
  Step step;
  step.opcode = kOpcodes[below(kOpcodes.size())];
  step.length = static_cast<std::uint32_t>(std::min(lengths[below(lengths.size())], longest));
  if (chance(0.7)) step.flags |= IBV_SEND_SIGNALED;
  if (chance(0.1)) step.flags |= IBV_SEND_FENCE;
  const std::size_t somewhere = below(unit_ - step.length);
  const bool reads = step.opcode == IBV_WR_RDMA_READ;
  const bool atomic =
      step.opcode == IBV_WR_ATOMIC_CMP_AND_SWP || step.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
  if (atomic) step.length = sizeof(std::uint64_t);
  if ((reads || atomic) && landed + step.length > unit_)
    step.length = 0, step.opcode = IBV_WR_RDMA_READ;
  step.local = area(source) + somewhere;
  step.remote =
      area(step.opcode == IBV_WR_RDMA_READ ? constant : written) + below(unit_ - step.length);
  if (each_once_ && step.opcode != IBV_WR_RDMA_READ) step.remote = area(written) + wrote * longest_;
  if (atomic) step.remote = area(words) + sizeof(std::uint64_t) * below(kWords);
  if (reads || atomic) {
    step.local = area(landing) + landed;
    landed += step.length;
  }
  return step;
}

/// Carries the step out on the copy of the peer's memory.
void RandomProgram::foresee(Side& side, Step& step) {
  std::byte* at = side.expected.data() + step.remote;
  if (step.opcode == IBV_WR_RDMA_WRITE || step.opcode == IBV_WR_RDMA_WRITE_WITH_IMM) {
    std::memcpy(at, &side.end.memory[step.local], step.length);
  }
  if (step.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || step.opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    step.original = value;
    step.compare_or_add = chance(0.5) ? value : below(1000);
    step.swap = below(1000);
    if (step.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) value += step.compare_or_add;
    if (step.opcode == IBV_WR_ATOMIC_CMP_AND_SWP && value == step.compare_or_add) value = step.swap;
    std::memcpy(at, &value, sizeof value);
  }
}

void RandomProgram::plan(Side& side) {
  side.expected = side.peer.memory;
  std::size_t landed = 0;
  for (std::size_t i = 0; i < kSteps; ++i) {
    Step step = random_step(i, landed);
    foresee(side, step);
    const bool message = step.opcode == IBV_WR_SEND || step.opcode == IBV_WR_SEND_WITH_IMM ||
                         step.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
    if (message) side.messages.push_back(i);
    side.steps.push_back(step);
  }
  side.steps.back().flags |= IBV_SEND_SIGNALED;
}

void RandomProgram::wrong(const std::string& what) {
  if (wrong_.empty()) wrong_ = what;
}

void RandomProgram::post(Side& side, std::size_t index) {
  const Step& step = side.steps[index];
  ibv_sge one = side.end.element(step.local, step.length);
  ibv_send_wr request{};
  request.wr_id = index;
  request.sg_list = &one;
  request.num_sge = 1;
  request.opcode = step.opcode;
  request.send_flags = step.flags;
  request.imm_data = static_cast<std::uint32_t>(index);
  const std::uint64_t remote = side.end.remote_address + step.remote;
  if (step.opcode == IBV_WR_ATOMIC_CMP_AND_SWP || step.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
    request.wr.atomic = {remote, step.compare_or_add, step.swap, side.end.remote_key};
  } else {
    request.wr.rdma = {remote, side.end.remote_key};
  }
  if (side.end.post(request) != 0) wrong("cannot post");
}

/// What the program on one side does now and then: posts a request, or a receive for the peer's
/// next message.
void RandomProgram::act(Side& side) {
  while (side.posted < side.steps.size() && chance(0.4)) post(side, side.posted++);
  const Side& other = &side == &client_ ? server_ : client_;
  while (side.receives_posted < other.messages.size() && chance(0.3)) {
    const auto place = each_once_ ? side.receives_posted * longest_ : below(unit_ - longest_);
    const auto slot = area(receives) + place;
    side.end.post_receive(slot, slot, static_cast<std::uint32_t>(longest_));
    ++side.receives_posted;
  }
}

void RandomProgram::fly(Side& from, bool to_server) {
  for (Flying& packet : from.host.sends()) {
    for (int copies = chance(weather_.duplication) ? 2 : 1; copies > 0; --copies) {
      if (chance(weather_.loss)) continue;
      const auto most = static_cast<std::size_t>(weather_.longest_delay.count());
      Time at = pair_.now + nanoseconds(500 + below(most));
      if (chance(weather_.reordering)) {
        at += nanoseconds(below(4 * most));
      } else {
        from.last_arrival = at = std::max(at, from.last_arrival);
      }
      wire_.push({at, order_++, to_server, packet});
    }
  }
}

void RandomProgram::check_sent(Side& side) {
  for (const ibv_wc& wc : side.end.sent()) {
    if (wc.status != IBV_WC_SUCCESS) return wrong("a request failed: " + summary({wc}));
    while (side.completed < wc.wr_id) {
      if ((side.steps[side.completed].flags & IBV_SEND_SIGNALED) != 0)
        return wrong("a completion is missing");
      ++side.completed;
    }
    if (side.completed++ != wc.wr_id) return wrong("a completion out of order");
    const Step& step = side.steps[wc.wr_id];
    const std::byte* landed = &side.end.memory[step.local];
    if (step.opcode == IBV_WR_RDMA_READ &&
        std::memcmp(landed, &side.peer.memory[step.remote], step.length) != 0) {
      wrong("a READ brought something else");
    }
    if ((wc.opcode == IBV_WC_FETCH_ADD || wc.opcode == IBV_WC_COMP_SWAP) &&
        std::memcmp(landed, &step.original, sizeof step.original) != 0) {
      wrong("an atomic brought something else");
    }
  }
}

/// Messages of this side, as the peer sees them.
void RandomProgram::check_received(Side& side) {
  for (const ibv_wc& wc : side.peer.received()) {
    if (wc.status != IBV_WC_SUCCESS) return wrong("a receive failed: " + summary({wc}));
    if (side.received == side.messages.size()) return wrong("a message too many");
    const std::size_t index = side.messages[side.received++];
    const Step& step = side.steps[index];
    if (wc.byte_len != step.length) return wrong("a message of another length");
    const bool immediate = step.opcode != IBV_WR_SEND;
    if (immediate != ((wc.wc_flags & IBV_WC_WITH_IMM) != 0) ||
        (immediate && wc.imm_data != index)) {
      return wrong("a message with other immediate data");
    }
    if (step.opcode == IBV_WR_RDMA_WRITE_WITH_IMM) continue;
    if (std::memcmp(&side.peer.memory[wc.wr_id], &side.end.memory[step.local], step.length) != 0) {
      wrong("a message with another content");
    }
  }
}

void RandomProgram::check() {
  check_sent(client_);
  check_sent(server_);
  check_received(client_);
  check_received(server_);
}

void RandomProgram::check_end(Side& side) {
  const auto same = [&](Area which) {
    return std::memcmp(&side.peer.memory[area(which)], &side.expected[area(which)], unit_) == 0;
  };
  if (!same(written)) wrong("WRITEs left something else");
  if (!same(words)) wrong("atomics left something else");
}

bool RandomProgram::done() const {
  const auto finished = [](const Side& side) {
    return side.completed == side.steps.size() && side.received == side.messages.size();
  };
  return finished(client_) && finished(server_);
}

/// To the next moment at which something happens. False when nothing ever will.
bool RandomProgram::advance() {
  Time next = std::min(pair_.client_host.port.next_timer(), pair_.server_host.port.next_timer());
  if (!wire_.empty()) next = std::min(next, wire_.top().at);
  const bool programs_busy = client_.posted < kSteps || server_.posted < kSteps ||
                             client_.receives_posted < server_.messages.size() ||
                             server_.receives_posted < client_.messages.size();
  if (programs_busy) next = std::min(next, pair_.now + microseconds(5));
  if (next == Time::max()) return false;
  pair_.set_time(std::max(next, pair_.now));
  while (!wire_.empty() && wire_.top().at <= pair_.now) {
    const Arrival arrival = wire_.top();
    wire_.pop();
    arrival.to_server ? pair_.to_server(arrival.packet) : pair_.to_client(arrival.packet);
    check();  // before the next message is put into the same place
  }
  pair_.pass(nanoseconds{0});
  return true;
}

std::string RandomProgram::run() {
  while (wrong_.empty()) {
    act(client_);
    act(server_);
    fly(client_, true);
    fly(server_, false);
    if (!advance()) break;
    check();
    if (pair_.now - begun_ > kTooLong) wrong("no end");
  }
  if (wrong_.empty() && !done()) wrong("nobody does anything any more, and not all is done");
  check_end(client_);
  check_end(server_);
  return wrong_;
}

}  // namespace railgauge::softroce
