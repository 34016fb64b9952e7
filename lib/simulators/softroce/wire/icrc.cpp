#include "softroce/wire/icrc.hpp"

#include <isa-l/crc.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "softroce/wire/ip_headers.hpp"

namespace railgauge::softroce {
namespace {

constexpr std::size_t kPseudoLrhBytes = 8;
constexpr std::size_t kBthBytes = 12;
constexpr std::size_t kResv8aOffset = 4;  // FECN, BECN and six reserved bits of the BTH
constexpr std::byte kOnes{0xff};

/// Annex A17.3.3: what may change on the way counts as ones.
constexpr Variant kMasked{.traffic_class = 0xff,
                          .flow_label = 0xfffff,
                          .hop_limit = 0xff,
                          .ip_checksum = 0xffff,
                          .udp_checksum = 0xffff};

/// inverse_of_bytes() takes half a microsecond, and a flow has few sizes of packets. An entry is
/// the size above its inverse in one word, so that threads share the table without a lock.
std::uint32_t remembered_inverse_of_bytes(std::uint32_t bytes) {
  static std::array<std::atomic<std::uint64_t>, 256> memory{};
  std::atomic<std::uint64_t>& entry = memory[bytes / 4 % memory.size()];
  const std::uint64_t known = entry.load(std::memory_order_relaxed);
  if (known >> 32 == bytes) return static_cast<std::uint32_t>(known);
  const std::uint32_t inverse = inverse_of_bytes(bytes);
  entry.store(std::uint64_t{bytes} << 32 | inverse, std::memory_order_relaxed);
  return inverse;
}

/// By which bits the identification differs from the one that an ICRC was computed with, given by
/// how much the ICRCs differ. The CRC is linear: a difference of D(x), of degree 15 at most and
/// followed by n bytes, makes one of D(x) * x^(32 + 8n) modulo the polynomial. So dividing by that
/// power gives D(x), and a quotient of higher degree means that something else differs.
std::optional<std::uint16_t> identification_difference(std::uint32_t residue,
                                                       std::size_t datagram_bytes) {
  constexpr std::size_t kBytesAfterIdentification = kIpv4HeaderBytes - 6 + kUdpHeaderBytes;
  const auto bytes =
      static_cast<std::uint32_t>(4 + kBytesAfterIdentification + datagram_bytes - kIcrcBytes);
  const std::uint32_t quotient = multiply(residue, remembered_inverse_of_bytes(bytes));
  if ((quotient & 0xffffU) != 0) return std::nullopt;
  // The CRC takes the bytes in order and of each the lowest bit first, so what is earlier has the
  // higher power: that leaves the two bytes of the identification the wrong way round.
  return __builtin_bswap16(static_cast<std::uint16_t>(quotient >> 16));
}

#if defined(__x86_64__)
__attribute__((target("avx"))) void clear_upper_halves() {
  _mm256_zeroupper();
}

/// isa-l's AVX-512 code for 256 bytes and more (2.30, crc32_gzip_refl_by16_10) returns without
/// vzeroupper, after which every SSE instruction of the program is slow until somebody does it:
/// measured on Sapphire Rapids, 120 ns for the ICRC of the next packet alone.
void end_wide_vectors(std::size_t count) {
  constexpr std::size_t kWide = 256;
  if (count >= kWide && __builtin_cpu_supports("avx")) clear_upper_halves();
}
#else
void end_wide_vectors(std::size_t) {}
#endif

std::uint32_t extend(std::uint32_t crc, const void* bytes, std::size_t count) {
  const std::uint32_t sum = crc32_gzip_refl(crc, static_cast<const unsigned char*>(bytes), count);
  end_wide_vectors(count);
  return sum;
}

/// How much of the first piece goes behind the other headers: alone it is all of it, as that saves
/// a call. Of a whole datagram it is the BTH and what leaves a multiple of 16 bytes, whose CRC
/// isa-l computes in half the time.
std::size_t bytes_to_copy(std::size_t first_piece) {
  if (first_piece <= kMaxHeaderBytes) return first_piece;
  return kBthBytes + (first_piece - kBthBytes) % 16;
}

}  // namespace

std::uint32_t icrc(const Envelope& envelope, std::span<const iovec> parts) {
  std::size_t datagram_bytes = kIcrcBytes;
  for (const iovec& part : parts) datagram_bytes += part.iov_len;
  std::array<std::byte, kPseudoLrhBytes + kMaxIpUdpBytes + kMaxHeaderBytes> head;  // filled below
  std::fill_n(head.begin(), kPseudoLrhBytes, kOnes);
  std::byte* const transport =
      write_ip_udp(envelope, kMasked, datagram_bytes, head.data() + kPseudoLrhBytes);
  const std::size_t copied = bytes_to_copy(parts[0].iov_len);
  std::memcpy(transport, parts[0].iov_base, copied);
  transport[kResv8aOffset] = kOnes;
  std::uint32_t crc =
      extend(0, head.data(), static_cast<std::size_t>(transport + copied - head.data()));
  crc = extend(crc, static_cast<const std::byte*>(parts[0].iov_base) + copied,
               parts[0].iov_len - copied);
  for (const iovec& part : parts.subspan(1)) crc = extend(crc, part.iov_base, part.iov_len);
  return crc;
}

std::optional<std::uint16_t> verify_icrc(const Envelope& envelope,
                                         std::span<const std::byte> datagram) {
  if (datagram.size() < kBthBytes + kIcrcBytes) return std::nullopt;
  const std::size_t covered = datagram.size() - kIcrcBytes;
  const iovec part{const_cast<std::byte*>(datagram.data()), covered};  // iovec knows no const
  const std::uint32_t expected = icrc(envelope, {&part, 1});
  Reader end(datagram.data() + covered);
  const std::uint32_t received = __builtin_bswap32(end.number<std::uint32_t>());
  if (expected == received) return envelope.identification;
  if (!is_ipv4(envelope.destination)) return std::nullopt;
  const auto difference = identification_difference(expected ^ received, datagram.size());
  if (!difference) return std::nullopt;
  return static_cast<std::uint16_t>(envelope.identification ^ *difference);
}

}  // namespace railgauge::softroce
