#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "softroce/wire/icrc.hpp"

namespace railgauge::softroce {

/// Writes what a device sends and receives to a file that Wireshark and tcpdump open: pcap,
/// nanosecond stamps, link type RAW, with the IP and UDP headers that were on the wire (IPv4 header
/// checksum right, UDP checksum 0). Not thread-safe. Every packet is handed to the kernel at once,
/// so that a killed process leaves whole packets.
class Capture {
 public:
  /// Creates `path`. An existing file is never written over: throws std::system_error with EEXIST
  /// and its name.
  explicit Capture(const std::string& path);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// `datagram`: BTH ... ICRC. `traffic_class`: the TOS byte with its ECN bits.
  /// A full disk ends the capture with one sentence on stderr; the traffic goes on.
  void record(const Envelope& envelope, std::uint8_t traffic_class,
              std::span<const std::byte> datagram);

 private:
  void append(std::initializer_list<iovec> parts);
  void end_capture(ssize_t written);

  std::string path_;
  int file_;  ///< -1 once the disk was full
};

}  // namespace railgauge::softroce
