#include "softroce/engine/batches.hpp"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "softroce/device/memory_guard.hpp"
#include "softroce/device/work_queues.hpp"
#include "softroce/faults/datagram.hpp"

namespace railgauge::softroce {
namespace {

constexpr unsigned kMostSegments = 64;     // UDP_MAX_SEGMENTS of older kernels (net/udp.h)
constexpr std::size_t kMostBytes = 65000;  // an IP packet, with room for its headers
constexpr std::size_t kMostMessages = 64;
constexpr std::size_t kMostPieces = 1024;  // UIO_MAXIOV, for one message; for all is simpler
constexpr std::size_t kCopied = 512;       // cheaper to copy than to describe
constexpr std::size_t kArenaBytes = std::size_t{128} * 1024;
constexpr std::size_t kPerPacket = kMaxHeaderBytes + kCopied + 3 + kIcrcBytes;
constexpr std::uint8_t kDefaultTrafficClass = 2;  // the socket's own: ECT(0)
constexpr int kPatienceMs = 2;                    // for a full transmit queue of a real interface

std::size_t total(std::span<const iovec> parts) {
  std::size_t bytes = 0;
  for (const iovec& part : parts) bytes += part.iov_len;
  return bytes;
}

/// Copies the payload behind the headers; `packet` is all but the ICRC.
std::uint32_t copied_crc(const Envelope& envelope, std::span<std::byte> packet,
                         std::size_t header_bytes, std::span<const iovec> payload) {
  std::byte* to = packet.data() + header_bytes;
  for (const iovec& piece : payload) {
    std::memcpy(to, piece.iov_base, piece.iov_len);
    to += piece.iov_len;
  }
  const iovec whole{packet.data(), packet.size()};
  return icrc(envelope, {&whole, 1});
}

std::uint32_t described_crc(const Envelope& envelope, std::span<std::byte> headers,
                            std::span<const iovec> payload, std::span<std::byte> pad) {
  std::array<iovec, kMaxElements + 2> covered;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  covered[0] = {headers.data(), headers.size()};
  std::ranges::copy(payload, covered.begin() + 1);
  covered[payload.size() + 1] = {pad.data(), pad.size()};
  return icrc(envelope, std::span(covered).first(payload.size() + 2));
}

}  // namespace

SendBatch::SendBatch(const Address& source)
    : source_(source),
      arena_(kArenaBytes),
      pieces_(kMostPieces),
      messages_(kMostMessages),
      controls_(kMostMessages),
      headers_(kMostMessages) {}

bool SendBatch::joins_last(int descriptor, const Path& path, std::size_t bytes) const {
  if (messages_used_ == 0 || !segmenting_) return false;
  const Message& last = messages_[messages_used_ - 1];
  return last.open && last.descriptor == descriptor && last.path == path &&
         bytes <= last.segment_bytes && last.segments < kMostSegments &&
         last.bytes + bytes <= kMostBytes;
}

SendBatch::Message& SendBatch::message_for(int descriptor, const Path& path, std::size_t bytes,
                                           bool alone) {
  if (!alone && joins_last(descriptor, path, bytes)) {
    Message& last = messages_[messages_used_ - 1];
    last.open = bytes == last.segment_bytes;  // a shorter segment can only be the last
    return last;
  }
  Message& fresh = messages_[messages_used_++];
  fresh.descriptor = descriptor;
  fresh.path = path;
  fresh.segment_bytes = bytes;
  fresh.bytes = 0;
  fresh.segments = 0;
  fresh.open = true;
  fresh.first_piece = pieces_used_;
  fresh.pieces = 0;
  fresh.name_bytes = to_sockaddr(path.destination, kRocePort, fresh.name);
  return fresh;
}

std::byte* SendBatch::reserve(std::size_t bytes) {
  std::byte* room = arena_.data() + arena_used_;
  arena_used_ += bytes;
  append(room, bytes);
  return room;
}

void SendBatch::append(const void* data, std::size_t bytes) {
  Message& message = messages_[messages_used_ - 1];
  if (message.pieces > 0) {
    iovec& last = pieces_[pieces_used_ - 1];
    if (static_cast<const std::byte*>(last.iov_base) + last.iov_len == data) {
      last.iov_len += bytes;
      return;
    }
  }
  pieces_[pieces_used_++] = {const_cast<void*>(data), bytes};
  ++message.pieces;
}

bool SendBatch::full(std::size_t pieces) const {
  return arena_used_ + kPerPacket > kArenaBytes || messages_used_ == kMostMessages ||
         pieces_used_ + pieces + 2 > kMostPieces;
}

std::size_t SendBatch::add(int descriptor, const Path& path, const Packet& headers,
                           std::span<const iovec> payload) {
  const std::size_t payload_bytes = total(payload);
  // The packet lies in the arena, without a payload that is better described than copied. It is not
  // part of the batch until all of the payload has been read.
  std::byte* const packet = arena_.data() + arena_used_;
  const std::size_t header_bytes = write_headers(headers, payload_bytes, packet);
  const std::size_t pad = padding(payload_bytes);
  const std::size_t bytes = header_bytes + payload_bytes + pad + kIcrcBytes;
  const bool copied = payload_bytes <= kCopied;
  std::byte* const trailer = packet + header_bytes + (copied ? payload_bytes : 0);
  std::memset(trailer, 0, pad);
  const bool joins = joins_last(descriptor, path, bytes);
  const std::uint32_t segment = joins ? messages_[messages_used_ - 1].segments : 0;
  const Envelope envelope{.source = source_,
                          .destination = path.destination,
                          .source_port = path.source_port,
                          .identification = static_cast<std::uint16_t>(segment)};
  std::uint32_t crc = 0;
  const auto read = [&] {
    crc = copied ? copied_crc(envelope, {packet, bytes - kIcrcBytes}, header_bytes, payload)
                 : described_crc(envelope, {packet, header_bytes}, payload, {trailer, pad});
  };
  if (!guarded(read)) return 0;
  std::memcpy(trailer + pad, &crc, kIcrcBytes);  // little-endian, as this machine is

  Message& message = message_for(descriptor, path, bytes);
  if (copied) {
    reserve(bytes);
  } else {
    reserve(header_bytes);
    for (const iovec& piece : payload) append(piece.iov_base, piece.iov_len);
    reserve(pad + kIcrcBytes);
  }
  message.bytes += bytes;
  ++message.segments;
  return bytes;
}

bool SendBatch::add_raw(int descriptor, const Path& path, std::span<const std::byte> datagram) {
  if (arena_used_ + datagram.size() > kArenaBytes || messages_used_ == kMostMessages ||
      pieces_used_ == kMostPieces) {
    return false;
  }
  Message& message = message_for(descriptor, path, datagram.size(), true);
  std::memcpy(reserve(datagram.size()), datagram.data(), datagram.size());
  message.bytes = datagram.size();
  message.segments = 1;
  message.open = false;
  return true;
}

std::size_t SendBatch::write_control(const Message& message, Control& control) const {
  msghdr header{};
  header.msg_control = control.bytes.data();
  header.msg_controllen = control.bytes.size();
  std::size_t used = 0;
  cmsghdr* entry = CMSG_FIRSTHDR(&header);
  const auto put = [&](int level, int type, const void* value, std::size_t bytes) {
    entry->cmsg_level = level;
    entry->cmsg_type = type;
    entry->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(entry), value, bytes);
    used += CMSG_SPACE(bytes);
    // CMSG_NXTHDR looks at the length of the next entry, which is not there yet.
    entry = reinterpret_cast<cmsghdr*>(control.bytes.data() + used);
  };
  if (message.segments > 1) {
    const auto segment = static_cast<std::uint16_t>(message.segment_bytes);
    put(SOL_UDP, UDP_SEGMENT, &segment, sizeof segment);
  }
  if (message.path.traffic_class != kDefaultTrafficClass) {
    const int traffic_class = message.path.traffic_class;
    const bool v4 = is_ipv4(source_);
    put(v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_TOS : IPV6_TCLASS, &traffic_class,
        sizeof traffic_class);
  }
  if (message.path.hop_limit != kDefaultHopLimit) {
    const int hop_limit = message.path.hop_limit;
    const bool v4 = is_ipv4(source_);
    put(v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_TTL : IPV6_HOPLIMIT, &hop_limit, sizeof hop_limit);
  }
  return used;
}

void SendBatch::prepare(std::size_t index) {
  Message& message = messages_[index];
  msghdr& header = headers_[index].msg_hdr;
  header = {};
  header.msg_name = &message.name;
  header.msg_namelen = message.name_bytes;
  header.msg_iov = &pieces_[message.first_piece];
  header.msg_iovlen = message.pieces;
  header.msg_controllen = write_control(message, controls_[index]);
  header.msg_control = header.msg_controllen > 0 ? controls_[index].bytes.data() : nullptr;
}

// Segments that the kernel would not make: each leaves as a datagram, whose identification is 0.
std::uint64_t SendBatch::send_apart(std::size_t index) {
  segmenting_ = false;
  Message& message = messages_[index];
  std::vector<std::byte> all;
  for (const iovec& piece : std::span(pieces_).subspan(message.first_piece, message.pieces)) {
    const auto* from = static_cast<const std::byte*>(piece.iov_base);
    all.insert(all.end(), from, from + piece.iov_len);
  }
  message.segments = 1;
  prepare(index);
  msghdr header = headers_[index].msg_hdr;
  const Envelope envelope{source_, message.path.destination, message.path.source_port, 0};
  std::uint64_t refused = 0;
  for (std::size_t at = 0; at < all.size(); at += message.segment_bytes) {
    iovec segment{&all[at], std::min(message.segment_bytes, all.size() - at)};
    const std::array<iovec, 1> covered{{{segment.iov_base, segment.iov_len - kIcrcBytes}}};
    const std::uint32_t crc = icrc(envelope, covered);
    std::memcpy(&all[at + covered[0].iov_len], &crc, kIcrcBytes);
    header.msg_iov = &segment;
    header.msg_iovlen = 1;
    if (sendmsg(message.descriptor, &header, 0) < 0) ++refused;  // as if lost on the wire
  }
  return refused;
}

std::uint64_t SendBatch::send() {
  std::uint64_t refused = 0;
  for (std::size_t i = 0; i < messages_used_; ++i) prepare(i);
  for (std::size_t done = 0; done < messages_used_;) {
    const int descriptor = messages_[done].descriptor;
    std::size_t end = done + 1;
    while (end < messages_used_ && messages_[end].descriptor == descriptor) ++end;
    const int sent = sendmmsg(descriptor, &headers_[done], static_cast<unsigned>(end - done), 0);
    if (sent > 0) {
      done += static_cast<std::size_t>(sent);
      continue;
    }
    pollfd writable{.fd = descriptor, .events = POLLOUT, .revents = 0};
    if (errno == EINTR || (errno == EAGAIN && poll(&writable, 1, kPatienceMs) == 1)) continue;
    // Before Linux 6.11, of an interface that cannot make UDP checksums (net/ipv4/udp.c).
    if (errno == EIO && messages_[done].segments > 1) {
      refused += send_apart(done++);
      continue;
    }
    refused += messages_[done++].segments;  // as if lost on the wire
  }
  arena_used_ = pieces_used_ = messages_used_ = 0;
  return refused;
}

ReceiveBatch::ReceiveBatch() : buffer_(kMost * kDatagramBytes) {
  for (std::size_t i = 0; i < kMost; ++i) {
    pieces_[i] = {buffer_.data() + i * kDatagramBytes, kDatagramBytes};
    msghdr& header = headers_[i].msg_hdr;
    header.msg_name = &names_[i];
    header.msg_iov = &pieces_[i];
    header.msg_iovlen = 1;
    header.msg_control = controls_[i].bytes.data();
  }
}

std::size_t ReceiveBatch::receive(int descriptor) {
  for (std::size_t i = 0; i < wanted_; ++i) {
    headers_[i].msg_hdr.msg_namelen = sizeof(sockaddr_storage);
    headers_[i].msg_hdr.msg_controllen = kControlBytes;
  }
  const int count =
      recvmmsg(descriptor, headers_.data(), static_cast<unsigned>(wanted_), MSG_DONTWAIT, nullptr);
  const std::size_t arrived = count > 0 ? static_cast<std::size_t>(count) : 0;
  const bool full = arrived == wanted_;
  // Looking for one costs less than looking for eight, and a message that is waited for comes
  // alone: it is answered before anybody looks for the next.
  maybe_more_ = full && wanted_ > 1;
  wanted_ = full ? kMost : 1;
  return arrived;
}

ReceiveBatch::Arrived ReceiveBatch::operator[](std::size_t index) const {
  const auto* data = static_cast<const std::byte*>(pieces_[index].iov_base);
  const std::size_t bytes = headers_[index].msg_len;
  Arrived arrived{.bytes = {data, bytes}, .segment_bytes = bytes, .from = &names_[index]};
  msghdr header = headers_[index].msg_hdr;
  for (cmsghdr* entry = CMSG_FIRSTHDR(&header); entry != nullptr;
       entry = CMSG_NXTHDR(&header, entry)) {
    if (entry->cmsg_level == SOL_UDP && entry->cmsg_type == UDP_GRO) {
      int segment = 0;
      std::memcpy(&segment, CMSG_DATA(entry), sizeof segment);
      if (segment > 0) arrived.segment_bytes = static_cast<std::size_t>(segment);
    } else if (entry->cmsg_level == SOL_SOCKET && entry->cmsg_type == SO_RXQ_OVFL) {
      std::uint32_t lost = 0;
      std::memcpy(&lost, CMSG_DATA(entry), sizeof lost);
      arrived.lost_before = lost;
    } else if ((entry->cmsg_level == IPPROTO_IP && entry->cmsg_type == IP_TOS) ||
               (entry->cmsg_level == IPPROTO_IPV6 && entry->cmsg_type == IPV6_TCLASS)) {
      // One byte for IPv4, an int for IPv6: the low byte comes first in both.
      std::memcpy(&arrived.variant.traffic_class, CMSG_DATA(entry), 1);
    } else if ((entry->cmsg_level == IPPROTO_IP && entry->cmsg_type == IP_TTL) ||
               (entry->cmsg_level == IPPROTO_IPV6 && entry->cmsg_type == IPV6_HOPLIMIT)) {
      int hop_limit = 0;
      std::memcpy(&hop_limit, CMSG_DATA(entry), sizeof hop_limit);
      arrived.variant.hop_limit = static_cast<std::uint8_t>(hop_limit);
    }
  }
  return arrived;
}

}  // namespace railgauge::softroce
