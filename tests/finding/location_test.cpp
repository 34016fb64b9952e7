#include "finding/location.hpp"

#include <gtest/gtest.h>

#include "finding/places.hpp"

namespace railgauge::finding {
namespace {

TEST(LocationWords, NameThePlaceAndTheDirection) {
  EXPECT_EQ(in_words(Location{}), "fabric");
  EXPECT_EQ(in_words(port_of("host3", 1, Direction::transmit)), "host3 mlx5_1 (rail 1) TX");
  EXPECT_EQ(in_words(path_of("host0", "host1", 2)),
            "host0 mlx5_2 (rail 2) -> host1 mlx5_2 (rail 2)");
  EXPECT_EQ(in_words(Location{.scope = Scope::host, .at = {.host = "host3"}}), "host3");
  EXPECT_EQ(in_words(Location{.scope = Scope::rail, .at = {.rail = 2, .plane = 1}}),
            "rail 2 plane 1");
  EXPECT_EQ(in_words(Location{.scope = Scope::link, .switches = {"leaf0", ""}}), "link leaf0 -> ?");
  EXPECT_EQ(in_words(Location{.scope = Scope::cable, .switches = {"leaf0", "spine2"}}),
            "cable leaf0 - spine2");
  EXPECT_EQ(in_words(Location{.scope = Scope::link, .switches = {"leaf0", "spine2"}}),
            "link leaf0 -> spine2");
  EXPECT_EQ(in_words(Location{.scope = Scope::device,
                              .at = {.host = "vm", .device = "mlx5_1", .rail = 2}}),
            "vm mlx5_1 (rail 2)");
  EXPECT_EQ(in_words(Location{.scope = Scope::node, .switches = {"spine2"}}), "switch spine2");
}

TEST(LocationWords, NameASingleRankAndAPortThatIsNotTheFirst) {
  Location place = port_of("vm", 0);
  place.at.ranks = {2};
  EXPECT_EQ(in_words(place), "vm mlx5_0 (rail 0, rank 2)");
  EXPECT_EQ(key_of(place), "vm mlx5_0 (rail 0)");
  place.at.ranks = {2, 3};
  place.at.port = 2;
  EXPECT_EQ(in_words(place), "vm mlx5_0:2 (rail 0)");
}

TEST(Reaches, AHostReachesItsPortsAndThePathsThatEndThere) {
  const Location host{.scope = Scope::host, .at = {.host = "host0"}};
  EXPECT_TRUE(reaches(host, port_of("host0", 1)));
  EXPECT_TRUE(reaches(host, path_of("host1", "host0", 1)));
  EXPECT_FALSE(reaches(host, port_of("host1", 1)));
  EXPECT_FALSE(reaches(port_of("host0", 1), host));
}

TEST(Reaches, APortReachesOnlyItsOwnPaths) {
  EXPECT_TRUE(reaches(port_of("host0", 1), path_of("host0", "host1", 1)));
  EXPECT_TRUE(reaches(port_of("host1", 1), path_of("host0", "host1", 1)));
  EXPECT_FALSE(reaches(port_of("host0", 0), path_of("host0", "host1", 1)));
}

TEST(Reaches, ARailOfAHostReachesOnlyItsPathsThere) {
  const Location missing{.scope = Scope::port, .at = {.host = "host0", .rail = 1}};
  EXPECT_TRUE(reaches(missing, path_of("host0", "host1", 1)));
  EXPECT_FALSE(reaches(missing, path_of("host0", "host1", 0)));
}

TEST(Reaches, APathReachesItselfAndNotTheOtherDirection) {
  EXPECT_TRUE(reaches(path_of("host0", "host1", 1), path_of("host0", "host1", 1)));
  EXPECT_FALSE(reaches(path_of("host0", "host1", 1), path_of("host1", "host0", 1)));
}

TEST(Reaches, ALinkReachesPathsThatPassItInItsDirection) {
  const Location link{.scope = Scope::link, .switches = {"leaf0", "spine1"}};
  Location path = path_of("host0", "host1", 0);
  EXPECT_FALSE(reaches(link, path));  // its switches are not known
  path.switches = {"leaf0", "spine1", "leaf1"};
  EXPECT_TRUE(reaches(link, path));
  path.switches = {"leaf1", "spine1", "leaf0"};
  EXPECT_FALSE(reaches(link, path));
}

}  // namespace
}  // namespace railgauge::finding
