#include "doctor/optics.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace railgauge::doctor {
namespace {

void put(std::string& bytes, std::size_t at, int word) {
  bytes[at] = static_cast<char>(static_cast<unsigned>(word) >> 8U & 0xffU);
  bytes[at + 1] = static_cast<char>(static_cast<unsigned>(word) & 0xffU);
}

constexpr std::size_t kHalf = 128;
constexpr int kDegree = 256;
constexpr int kMilliwatt = 10000;

/// QSFP28: 45.5 degrees, alarms at -5 and 75; one lane of four is dark.
ModuleMemory qsfp() {
  ModuleMemory memory{.lower = std::string(kHalf, '\0'), .upper = {{3, std::string(kHalf, '\0')}}};
  memory.lower[0] = 0x11;
  put(memory.lower, 22, 45 * kDegree + kDegree / 2);
  for (const std::size_t lane : {0U, 1U, 3U}) put(memory.lower, 34 + 2 * lane, kMilliwatt);
  for (const std::size_t lane : {0U, 1U, 2U, 3U}) put(memory.lower, 50 + 2 * lane, kMilliwatt / 10);
  std::string& limits = memory.upper[3];
  put(limits, 0, 75 * kDegree);
  put(limits, 2, -5 * kDegree);
  put(limits, 48, 2 * kMilliwatt);
  put(limits, 50, kMilliwatt / 10);
  put(limits, 64, 3 * kMilliwatt);
  put(limits, 66, kMilliwatt / 5);
  return memory;
}

/// OSFP: four of eight lanes are in use.
ModuleMemory osfp() {
  ModuleMemory memory{.lower = std::string(kHalf, '\0'),
                      .upper = {{2, std::string(kHalf, '\0')}, {0x11, std::string(kHalf, '\0')}}};
  memory.lower[0] = 0x19;
  put(memory.lower, 14, 60 * kDegree);
  put(memory.upper[2], 0, 80 * kDegree);
  put(memory.upper[2], 48, 3 * kMilliwatt);
  put(memory.upper[2], 50, kMilliwatt / 10);
  put(memory.upper[2], 64, 3 * kMilliwatt);
  put(memory.upper[2], 66, kMilliwatt / 10);
  std::string& lanes = memory.upper[0x11];
  lanes[0] = lanes[1] = 0x44;
  for (std::size_t lane = 0; lane < 4; ++lane) put(lanes, 26 + 2 * lane, kMilliwatt);
  for (std::size_t lane = 0; lane < 4; ++lane) put(lanes, 58 + 2 * lane, kMilliwatt / 2);
  return memory;
}

TEST(Optics, OfAQsfp28AreInItsLowerHalf) {
  EXPECT_EQ(pages_wanted(qsfp().lower), std::vector{3});
  const auto found = optics_of(qsfp());
  EXPECT_EQ(found.at("temperature"), "45.5 within -5 75");
  EXPECT_EQ(found.at("rx-power"), "0 0 -40 0 within -10 3.01");
  EXPECT_EQ(found.at("tx-power"), "-10 -10 -10 -10 within -6.99 4.77");
}

TEST(Optics, OfCmisAreOfLanesInUse) {
  EXPECT_EQ(pages_wanted(osfp().lower), (std::vector{2, 0x11}));
  const auto found = optics_of(osfp());
  EXPECT_EQ(found.at("temperature"), "60 within 0 80");
  EXPECT_EQ(found.at("rx-power"), "-3.01 -3.01 -3.01 -3.01 within -10 4.77");
  EXPECT_EQ(found.at("tx-power"), "0 0 0 0 within -10 4.77");
}

TEST(Optics, ACopperCableHasNone) {
  for (const int kind : {0x11, 0x19, 0x03, 0x00}) {
    ModuleMemory memory{.lower = std::string(kHalf, '\0')};
    memory.lower[0] = static_cast<char>(kind);
    memory.lower[2] = static_cast<char>(0x84);  // no upper pages
    EXPECT_TRUE(pages_wanted(memory.lower).empty()) << kind;
    EXPECT_TRUE(optics_of(memory).empty()) << kind;
  }
  ModuleMemory without_limits = qsfp();
  without_limits.upper[3].assign(kHalf, '\0');
  EXPECT_TRUE(optics_of(without_limits).empty());
}

TEST(Optics, WhatIsCutSaysNoMore) {
  ModuleMemory memory = osfp();
  memory.upper.erase(0x11);
  EXPECT_EQ(optics_of(memory).size(), 1U);
  for (std::size_t size = 0; size < kHalf; ++size) {
    memory = osfp();
    for (auto& [page, bytes] : memory.upper) bytes.resize(size);
    memory.lower.resize(size);
    static_cast<void>(optics_of(memory));
  }
  EXPECT_TRUE(optics_of({}).empty());
}

}  // namespace
}  // namespace railgauge::doctor
