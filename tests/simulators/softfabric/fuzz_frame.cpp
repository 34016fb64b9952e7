// libFuzzer's view of what hosts send to switches: whatever comes, nothing is read or written
// beyond it, what a switch changes leaves a right checksum right, and no packet is lost track of.
// The first line of an input is fault words; frames follow, each behind a byte for its host and two
// for its length. Build: clang++ -fsanitize=fuzzer,address,undefined.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "fabric/addresses.hpp"
#include "softfabric/damage.hpp"
#include "softfabric/icmp.hpp"
#include "softfabric/model.hpp"

namespace railgauge::softfabric {
namespace {

using Bytes = std::vector<std::byte>;

void require(bool condition) {
  if (!condition) std::abort();
}

class Nobody final : public HostSide {
 public:
  void packet(std::size_t /*link*/, std::span<const std::byte> frame) override {
    require(parse(frame).has_value() || frame.size() >= kEthernetBytes + kIpv4Bytes);
  }
  void pause(std::size_t /*link*/, std::span<const std::byte> frame) override {
    require(parse_pause(frame).has_value());
  }
};

Fabric two_hosts() {
  Fabric fabric;
  fabric.switches = {{.name = "leaf0"}, {.name = "leaf1"}, {.name = "spine0", .tier = 2}};
  for (const char* number : {"0", "1"}) {
    const std::string host = std::string("host") + number;
    const std::string leaf = std::string("leaf") + number;
    fabric.hosts.push_back({.name = host});
    fabric.links.push_back({.a = {host, "rail0"}, .b = {leaf, host}});
    fabric.links.push_back({.a = {leaf, "spine0"}, .b = {"spine0", leaf}});
  }
  fabric.switching.buffer_bytes = 4096;
  fill_in(fabric);
  return fabric;
}

bool ip_checksum_is_right(const Bytes& frame, const Headers& headers) {
  return internet_checksum(std::span(frame).subspan(kEthernetBytes, headers.ip_header_bytes)) == 0;
}

void change(const Bytes& frame, const Headers& headers) {
  Bytes changed = frame;
  Headers now = headers;
  decrement_ttl(changed, now);
  set_ecn(changed, now, Ecn::congested);
  set_dscp(changed, now, 26);
  require(ip_checksum_is_right(changed, now) == ip_checksum_is_right(frame, headers));
  const auto again = parse(changed);
  require(again && again->ttl == now.ttl && again->dscp == 26 && again->ecn == Ecn::congested);
  for (const std::uint64_t number : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{12345}}) {
    Bytes damaged = frame;
    corrupt(damaged, headers, number);
    corrupt_payload(damaged, headers, number);
    require(std::equal(frame.begin(), frame.begin() + kEthernetBytes + headers.ip_header_bytes,
                       damaged.begin()));
  }
  Bytes room(kEthernetBytes + 576);
  const std::size_t bytes = write_time_exceeded(frame, 1, room);
  require(parse(std::span(room).first(bytes)).has_value());
}

struct Input {
  std::string_view words{};
  std::span<const std::byte> frames{};
};

Input parted(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), size);
  const std::size_t begin = std::min(end + 1, size);
  return {text.substr(0, end), std::as_bytes(std::span(data + begin, size - begin))};
}

Faults faults_of(std::string_view words) {
  try {
    return with_words({}, words);
  } catch (const std::runtime_error&) {
    return {};
  }
}

/// Makes an IPv4 packet of it that has a way to go, which takes chance very long.
void make_routable(Bytes& frame) {
  if (frame.size() < kEthernetBytes + kIpv4Bytes) return;
  write_16(&frame[12], 0x0800);
  std::byte* const ip = &frame[kEthernetBytes];
  ip[0] = std::byte{0x45};
  ip[6] = ip[7] = std::byte{};
  write_16(ip + 2, static_cast<std::uint16_t>(frame.size() - kEthernetBytes));
  const unsigned host = std::to_integer<unsigned>(ip[19]) % 2;
  write_32(ip + 12, 0x0a0a0001 + (1 - host));
  write_32(ip + 16, 0x0a0a0001 + host);
}

void send(Model& model, std::span<const std::byte> frames) {
  Time now{1};
  while (frames.size() >= 3) {
    const auto host = std::to_integer<std::size_t>(frames[0]) % 2;
    const std::size_t size = std::min<std::size_t>(read_16(&frames[1]), frames.size() - 3);
    // A copy of exactly this size, so that the address sanitizer sees a read beyond it.
    Bytes frame(frames.begin() + 3, frames.begin() + 3 + static_cast<std::ptrdiff_t>(size));
    if ((frames[0] & std::byte{0x80}) != std::byte{}) make_routable(frame);
    frames = frames.subspan(3 + size);
    if (const auto headers = parse(frame)) change(frame, *headers);
    model.receive(2 * host, frame, now += std::chrono::microseconds(10));
    model.release();
    require(!model.conservation_error());
  }
  model.advance(now + std::chrono::seconds(10));
  require(!model.conservation_error());
}

}  // namespace
}  // namespace railgauge::softfabric

// libFuzzer prescribes the name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::softfabric;
  static const Fabric fabric = two_hosts();
  Nobody hosts;
  Model model(fabric, hosts, {.packets = 32});
  const Input input = parted(data, size);
  Faults faults = faults_of(input.words);
  faults.flap_down = {};  // a flap goes on for ever: as many events as there is time
  model.set_faults(1, Model::Direction::a_to_b, faults);
  send(model, input.frames);
  return 0;
}
