#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <net/if.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "softroce/verbs/calls.hpp"

namespace railgauge::softroce {
namespace {

class Gids : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(context_, nullptr);
    ibv_port_attr port{};
    ASSERT_EQ(calls::query_port(context_, 1, &port), 0);
    entries_.resize(static_cast<std::size_t>(port.gid_tbl_len));
    ASSERT_EQ(calls::query_gid_table(context_, entries_.data(), entries_.size()),
              static_cast<ssize_t>(entries_.size()));
    domain_ = calls::alloc_pd(context_);
  }
  void TearDown() override {
    EXPECT_EQ(calls::dealloc_pd(domain_), 0);
    EXPECT_EQ(calls::close_device(context_), 0);
  }

  /// 0, or the errno of an address handle from the GID at `index` to `to`.
  int reach(const ibv_gid& to, std::uint8_t index) {
    ibv_ah_attr attributes{};
    attributes.is_global = 1;
    attributes.port_num = 1;
    attributes.grh.sgid_index = index;
    attributes.grh.dgid = to;
    ibv_ah* const handle = calls::create_ah(domain_, &attributes);
    const int error = handle == nullptr ? errno : 0;
    if (handle != nullptr) calls::destroy_ah(handle);
    return error;
  }

  ibv_context* const context_ = calls::open_device(calls::devices().front());
  ibv_pd* domain_ = nullptr;
  std::vector<ibv_gid_entry> entries_;
};

std::string line(const std::string& name, std::size_t index) {
  std::ifstream file("/sys/class/infiniband/soft0/ports/1/" + name + "/" + std::to_string(index));
  std::string text;
  std::getline(file, text);
  return text;
}

std::string text_of(const ibv_gid& gid) {
  std::array<char, 40> text{};
  const auto* const raw = gid.raw;
  for (std::size_t i = 0; i < 16; i += 2) {
    std::snprintf(&text.at(i / 2 * 5), 6, "%02x%02x%s", raw[i], raw[i + 1], i < 14 ? ":" : "");
  }
  return text.data();
}

ibv_gid parse(const char* address) {
  ibv_gid gid{};
  EXPECT_EQ(inet_pton(AF_INET6, address, gid.raw), 1);
  return gid;
}

TEST_F(Gids, AreTheSameWhereverAProgramLooks) {
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    const ibv_gid_entry& entry = entries_[index];
    EXPECT_EQ(entry.gid_index, index);
    EXPECT_EQ(entry.port_num, 1U);
    ibv_gid_entry alone{};
    ASSERT_EQ(calls::query_gid_ex(context_, 1, index, &alone), 0);
    EXPECT_EQ(std::memcmp(&alone, &entry, sizeof entry), 0);
    ibv_gid gid{};
    ASSERT_EQ(calls::query_gid(context_, 1, static_cast<int>(index), &gid), 0);
    EXPECT_EQ(text_of(gid), text_of(entry.gid));
    EXPECT_EQ(line("gids", index), text_of(entry.gid));
    const bool v2 = entry.gid_type == IBV_GID_TYPE_ROCE_V2;
    int type = -1;
    ASSERT_EQ(calls::query_gid_type(context_, 1, index, &type), 0);
    EXPECT_EQ(type, v2 ? 1 : 0);
    EXPECT_EQ(line("gid_attrs/types", index), v2 ? "RoCE v2" : "IB/RoCE v1");
    EXPECT_EQ(if_nametoindex(line("gid_attrs/ndevs", index).c_str()), entry.ndev_ifindex);
  }
  EXPECT_EQ(line("gids", entries_.size()), "");
}

TEST_F(Gids, NoneIsBeyondTheTable) {
  const auto beyond = static_cast<std::uint32_t>(entries_.size());
  ibv_gid_entry entry{};
  EXPECT_EQ(calls::query_gid_ex(context_, 1, beyond, &entry), EINVAL);
  EXPECT_EQ(calls::query_gid_ex(context_, 2, 0, &entry), EINVAL);
  EXPECT_EQ(calls::query_gid(context_, 1, -1, &entry.gid), -1);
  EXPECT_EQ(calls::query_gid_table(context_, entries_.data(), entries_.size() - 1), -EINVAL);
  EXPECT_EQ(reach(entries_[0].gid, static_cast<std::uint8_t>(beyond)), EINVAL);
}

TEST_F(Gids, RoceV2OnesReachAndAreReached) {
  for (const ibv_gid_entry& from : entries_) {
    const bool v2 = from.gid_type == IBV_GID_TYPE_ROCE_V2;
    for (const ibv_gid_entry& to : entries_) {
      const int error = reach(to.gid, static_cast<std::uint8_t>(from.gid_index));
      EXPECT_EQ(error, v2 ? 0 : EOPNOTSUPP) << from.gid_index << " " << to.gid_index;
    }
  }
}

TEST_F(Gids, ALinkLocalGidOfAnotherKindHasNoAddress) {
  EXPECT_EQ(reach(parse("fe80::202:c9ff:fe12:3456"), 1), EHOSTUNREACH);
  EXPECT_EQ(reach(parse("fd00::1"), 0), EHOSTUNREACH);
}

TEST_F(Gids, TheSpeedIsInHundredsOfMegabits) {
  std::uint64_t speed = 0;
  EXPECT_EQ(calls::query_port_speed(context_, 1, &speed), 0);
  EXPECT_EQ(speed, 400U);
  EXPECT_EQ(calls::query_port_speed(context_, 2, &speed), EINVAL);
}

}  // namespace
}  // namespace railgauge::softroce
