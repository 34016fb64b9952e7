#include "softroce/wire/packet.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <cstring>
#include <string>
#include <vector>

namespace railgauge::softroce {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const std::string& hex) {
  Bytes bytes;
  for (std::size_t at = 0; at < hex.size(); at += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

Bytes written(const Packet& packet, std::size_t payload_bytes = 0) {
  Bytes bytes(kMaxHeaderBytes);
  bytes.resize(write_headers(packet, payload_bytes, bytes.data()));
  return bytes;
}

/// A packet in which every field of every header says something else.
Packet full(Service service, Operation operation) {
  Packet packet;
  packet.service = service;
  packet.operation = operation;
  packet.solicited = true;
  packet.partition = 0x8001;
  packet.queue_pair = 0x0a0b0c;
  packet.psn = 0xfedcba;
  packet.remote_address = 0x1112131415161718;
  packet.remote_key = 0x21222324;
  packet.dma_length = 0x31323334;
  packet.swap_or_add = 0x4142434445464748;
  packet.compare = 0x5152535455565758;
  packet.syndrome = 0x61;
  packet.message_number = 0x626364;
  packet.original = 0x7172737475767778;
  packet.queue_key = 0x81828384;
  packet.source_queue_pair = 0x929394;
  const Bytes immediate = bytes_of("a1a2a3a4");
  std::memcpy(&packet.immediate, immediate.data(), immediate.size());
  packet.invalidate_key = 0xb1b2b3b4;
  return packet;
}

// By hand from InfiniBand volume 1: table 38 for which headers, sections 9.2 and 9.3 for their
// fields.
constexpr const char* kReth =
    "1112131415161718"
    "21222324"
    "31323334";
constexpr const char* kAtomicEth =
    "1112131415161718"
    "21222324"
    "4142434445464748"
    "5152535455565758";
constexpr const char* kAeth = "61626364";
constexpr const char* kAtomicAckEth = "7172737475767778";
constexpr const char* kDeth =
    "81828384"
    "00929394";
constexpr const char* kImmDt = "a1a2a3a4";
constexpr const char* kIeth = "b1b2b3b4";

struct Form {
  unsigned opcode;
  std::string extended;
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {{0x00, ""},
                                        {0x01, ""},
                                        {0x02, ""},
                                        {0x03, kImmDt},
                                        {0x04, ""},
                                        {0x05, kImmDt},
                                        {0x06, kReth},
                                        {0x07, ""},
                                        {0x08, ""},
                                        {0x09, kImmDt},
                                        {0x0a, kReth},
                                        {0x0b, std::string(kReth) + kImmDt},
                                        {0x0c, kReth},
                                        {0x0d, kAeth},
                                        {0x0e, ""},
                                        {0x0f, kAeth},
                                        {0x10, kAeth},
                                        {0x11, kAeth},
                                        {0x12, std::string(kAeth) + kAtomicAckEth},
                                        {0x13, kAtomicEth},
                                        {0x14, kAtomicEth},
                                        {0x16, kIeth},
                                        {0x17, kIeth},
                                        {0x20, ""},
                                        {0x21, ""},
                                        {0x22, ""},
                                        {0x23, kImmDt},
                                        {0x24, ""},
                                        {0x25, kImmDt},
                                        {0x26, kReth},
                                        {0x27, ""},
                                        {0x28, ""},
                                        {0x29, kImmDt},
                                        {0x2a, kReth},
                                        {0x2b, std::string(kReth) + kImmDt},
                                        {0x64, kDeth},
                                        {0x65, std::string(kDeth) + kImmDt}};
  return all;
}

std::string hex_byte(unsigned value) {
  std::array<char, 3> text{};
  std::snprintf(text.data(), text.size(), "%02x", value & 0xff);
  return text.data();
}

Packet full(const Form& form) {
  return full(static_cast<Service>(form.opcode >> 5), static_cast<Operation>(form.opcode & 0x1f));
}

TEST(Packet, EveryOpcodeHasTheHeadersOfTheSpecification) {
  for (const Form& form : forms()) {
    const std::string base = hex_byte(form.opcode) +
                             "c08001"
                             "000a0b0c"
                             "00fedcba";
    EXPECT_EQ(written(full(form)), bytes_of(base + form.extended)) << hex_byte(form.opcode);
  }
}

TEST(Packet, WhatWasWrittenIsReadBack) {
  for (const Form& form : forms()) {
    const Bytes bytes = written(full(form));
    const auto parsed = parse(bytes);
    ASSERT_TRUE(parsed) << hex_byte(form.opcode);
    EXPECT_EQ(written(*parsed), bytes) << hex_byte(form.opcode);
    EXPECT_EQ(parsed->queue_pair, 0x0a0b0cU);
    EXPECT_EQ(parsed->psn, 0xfedcbaU);
    EXPECT_FALSE(parsed->ack_request);
    // Of headers that are not there nothing is made up.
    EXPECT_EQ(parsed->queue_key, form.opcode >> 5 == 3 ? 0x81828384U : 0U);
    EXPECT_EQ(parsed->invalidate_key, (form.opcode & 0x1e) == 0x16 ? 0xb1b2b3b4U : 0U);
  }
}

TEST(Packet, FlagsHaveTheirBits) {
  Packet packet;
  packet.ack_request = true;
  packet.backward_ecn = true;
  packet.queue_pair = 0xff000001;  // what is beyond 24 bits does not spill over
  packet.psn = 0xff000002;
  const Bytes bytes = written(packet, 1);
  EXPECT_EQ(bytes, bytes_of("0470ffff"
                            "40000001"
                            "80000002"));
  Bytes padded = bytes;
  padded.resize(16);
  const auto parsed = parse(padded);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->ack_request && parsed->backward_ecn && !parsed->solicited);
}

TEST(Packet, PayloadIsAViewWithoutPadding) {
  for (std::size_t payload = 0; payload < 9; ++payload) {
    Bytes bytes = written(full(Service::reliable, Operation::write_only), payload);
    bytes.resize(28 + payload + padding(payload));
    const auto parsed = parse(bytes);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->payload.data(), bytes.data() + 28);
    EXPECT_EQ(parsed->payload.size(), payload);
  }
}

TEST(Packet, CongestionNotification) {
  Packet packet;
  packet.service = Service::congestion;
  packet.backward_ecn = true;
  packet.queue_pair = 0xd2;
  const Bytes bytes = written(packet);
  EXPECT_EQ(bytes, bytes_of("8100ffff"
                            "400000d2"
                            "00000000" +
                            std::string(32, '0')));
  const auto parsed = parse(bytes);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(is_congestion_notification(*parsed) && parsed->backward_ecn);
  EXPECT_EQ(parsed->queue_pair, 0xd2U);
  EXPECT_TRUE(parsed->payload.empty());
  EXPECT_FALSE(parse(std::span(bytes).first(24)));
  Bytes longer = bytes;
  longer.resize(32);
  EXPECT_FALSE(parse(longer));
}

TEST(Packet, UndefinedOpcodesAreRefused) {
  std::bitset<256> defined;
  for (const Form& form : forms()) defined.set(form.opcode);
  defined.set(kCongestionNotification);
  for (unsigned opcode = 0; opcode < defined.size(); ++opcode) {
    bool taken = false;  // at any size of headers
    for (std::size_t size = 12; size <= 64; size += 4) {
      Bytes bytes(size);
      bytes[0] = static_cast<std::byte>(opcode);
      taken = taken || parse(bytes).has_value();
    }
    EXPECT_EQ(taken, defined[opcode]) << hex_byte(opcode);
  }
}

TEST(Packet, ShorterThanItsHeadersIsRefused) {
  for (const Form& form : forms()) {
    const Bytes bytes = written(full(form));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(parse(std::span(bytes).first(size))) << hex_byte(form.opcode) << " " << size;
    }
  }
}

TEST(Packet, PayloadWhereNoneBelongsIsRefused) {
  for (const unsigned opcode : {0x0cU, 0x11U, 0x12U, 0x13U, 0x14U}) {
    Bytes bytes = written(full(Form{opcode, ""}));
    bytes.resize(bytes.size() + 4);
    EXPECT_FALSE(parse(bytes)) << hex_byte(opcode);
  }
}

TEST(Packet, WrongPaddingAndVersionAreRefused) {
  EXPECT_FALSE(
      parse(bytes_of("0450ffff"
                     "00000001"
                     "00000002")));  // 1 of padding, no payload
  EXPECT_FALSE(
      parse(bytes_of("0440ffff"
                     "00000001"
                     "00000002"
                     "0102")));  // no multiple of 4
  EXPECT_FALSE(
      parse(bytes_of("1150ffff"
                     "00000001"
                     "00000002"
                     "00000000")));  // ACK with padding
  EXPECT_FALSE(
      parse(bytes_of("0441ffff"
                     "00000001"
                     "00000002")));  // transport version 1
  EXPECT_TRUE(
      parse(bytes_of("0440ffff"
                     "00000001"
                     "00000002")));
}

TEST(Packet, MigReqAndReservedBitsOfOthersAreNoReasonToRefuse) {
  const auto parsed =
      parse(bytes_of("0400ffff"
                     "bf000001"
                     "7f000002"));  // and FECN
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->queue_pair, 1U);
  EXPECT_EQ(parsed->psn, 2U);
  EXPECT_FALSE(parsed->backward_ecn || parsed->ack_request);
}

TEST(Packet, PlaceInAMessage) {
  using enum Operation;
  EXPECT_TRUE(starts_message(send_only) && ends_message(send_only));
  EXPECT_TRUE(starts_message(write_first) && !ends_message(write_first));
  EXPECT_TRUE(!starts_message(send_middle) && !ends_message(send_middle));
  EXPECT_TRUE(!starts_message(write_last_with_immediate) &&
              ends_message(write_last_with_immediate));
  EXPECT_TRUE(ends_message(send_last_with_invalidate) &&
              !starts_message(send_last_with_invalidate));
  // Read responses, requests and acknowledgements are no messages of a sender.
  for (const Operation operation : {read_request, read_response_first, read_response_last,
                                    read_response_only, acknowledge, compare_and_swap}) {
    EXPECT_FALSE(starts_message(operation) || ends_message(operation));
  }
}

}  // namespace
}  // namespace railgauge::softroce
