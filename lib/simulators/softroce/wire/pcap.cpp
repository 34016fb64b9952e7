#include "softroce/wire/pcap.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <system_error>

#include "softroce/wire/ip_headers.hpp"

namespace railgauge::softroce {
namespace {

/// The headers of the pcap format (draft-ietf-opsawg-pcap, sections 4 and 5), in host order: the
/// magic number tells readers which that is.
struct FileHeader {
  std::uint32_t magic = 0xa1b23c4d;  // stamps in nanoseconds
  std::uint16_t major_version = 2;
  std::uint16_t minor_version = 4;
  std::uint32_t reserved[2]{};
  std::uint32_t longest_packet = 65535;  // that of IP
  std::uint32_t link_type = 101;         // LINKTYPE_RAW: IPv4 or IPv6, no link layer
};
static_assert(sizeof(FileHeader) == 24);

struct RecordHeader {
  std::uint32_t seconds;
  std::uint32_t nanoseconds;
  std::uint32_t captured_bytes;
  std::uint32_t original_bytes;
};
static_assert(sizeof(RecordHeader) == 16);

constexpr std::size_t kChecksumOffset = 10;

/// RFC 1071, over an IPv4 header whose checksum is zero. Sums of host-order words keep the order.
void write_ipv4_checksum(std::byte* header) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < kIpv4HeaderBytes; at += 2) {
    std::uint16_t word = 0;
    std::memcpy(&word, header + at, sizeof word);
    sum += word;
  }
  sum = (sum & 0xffff) + (sum >> 16);
  const auto checksum = static_cast<std::uint16_t>(~(sum + (sum >> 16)));
  std::memcpy(header + kChecksumOffset, &checksum, sizeof checksum);
}

RecordHeader record_header(std::size_t bytes) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const auto size = static_cast<std::uint32_t>(bytes);
  return {static_cast<std::uint32_t>(now.tv_sec), static_cast<std::uint32_t>(now.tv_nsec), size,
          size};
}

}  // namespace

Capture::Capture(const std::string& path)
    : path_(path), file_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
  if (file_ < 0) throw std::system_error(errno, std::generic_category(), path_);
  FileHeader header;
  append({{&header, sizeof header}});
}

Capture::~Capture() {
  if (file_ >= 0) close(file_);
}

void Capture::record(const Envelope& envelope, const Variant& variant,
                     std::span<const std::byte> datagram) {
  if (file_ < 0) return;
  std::array<std::byte, kMaxIpUdpBytes> headers;  // filled below
  std::byte* const end = write_ip_udp(envelope, variant, datagram.size(), headers.data());
  if (is_ipv4(envelope.destination)) write_ipv4_checksum(headers.data());
  const auto header_bytes = static_cast<std::size_t>(end - headers.data());
  RecordHeader record = record_header(header_bytes + datagram.size());
  append({{&record, sizeof record},
          {headers.data(), header_bytes},
          {const_cast<std::byte*>(datagram.data()), datagram.size()}});  // iovec knows no const
}

void Capture::append(std::initializer_list<iovec> parts) {
  std::size_t wanted = 0;
  for (const iovec& part : parts) wanted += part.iov_len;
  ssize_t written = 0;
  do {
    written = writev(file_, parts.begin(), static_cast<int>(parts.size()));
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(wanted)) return;
  end_capture(written);
}

/// A write that was cut short says not why, but only a full disk or a limit does that to a file.
void Capture::end_capture(ssize_t written) {
  const int error = written < 0 ? errno : ENOSPC;
  const off_t whole = lseek(file_, 0, SEEK_CUR) - (written > 0 ? written : 0);
  // Readers complain of half a packet at the end.
  if (ftruncate(file_, whole) != 0) std::perror(path_.c_str());
  std::fprintf(stderr, "softroce: the capture %s ends here: %s\n", path_.c_str(),
               std::generic_category().message(error).c_str());
  close(file_);
  file_ = -1;
}

}  // namespace railgauge::softroce
