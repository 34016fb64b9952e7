#include "fabric/description_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/presets.hpp"

namespace railgauge::fabric::described {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

Fabric half() {
  return preset("oversubscribed-2", {.hosts = 4, .rails = 2, .spines = 2});
}

TEST(DescriptionTable, TellsEverySwitchAndLink) {
  const std::string table = description_table(half());
  EXPECT_TRUE(has(table,
                  "fabric oversubscribed-2: 4 hosts, 12 links, 2 switches of tier 1, "
                  "2 switches of tier 2"));
  EXPECT_TRUE(has(table,
                  "leaf0   1     -     0    10.255.1.1  ecmp     4 of 800 Mbit/s  "
                  "2 of 400 Mbit/s  2:1"));
  EXPECT_TRUE(has(table, "host3  rail1   10.11.0.4/24  leaf1   host3-1"));
  EXPECT_EQ(count(table, "\n  spine"), 2U);
}

TEST(DescriptionTable, ComparesBandwidthDelayAndBuffer) {
  // Up and down two tiers: 8 links of 5 us; 200 Mbit/s are 25 bytes a microsecond.
  EXPECT_TRUE(has(description_table(half()),
                  "200 Mbit/s x 40 us of propagation = 1000 B; buffer of a switch: "
                  "524288 B = 20.9715 ms of a host's port"));
}

TEST(DescriptionSvg, DrawsEveryNodeAndLink) {
  Fabric fabric = half();
  fabric.name = "a<b";
  const std::string picture = description_svg(fabric);
  EXPECT_EQ(count(picture, "<line "), fabric.links.size());
  EXPECT_EQ(count(picture, "class='node'"), 4U);
  EXPECT_EQ(count(picture, "class='device'"), 4U);
  EXPECT_TRUE(has(picture, "host3.rail1 - leaf1.host3-1, 200 Mbit/s, 5 us, MTU 4200"));
  EXPECT_TRUE(has(picture, "a&lt;b"));
  EXPECT_FALSE(has(picture, "a<b"));
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace railgauge::fabric::described
