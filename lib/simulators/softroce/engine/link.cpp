#include "softroce/engine/link.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "softroce/device/memory_guard.hpp"

namespace railgauge::softroce {

namespace {

/// False if the program has unmapped some of it.
bool read(std::span<std::byte> to, const void* from) {
  return to.empty() || guarded([&] { std::memcpy(to.data(), from, to.size()); });
}

Variant variant_of(const Datagram& datagram) {
  return {.traffic_class = datagram.traffic_class, .hop_limit = datagram.hop_limit};
}

}  // namespace

Link::Link(const Address& address, UdpSocket socket, int device,
           std::unique_ptr<Neighbours> neighbours)
    : address_(address),
      socket_(std::move(socket)),
      device_(device),
      neighbours_(std::move(neighbours)),
      batch_(address) {}

bool Link::prepare(const Path& path) {
  if (path.source_port == kRocePort) return true;
  auto other = others_.find(path.source_port);
  try {
    if (other == others_.end()) {
      UdpSocket socket(address_, path.source_port, neighbours_ != nullptr);
      other = others_.emplace(path.source_port, OtherSocket{std::move(socket)}).first;
    }
  } catch (const std::system_error& error) {
    errno = error.code().value();
    return false;
  }
  ++other->second.users;
  return true;
}

/// Others may send from the port again: whoever asks switches which way it takes.
void Link::release(const Path& path) {
  const auto other = others_.find(path.source_port);
  if (other == others_.end() || --other->second.users > 0) return;
  if (!batch_.empty()) counters->send_err += batch_.send();
  others_.erase(other);
}

int Link::socket_from(std::uint16_t source_port) const {
  const auto other = others_.find(source_port);
  return other == others_.end() ? socket_.descriptor() : other->second.socket.descriptor();
}

std::size_t Link::send(const Path& path, const Packet& headers, std::span<const iovec> payload) {
  if (transmit_ || capture_) return send_flat(flatten(path, headers, payload));
  const int descriptor = socket_from(path.source_port);
  if (batch_.full(payload.size())) counters->send_err += batch_.send();
  return batch_.add(descriptor, path, headers, payload);
}

std::size_t Link::send_flat(std::optional<Datagram> readable) {
  if (!readable) return 0;
  Datagram& flat = *readable;
  const std::size_t bytes = flat.bytes.size();
  if (transmit_) {
    transmit_->submit(std::move(flat), now);
  } else {
    send_shaped(flat);
  }
  return bytes;
}

std::optional<Datagram> Link::flatten(const Path& path, const Packet& headers,
                                      std::span<const iovec> payload) const {
  std::size_t bytes = 0;
  for (const iovec& piece : payload) bytes += piece.iov_len;
  Datagram flat{.source = address_,
                .destination = path.destination,
                .source_port = path.source_port,
                .traffic_class = path.traffic_class,
                .hop_limit = path.hop_limit};
  flat.bytes.resize(kMaxHeaderBytes + bytes + padding(bytes) + kIcrcBytes);
  std::size_t at = write_headers(headers, bytes, flat.bytes.data());
  for (const iovec& piece : payload) {
    if (!read({&flat.bytes[at], piece.iov_len}, piece.iov_base)) return {};
    at += piece.iov_len;
  }
  at += padding(bytes);
  const Envelope envelope{flat.source, flat.destination, flat.source_port, 0};
  const std::array<iovec, 1> whole{{{flat.bytes.data(), at}}};
  const std::uint32_t crc = icrc(envelope, whole);
  std::memcpy(&flat.bytes[at], &crc, kIcrcBytes);
  flat.bytes.resize(at + kIcrcBytes);
  return flat;
}

void Link::send_shaped(const Datagram& datagram) {
  if (capture_) {
    capture_->record({datagram.source, datagram.destination, datagram.source_port, 0},
                     variant_of(datagram), datagram.bytes);
  }
  const Path path{datagram.destination, datagram.source_port, datagram.traffic_class,
                  datagram.hop_limit};
  const int descriptor = socket_from(path.source_port);
  while (!batch_.add_raw(descriptor, path, datagram.bytes)) counters->send_err += batch_.send();
}

void Link::flush() {
  if (transmit_) {
    while (const auto datagram = transmit_->take(now)) send_shaped(*datagram);
  }
  if (!batch_.empty()) counters->send_err += batch_.send();
}

std::optional<Backlog> Link::backlog(const Path& path) {
  // Where processes share an address, nobody says whose socket it would be.
  if (neighbours_) return {};
  return peers_.backlog(path.destination);
}

PortHolder Link::holder(const Address& address, std::uint16_t source_port) {
  return peers_.holder(address, source_port);
}

bool Link::take_room(const Path& path, std::size_t bytes, Time time) {
  if (neighbours_ || room_.take(path.destination, bytes)) return true;
  flush();
  room_.look(path.destination, time);
  return room_.take(path.destination, bytes);
}

void Link::listen_for_pauses(const Interface& interface, Port& port) {
  pauses_ = PauseListener::open(interface);
  port.hears_pauses = pauses_ != nullptr;
}

bool Link::receive(Port& port) {
  while (pauses_) {
    const auto quanta = pauses_->take();
    if (!quanta) break;
    port.obey(*quanta);
  }
  const std::size_t count = arrivals_.receive(socket_.descriptor());
  for (std::size_t i = 0; i < count; ++i) {
    const ReceiveBatch::Arrived arrived = arrivals_[i];
    port.counters.rcvd_overflow = std::max(port.counters.rcvd_overflow, arrived.lost_before);
    Envelope envelope{.source = from_sockaddr(*arrived.from),
                      .destination = address_,
                      .source_port = port_of(*arrived.from)};
    auto rest = arrived.bytes;
    while (!rest.empty()) {
      const auto datagram = rest.first(std::min(rest.size(), arrived.segment_bytes));
      rest = rest.subspan(datagram.size());
      arrive(port, envelope, arrived.variant, datagram);
      ++envelope.identification;  // of the next segment, if the sender's kernel made them
    }
  }
  return receive_forwarded(port) || count > 0;
}

bool Link::receive_forwarded(Port& port) {
  bool any = false;
  while (neighbours_) {
    const auto datagram = neighbours_->take();
    if (!datagram) break;
    any = true;
    arrive(
        port,
        {datagram->source, datagram->destination, datagram->source_port, datagram->identification},
        variant_of(*datagram), datagram->bytes);
  }
  return any;
}

void Link::arrive(Port& port, const Envelope& envelope, const Variant& variant,
                  std::span<const std::byte> datagram) {
  const bool foreign = neighbours_ && place_of(datagram) != neighbours_->place();
  if (!foreign && !receive_) return accept(port, envelope, variant, datagram);
  Datagram copy{envelope.source,
                address_,
                envelope.source_port,
                variant.traffic_class,
                variant.hop_limit,
                envelope.identification,
                {datagram.begin(), datagram.end()}};
  if (foreign) return neighbours_->forward(copy);
  receive_->submit(std::move(copy), now);
}

void Link::accept(Port& port, const Envelope& envelope, const Variant& variant,
                  std::span<const std::byte> datagram) {
  port.counters.rcvd_bytes += datagram.size();
  port.counters.rcvd_by_priority[priority_of(variant.traffic_class)] += datagram.size();
  const auto identification = verify_icrc(envelope, datagram);
  if (capture_) {
    Envelope seen = envelope;
    seen.identification = identification.value_or(envelope.identification);
    capture_->record(seen, variant, datagram);
  }
  if (!identification) {
    ++port.counters.icrc_err;
    return;
  }
  const auto bare = datagram.first(datagram.size() - kIcrcBytes);
  const Arrival arrival{envelope.source, variant.traffic_class, envelope.source_port,
                        variant.hop_limit};
  if (port.shortcut && port.shortcut->receive(bare, arrival)) return;
  const auto packet = parse(bare);
  if (!packet) {
    ++port.counters.malformed;
    return;
  }
  port.deliver(*packet, arrival);
}

void Link::run_shapers(Port& port) {
  if (receive_) {
    while (const auto datagram = receive_->take(now)) {
      accept(port,
             {datagram->source, datagram->destination, datagram->source_port,
              datagram->identification},
             variant_of(*datagram), datagram->bytes);
    }
  }
  if (transmit_) flush();
}

std::optional<Time> Link::due() const {
  std::optional<Time> first;
  for (const Shaper* shaper : {transmit_.get(), receive_.get()}) {
    if (shaper == nullptr) continue;
    for (const auto& time : {shaper->due(), shaper->next_flap(now)}) {
      if (time && (!first || *time < *first)) first = time;
    }
  }
  return first;
}

void Link::configure(const FaultPlan& plan, const std::string& device, Time time) {
  const auto apply = [&](std::unique_ptr<Shaper>& shaper, Direction direction) {
    const Faults faults = faults_of(plan, device, direction);
    if (shaper == nullptr && faults == Faults{}) return;
    if (shaper == nullptr) shaper = std::make_unique<Shaper>(plan.seed, device_, direction);
    shaper->configure(faults, time);
  };
  flush();
  apply(transmit_, Direction::transmit);
  apply(receive_, Direction::receive);
}

void Link::abandon() {
  pauses_.reset();
  if (neighbours_) neighbours_->abandon();
  socket_.abandon();
  for (auto& [port, other] : others_) other.socket.abandon();
}

}  // namespace railgauge::softroce
