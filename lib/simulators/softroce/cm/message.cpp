#include "softroce/cm/message.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>

namespace railgauge::softroce::cm {
namespace {

/// The last digit is the version of this format.
constexpr std::array<char, 8> kMagic{'s', 'o', 'f', 't', 'r', 'c', 'm', '1'};
constexpr std::uint32_t kMost24Bits = 0xffffff;
constexpr std::uint8_t kLeastMtu = 1, kMostMtu = 5;  // enum ibv_mtu
constexpr std::uint8_t kMost3Bits = 7;

/// Reads or writes fields one after another, in network byte order.
class Writer {
 public:
  explicit Writer(MessageBytes& out) : out_(out) {}
  void number(std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = bytes; i > 0; --i) {
      out_.at(at_++) = static_cast<std::byte>(value >> (8 * (i - 1)));
    }
  }
  void operator()(std::uint8_t& value) { number(value, 1); }
  void operator()(std::uint16_t& value) { number(value, 2); }
  void operator()(std::uint32_t& value) { number(value, 4); }
  template <class Element, std::size_t size>
  void operator()(std::array<Element, size>& value) {
    std::memcpy(&out_.at(at_), value.data(), size);
    at_ += size;
  }

 private:
  MessageBytes& out_;
  std::size_t at_ = 0;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}
  template <class Number>
  void operator()(Number& value) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) {
      all = all << 8 | std::to_integer<std::uint64_t>(in_[at_++]);
    }
    value = static_cast<Number>(all);
  }
  template <class Element, std::size_t size>
  void operator()(std::array<Element, size>& value) {
    std::memcpy(value.data(), &in_[at_], size);
    at_ += size;
  }

 private:
  std::span<const std::byte> in_;
  std::size_t at_ = 0;
};

/// The one list of fields, in the order of the wire. 290 bytes; the rest is zero.
template <class Visitor>
void visit(Visitor visitor, std::array<char, 8>& magic, std::uint8_t& kind, Message& message) {
  visitor(magic);
  visitor(kind);
  visitor(message.mtu);
  visitor(message.status);
  visitor(message.port_space);
  visitor(message.source_port);
  visitor(message.target_port);
  visitor(message.queue_pair);
  visitor(message.psn);
  visitor(message.qkey);
  visitor(message.ece_vendor);
  visitor(message.ece_options);
  visitor(message.device.bytes);
  visitor(message.source.bytes);
  visitor(message.target.bytes);
  visitor(message.responder_resources);
  visitor(message.initiator_depth);
  visitor(message.flow_control);
  visitor(message.retry_count);
  visitor(message.rnr_retry_count);
  visitor(message.srq);
  visitor(message.traffic_class);
  visitor(message.private_data);
}

bool brings_a_queue_pair(Kind kind) {
  return kind == Kind::request || kind == Kind::reply;
}

bool valid(const Message& message) {
  if (message.queue_pair > kMost24Bits || message.psn > kMost24Bits) return false;
  if (message.retry_count > kMost3Bits || message.rnr_retry_count > kMost3Bits) return false;
  if (!brings_a_queue_pair(message.kind)) return true;
  return message.mtu >= kLeastMtu && message.mtu <= kMostMtu && message.device != Address{};
}

}  // namespace

bool Endpoint::any() const {
  return family == AF_INET ? address == ipv4(0) : address == Address{};
}

MessageBytes encode(const Message& message) {
  MessageBytes bytes{};
  Message copy = message;
  auto magic = kMagic;
  auto kind = static_cast<std::uint8_t>(message.kind);
  visit(Writer(bytes), magic, kind, copy);
  return bytes;
}

std::optional<Message> decode(std::span<const std::byte, kMessageBytes> bytes) {
  Message message;
  std::array<char, 8> magic{};
  std::uint8_t kind = 0;
  visit(Reader(bytes), magic, kind, message);
  if (magic != kMagic) return std::nullopt;
  if (kind < static_cast<std::uint8_t>(Kind::request)) return std::nullopt;
  if (kind > static_cast<std::uint8_t>(Kind::datagram_reply)) return std::nullopt;
  message.kind = static_cast<Kind>(kind);
  if (!valid(message)) return std::nullopt;
  return message;
}

}  // namespace railgauge::softroce::cm
