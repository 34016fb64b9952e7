#include "softroce/engine/receive_batch.hpp"

#include <netinet/in.h>
#include <netinet/udp.h>

#include <cstring>

#include "softroce/faults/datagram.hpp"

namespace railgauge::softroce {

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
  Arrived arrived{
      .bytes = {data, bytes}, .segment_bytes = bytes, .traffic_class = 0, .from = &names_[index]};
  msghdr header = headers_[index].msg_hdr;
  for (cmsghdr* entry = CMSG_FIRSTHDR(&header); entry != nullptr;
       entry = CMSG_NXTHDR(&header, entry)) {
    if (entry->cmsg_level == SOL_UDP && entry->cmsg_type == UDP_GRO) {
      int segment = 0;
      std::memcpy(&segment, CMSG_DATA(entry), sizeof segment);
      if (segment > 0) arrived.segment_bytes = static_cast<std::size_t>(segment);
    } else if ((entry->cmsg_level == IPPROTO_IP && entry->cmsg_type == IP_TOS) ||
               (entry->cmsg_level == IPPROTO_IPV6 && entry->cmsg_type == IPV6_TCLASS)) {
      // One byte for IPv4, an int for IPv6: the low byte comes first in both.
      std::memcpy(&arrived.traffic_class, CMSG_DATA(entry), 1);
    }
  }
  return arrived;
}

}  // namespace railgauge::softroce
