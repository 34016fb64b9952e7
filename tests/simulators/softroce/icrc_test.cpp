#include "softroce/wire/icrc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace railgauge::softroce {
namespace {

using Bytes = std::vector<std::byte>;

struct Vector {
  const char* source;
  const char* destination;
  std::uint16_t source_port;
  std::uint16_t identification;
  const char* headers;  ///< hexadecimal
  std::uint32_t payload_bytes;
  std::uint32_t icrc;
};

// Made by scapy 2.5.0's contrib.roce: raw(IP(..., flags='DF', ttl=17,
// tos=0x43)/UDP(...)/BTH(...)/Raw(...)), whose last four bytes are the ICRC. It refuses IPv6: there
// scapy's own IPv6/UDP/BTH builders made the packet with tc=0xff, fl=0xfffff, hlim=0xff,
// chksum=0xffff, fecn=becn=1, resv6=0x3f, and Python's zlib.crc32 took eight 0xff and that. Every
// value of both kinds was also equal to zlib.crc32 of headers packed by hand. Byte i of a payload
// is 7i+1, padding is zero. The last one is no software's: a congestion notification that a
// ConnectX-4 Lx sent, captured by the authors of scapy's RoCE layer.
constexpr Vector kVectors[] = {
    {"127.64.0.1", "127.64.0.2", 4791, 0x0000, "0440ffff000a1b2c00fffffe", 0, 0xef5c2fa0},
    {"127.64.0.1", "127.64.0.2", 4791, 0x0000, "0470ffff000a1b2c80fffffe", 1, 0xd6f88eeb},
    {"127.64.0.1", "127.64.0.2", 4791, 0x0001, "0460ffff000a1b2c00fffffe", 2, 0x813bce6f},
    {"127.64.0.1", "127.64.0.2", 4791, 0xc8af, "0450ffff000a1b2c80fffffe", 3, 0x08fb3a3b},
    {"127.64.0.1", "127.64.0.2", 4791, 0xffff, "0440ffff000a1b2c00fffffe", 4, 0x2a7f77a5},
    {"127.64.0.1", "127.64.0.2", 4791, 0x0100, "0470ffff000a1b2c80fffffe", 5, 0x3dbfd9d9},
    {"127.64.0.1", "127.64.0.2", 4791, 0x0007, "0440ffff000a1b2c00fffffe", 1024, 0x66e14a67},
    {"127.64.0.1", "127.64.0.2", 4791, 0x003f, "0470ffff000a1b2c80fffffe", 4093, 0x275bfe62},
    {"127.64.0.1", "127.64.0.2", 4791, 0x8000, "0440ffff000a1b2c00fffffe", 8192, 0xfaddcac7},
    {"10.1.2.3", "192.0.2.255", 49153, 0x1234,
     "0a60ffff000a1b2c00fffffe7f1122334455aa66deadbeef00000006", 6, 0x6466c59e},
    {"10.1.2.3", "192.0.2.255", 65535, 0x0002, "1140ffff000a1b2c00fffffe1f000abc", 0, 0xc2a53b11},
    {"10.1.2.3", "192.0.2.255", 4791, 0x0003, "6450ffff000a1b2c80fffffe1111111100000002", 7,
     0x0e514893},
    {"10.1.2.3", "192.0.2.255", 4791, 0x0003,
     "8100ffff400a1b2c00fffffe00000000000000000000000000000000", 0, 0x1cd30884},
    {"fd00::1", "2001:db8::ff", 50000, 0x0000, "0440ffff000a1b2c00fffffe", 0, 0xc980bbac},
    {"fd00::1", "2001:db8::ff", 4791, 0x0000, "0470ffff000a1b2c80fffffe", 1, 0x69e97fa5},
    {"fd00::1", "2001:db8::ff", 50000, 0x0000, "0460ffff000a1b2c00fffffe", 2, 0x9f8a9e2b},
    {"fd00::1", "2001:db8::ff", 4791, 0x0000, "0450ffff000a1b2c80fffffe", 3, 0x68a70c4c},
    {"fd00::1", "2001:db8::ff", 50000, 0x0000, "0440ffff000a1b2c00fffffe", 4, 0x6403092b},
    {"fd00::1", "2001:db8::ff", 50000, 0x0000, "0440ffff000a1b2c00fffffe", 1024, 0x17c96784},
    {"fd00::1", "2001:db8::ff", 4791, 0x0000, "0450ffff000a1b2c80fffffe", 4095, 0x497899fa},
    {"10.0.17.1", "10.0.18.1", 0, 0x718c,
     "8100ffff400001180000000000000000000000000000000000000000", 0, 0x2a00fd82},
};

Bytes transport_of(const Vector& vector) {
  Bytes bytes;
  const std::string hex = vector.headers;
  for (std::size_t at = 0; at < hex.size(); at += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  }
  for (std::size_t i = 0; i < vector.payload_bytes; ++i) {
    bytes.push_back(static_cast<std::byte>(i * 7 + 1));
  }
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

Envelope envelope_of(const Vector& vector) {
  return {parse_address(vector.source).value(), parse_address(vector.destination).value(),
          vector.source_port, vector.identification};
}

Bytes datagram_of(const Vector& vector) {
  Bytes bytes = transport_of(vector);
  for (const unsigned shift : {0U, 8U, 16U, 24U}) {
    bytes.push_back(static_cast<std::byte>(vector.icrc >> shift));
  }
  return bytes;
}

TEST(Icrc, ScapysVectors) {
  for (const Vector& vector : kVectors) {
    Bytes bytes = transport_of(vector);
    const iovec whole{bytes.data(), bytes.size()};
    EXPECT_EQ(icrc(envelope_of(vector), {&whole, 1}), vector.icrc) << vector.headers;
  }
}

TEST(Icrc, PiecesMakeNoDifference) {
  for (const Vector& vector : kVectors) {
    Bytes bytes = transport_of(vector);
    for (std::size_t cut = 12; cut <= bytes.size(); cut += 1 + cut / 5) {
      const iovec parts[] = {{bytes.data(), cut},
                             {nullptr, 0},
                             {bytes.data() + cut, (bytes.size() - cut) / 2},
                             {bytes.data() + cut + (bytes.size() - cut) / 2,
                              bytes.size() - cut - (bytes.size() - cut) / 2}};
      EXPECT_EQ(icrc(envelope_of(vector), parts), vector.icrc) << vector.headers << " " << cut;
    }
  }
}

TEST(Icrc, RightPacketsAreAccepted) {
  for (const Vector& vector : kVectors) {
    EXPECT_EQ(verify_icrc(envelope_of(vector), datagram_of(vector)), vector.identification);
  }
}

TEST(Icrc, EveryIdentificationIsFound) {
  for (const Vector& vector : kVectors) {
    if (!is_ipv4(envelope_of(vector).destination)) continue;
    Envelope envelope = envelope_of(vector);
    for (unsigned given = 0; given <= 0xffff; given += 97) {
      envelope.identification = static_cast<std::uint16_t>(given);
      ASSERT_EQ(verify_icrc(envelope, datagram_of(vector)), vector.identification) << given;
    }
  }
}

TEST(Icrc, AFlippedBitIsSeen) {
  for (const Vector& vector : kVectors) {
    Bytes bytes = datagram_of(vector);
    for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 1 + bit / 64) {
      if (bit / 8 == 4) continue;  // resv8a is masked
      const auto flip = static_cast<std::byte>(1U << bit % 8);
      bytes[bit / 8] ^= flip;
      EXPECT_NE(verify_icrc(envelope_of(vector), bytes), vector.identification) << bit;
      bytes[bit / 8] ^= flip;
    }
  }
}

TEST(Icrc, ForeignDamageIsSeenButForOneIn65536) {
  const Vector& vector = kVectors[3];
  Bytes bytes = datagram_of(vector);
  std::mt19937 random(1);
  int accepted = 0;
  for (int trial = 0; trial < (1 << 20); ++trial) {
    const auto noise = static_cast<std::uint32_t>(random());
    std::memcpy(bytes.data() + bytes.size() - 4, &noise, 4);
    accepted += verify_icrc(envelope_of(vector), bytes).has_value() ? 1 : 0;
  }
  // 16 expected; 48 is eight standard deviations away.
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 48);
}

TEST(Icrc, Ipv6HasNoIdentificationToSolveFor) {
  const Vector& vector =
      *std::find_if(std::begin(kVectors), std::end(kVectors),
                    [](const Vector& any) { return !is_ipv4(envelope_of(any).destination); });
  Bytes bytes = datagram_of(vector);
  std::mt19937 random(1);
  for (int trial = 0; trial < (1 << 19); ++trial) {
    const auto noise = static_cast<std::uint32_t>(random());
    std::memcpy(bytes.data() + bytes.size() - 4, &noise, 4);
    ASSERT_FALSE(verify_icrc(envelope_of(vector), bytes));
  }
}

TEST(Icrc, TooShortIsDamaged) {
  // Also with the sum that zlib.crc32 gives for those eight bytes: less than a BTH is no packet.
  const Vector stump{"127.64.0.1", "127.64.0.2", 4791, 0, "0440ffff000a1b2c", 0, 0xc4b6422a};
  const Bytes bytes = datagram_of(stump);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    EXPECT_FALSE(verify_icrc(envelope_of(stump), std::span(bytes).first(size)));
  }
}

TEST(Icrc, ThreadsShareWhatIsRemembered) {
  // Sizes 1024 apart share an entry of icrc.cpp's memory: the threads take it from each other.
  const auto solve = [](std::size_t payload) {
    Bytes bytes(12 + payload + 4);
    Envelope sent = envelope_of(kVectors[0]);
    sent.identification = 0xbeef;
    const iovec part{bytes.data(), bytes.size() - 4};
    const std::uint32_t sum = icrc(sent, {&part, 1});
    std::memcpy(bytes.data() + bytes.size() - 4, &sum, 4);
    for (int trial = 0; trial < 20'000; ++trial) {
      ASSERT_EQ(verify_icrc(envelope_of(kVectors[0]), bytes), 0xbeef);
    }
  };
  std::thread other(solve, 1024);
  solve(2048);
  other.join();
}

}  // namespace
}  // namespace railgauge::softroce
