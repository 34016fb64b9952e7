#include "experiments/congestion/link_rates.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace railgauge::runner {
namespace {

/// Between leaf0 and spine0 are two cables, of 25 and 100 Gb/s.
constexpr const char* kFabric = R"({"schema": "railgauge/fabric/1", "hosts": [{"name": "host0"}],
  "switches": [{"name": "leaf0"}, {"name": "spine0", "tier": 2}, {"name": "spine1", "tier": 2}],
  "links": [
    {"a": "host0", "a_port": "eth0", "b": "leaf0", "b_port": "h0", "rate_mbit_per_s": 50000},
    {"a": "leaf0", "a_port": "u0", "b": "spine0", "b_port": "d0", "rate_mbit_per_s": 100000},
    {"a": "spine0", "a_port": "d1", "b": "leaf0", "b_port": "u1", "rate_mbit_per_s": 25000},
    {"a": "leaf0", "a_port": "u2", "b": "spine1", "b_port": "d0"}]})";

TEST(LinkRates, AreThoseOfTheSlowestParallelLinkInBothDirections) {
  const auto rates = link_rates(kFabric, 50);
  EXPECT_EQ(rates, (std::map<congestion::Link, double>{{{"10.255.1.1", "10.255.2.1"}, 0.5},
                                                       {{"10.255.2.1", "10.255.1.1"}, 0.5},
                                                       {{"10.255.1.1", "10.255.2.2"}, 0.004},
                                                       {{"10.255.2.2", "10.255.1.1"}, 0.004}}));
}

TEST(LinkRates, OfNothingAreRefused) {
  for (const char* const rate : {" 0", " -25000", " 0.5"}) {
    std::string fabric = kFabric;
    fabric.replace(fabric.find(" 25000"), 6, rate);
    EXPECT_THROW((void)link_rates(fabric, 50), std::runtime_error) << rate;
  }
}

TEST(LinkRates, OfAnotherTextThereAreNone) {
  EXPECT_THROW((void)link_rates("{}", 50), std::runtime_error);
  EXPECT_THROW((void)link_rates("", 50), std::runtime_error);
  EXPECT_THROW((void)link_rates("leaf0 spine0", 50), std::runtime_error);
  EXPECT_THROW((void)link_rates(R"({"schema": "railgauge/fabric/1", "links": [{}]})", 50),
               std::runtime_error);
  EXPECT_THROW((void)link_rates(R"({"schema": "railgauge/fabric/1", "links": []})", 50),
               std::runtime_error);
  EXPECT_TRUE(link_rates(R"({"schema": "railgauge/fabric/1", "switches": [{"name": "leaf0"}]})", 50)
                  .empty());
}

}  // namespace
}  // namespace railgauge::runner
