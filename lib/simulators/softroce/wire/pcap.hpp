#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "softroce/wire/ip_headers.hpp"

namespace railgauge::softroce {

/// Writes what a device sends and receives to a file for Wireshark and tcpdump: pcap, nanosecond
/// timestamps, link type RAW, with the IP and UDP headers that were on the wire (valid IPv4 header
/// checksum, UDP checksum 0). Not thread-safe. Every packet goes to the kernel immediately, so that
/// a killed process leaves whole packets.
class Capture {
 public:
  /// Creates `path`. Never overwrites an existing file: throws std::system_error with EEXIST and
  /// its name.
  explicit Capture(const std::string& path);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// `datagram`: BTH ... ICRC. Checksums are computed.
  /// A full disk ends the capture with one sentence on stderr; traffic continues.
  void record(const Envelope& envelope, const Variant& variant,
              std::span<const std::byte> datagram);

 private:
  void append(std::initializer_list<iovec> parts);
  void end_capture(ssize_t written);

  std::string path_;
  int file_;  ///< -1 once the disk was full
};

}  // namespace railgauge::softroce
