// What it takes one of very many ranks to know all others, who are simulated: messages, and memory.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cluster/fabric.hpp"
#include "cluster/rank_info.hpp"
#include "executor/counted_allocations.hpp"

namespace railgauge::cluster {
namespace {

constexpr std::size_t kRails = 8;
constexpr std::size_t kRanksPerHost = 8;
constexpr std::size_t kMebibyte = std::size_t{1024} * 1024;

verbs::Port port(std::uint8_t rail, std::uint8_t host) {
  verbs::Port one{.device = "mlx5_" + std::to_string(rail), .mtu_bytes = 4096, .gbps = 400};
  one.gid = verbs::GidEntry{.index = 3, .type = verbs::GidType::roce_v2, .netdev = "net"};
  const std::array<std::uint8_t, 6> address{0xff, 0xff, 10, rail, 0, host};
  std::copy(address.begin(), address.end(), one.gid->gid.begin() + 10);
  one.gid->netdev += std::to_string(rail);
  return one;
}

LocalHost host(std::size_t number) {
  LocalHost one;
  for (std::uint8_t rail = 0; rail < kRails; ++rail)
    one.ports.push_back(port(rail, static_cast<std::uint8_t>(number + 1)));
  return one;
}

std::string name(std::size_t host) {
  return "host" + std::to_string(host);
}

/// Ranks that say what `all` has, whatever this one does: rank 0.
class Answering final : public transport::Exchange {
 public:
  explicit Answering(std::vector<transport::Bytes> all) : all_(std::move(all)) {}

  [[nodiscard]] transport::Rank rank() const override { return 0; }
  [[nodiscard]] transport::Rank ranks() const override {
    return static_cast<transport::Rank>(all_.size());
  }
  std::vector<transport::Bytes> all_gather(std::span<const std::byte> own) override {
    ++exchanges;
    sent += own.size();
    return all_;
  }
  std::vector<transport::Bytes> exchange_with(std::span<const transport::Rank>,
                                              std::span<const transport::Bytes>) override {
    throw std::logic_error("hosts are gathered, not exchanged among neighbours");
  }

  std::size_t exchanges = 0;
  std::size_t sent = 0;  // bytes

 private:
  std::vector<transport::Bytes> all_;
};

struct Cost {
  std::size_t exchanges = 0;
  std::size_t sent = 0;         // bytes
  std::size_t allocations = 0;  // which work makes
  std::size_t most_bytes = 0;
};

Cost of(std::size_t ranks) {
  std::vector<transport::Bytes> all;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::size_t on = rank / kRanksPerHost;
    RankInfo info = own_rank_info(name(on), host(on));
    for (topology::Nic& nic : info.host.rails) nic.prefix_length = 24;
    all.push_back(bytes_of(info));
  }
  Answering exchange(std::move(all));
  LocalHost own = host(0);
  const std::size_t bytes = allocated_bytes();
  const std::size_t before = allocations();
  count_most();
  const Fabric fabric = gather_fabric(exchange, name(0), own, {}, Mismatch::fail);
  EXPECT_EQ(fabric.ranks.size(), ranks);
  return {exchange.exchanges, exchange.sent, allocations() - before,
          most_allocated_bytes() - bytes};
}

TEST(StartCost, GrowsNoFasterThanTheRanks) {
  static_cast<void>(of(kRanksPerHost));  // what is allocated once
  const Cost few = of(128);
  const Cost many = of(1024);
  EXPECT_EQ(many.exchanges, few.exchanges);
  EXPECT_EQ(many.sent, few.sent) << "of what a rank says of itself";
  EXPECT_LE(many.allocations, 9 * few.allocations);
  EXPECT_LE(many.most_bytes, 9 * few.most_bytes);
  EXPECT_LE(many.most_bytes, 64 * kMebibyte);
}

}  // namespace
}  // namespace railgauge::cluster
