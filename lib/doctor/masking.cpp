#include "doctor/masking.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "topology/ip_address.hpp"

namespace railgauge::doctor {
namespace {

using Octets = std::span<std::uint8_t>;
using Key = std::array<std::uint64_t, 2>;

constexpr std::size_t kTail = 3;  // bytes that a vendor numbers its NICs with

/// Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012: SipHash-2-4.
class SipHash {
 public:
  explicit SipHash(const Key& key)
      : state_{key[0] ^ 0x736f6d6570736575ULL, key[1] ^ 0x646f72616e646f6dULL,
               key[0] ^ 0x6c7967656e657261ULL, key[1] ^ 0x7465646279746573ULL} {}

  std::uint64_t of(std::span<const std::uint8_t> bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      word |= std::uint64_t{bytes[i]} << (8 * (i % 8));
      if (i % 8 != 7) continue;
      absorb(word);
      word = 0;
    }
    absorb(word | static_cast<std::uint64_t>(bytes.size()) << 56U);
    state_[2] ^= 0xffU;
    for (int i = 0; i < 4; ++i) round();
    return state_[0] ^ state_[1] ^ state_[2] ^ state_[3];
  }

 private:
  void absorb(std::uint64_t word) {
    state_[3] ^= word;
    round();
    round();
    state_[0] ^= word;
  }

  void round() {
    auto& [a, b, c, d] = state_;
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }

  std::array<std::uint64_t, 4> state_;
};

Key key_of(const std::string& word) {
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(word.data());
  const std::span<const std::uint8_t> bytes(begin, word.size());
  return {SipHash({0, 1}).of(bytes), SipHash({0, 2}).of(bytes)};
}

class Mask {
 public:
  explicit Mask(const std::string& word) : key_(key_of(word)) {}

  [[nodiscard]] topology::IpAddress of(topology::IpAddress address) const {
    const Octets all(address.bytes);
    constexpr std::size_t kV4 = 12;
    if (topology::is_ipv4(address)) {
      const bool usual = !topology::is_loopback(address) && all[kV4] != 169;  // link-local
      if (usual) flip(all.subspan(kV4), 8, 24);
    } else if (!topology::is_loopback(address)) {
      if (all[0] != 0xfe) flip(all, 16, 64);
      flip(all.last(kTail), 0, 24);
    }
    return address;
  }

  /// Of a MAC or GUID in hexadecimal digits; 0 stays.
  [[nodiscard]] std::string of(std::string digits) const {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::vector<std::size_t> places;
    std::uint32_t all = 0;
    for (std::size_t at = 0; at < digits.size(); ++at) {
      const std::size_t digit = kDigits.find(digits[at]);
      if (digit == std::string_view::npos) continue;
      places.push_back(at);
      all = (all << 4U | static_cast<std::uint32_t>(digit)) & 0xffffffU;
    }
    if (places.size() < 2 * kTail || digits.find_first_not_of("0:") == std::string::npos)
      return digits;
    std::array<std::uint8_t, kTail> tail{static_cast<std::uint8_t>(all >> 16U),
                                         static_cast<std::uint8_t>(all >> 8U),
                                         static_cast<std::uint8_t>(all)};
    flip(tail, 0, 8 * kTail);
    for (std::size_t i = 0; i < 2 * kTail; ++i) {
      const unsigned byte = tail[i / 2];
      digits[places[places.size() - 2 * kTail + i]] = kDigits[i % 2 == 0 ? byte >> 4U : byte & 15U];
    }
    return digits;
  }

 private:
  /// Each bit by those before it: what begins alike still does (Xu, Fan, Ammar and Moon,
  /// "Prefix-Preserving IP Address Anonymization", 2002).
  void flip(Octets bytes, std::size_t from, std::size_t to) const {
    const std::vector<std::uint8_t> plain(bytes.begin(), bytes.end());
    for (std::size_t bit = from; bit < to; ++bit) {
      std::vector<std::uint8_t> before(plain.begin(),
                                       plain.begin() + static_cast<std::ptrdiff_t>(bit / 8 + 1));
      before.back() &= static_cast<std::uint8_t>(0xff00U >> (bit % 8));
      before.push_back(static_cast<std::uint8_t>(bit));
      const auto flipped = static_cast<unsigned>(SipHash(key_).of(before) & 1U);
      bytes[bit / 8] ^= static_cast<std::uint8_t>(flipped << (7 - bit % 8));
    }
  }

  Key key_;
};

std::string masked_ip(const Mask& mask, const std::string& text) {
  const auto address = topology::parse_ip_address(text);
  return address ? to_string(mask.of(*address)) : text;
}

/// "10.10.0.2=0c:42:a1:00:02:00 ..."
std::string masked_neighbours(const Mask& mask, const std::string& table) {
  std::string text;
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = std::min(table.find(' ', begin), table.size());
    const std::string one = table.substr(begin, end - begin);
    const std::size_t equals = one.find('=');
    if (!text.empty()) text += ' ';
    text += equals == std::string::npos
                ? one
                : masked_ip(mask, one.substr(0, equals)) + "=" + mask.of(one.substr(equals + 1));
    begin = end + 1;
  }
  return text;
}

}  // namespace

void mask_addresses(topology::Recording& recording, const std::string& word) {
  const Mask mask(word);
  for (topology::NetAddress& one : recording.addresses) one.address = mask.of(one.address);
  for (auto& [path, value] : recording.files) {
    if (path.starts_with("neighbours/")) {
      value = masked_neighbours(mask, value);
    } else if (path.find("/gids/") != std::string::npos) {
      value = masked_ip(mask, value);
    } else if (path.ends_with("_guid") ||
               (path.starts_with("class/net/") && path.ends_with("/address"))) {
      value = mask.of(value);
    }
  }
}

}  // namespace railgauge::doctor
