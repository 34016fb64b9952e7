#include "finding/ranking.hpp"

#include <gtest/gtest.h>

#include "finding/places.hpp"

namespace railgauge::finding {
namespace {

TEST(Ranked, CausesComeBeforeWhatTheyExplain) {
  const Finding slow = found("pairs", Cause::bandwidth, path_of("host0", "host1", 1));
  const Finding loss = found("diagnosis", Cause::packet_loss, port_of("host1", 1));
  const auto all = ranked({slow, loss});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].cause, Cause::packet_loss);
  EXPECT_EQ(all[1].explained_by, id_of(loss));
}

TEST(Ranked, AFaultElsewhereExplainsNothing) {
  const Finding slow = found("pairs", Cause::bandwidth, path_of("host0", "host1", 1));
  const Finding loss = found("diagnosis", Cause::packet_loss, port_of("host2", 1));
  for (const Finding& one : ranked({slow, loss})) EXPECT_EQ(one.explained_by, "");
}

TEST(Ranked, ASuspicionExplainsNothing) {
  Finding loss = found("diagnosis", Cause::packet_loss, port_of("host1", 1));
  loss.certainty = Certainty::possible;
  const auto all = ranked({found("pairs", Cause::bandwidth, path_of("host0", "host1", 1)), loss});
  EXPECT_EQ(all[0].cause, Cause::bandwidth);
  EXPECT_EQ(all[0].explained_by, "");
}

TEST(Ranked, OnePlaceAndCauseOfTwoChecksIsOneFinding) {
  Finding one = found("pairs", Cause::packet_loss, port_of("host1", 1));
  one.certainty = Certainty::possible;
  one.excuses = {"not retested"};
  one.evidence = {{.metric = "lost packets", .observed = 3}};
  Finding other = found("soak", Cause::packet_loss, port_of("host1", 1));
  other.evidence = {{.metric = "lost packets", .observed = 5}};
  const auto all = ranked({one, other});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].check, "pairs+soak");
  EXPECT_EQ(ranked({one, other, other, one}).at(0).check, "pairs+soak") << "each once";
  Finding part = one;
  part.check = "pair";
  EXPECT_EQ(ranked({one, part}).at(0).check, "pairs+pair");
  EXPECT_EQ(all[0].certainty, Certainty::likely);
  EXPECT_EQ(all[0].evidence.size(), 2U);
  EXPECT_TRUE(all[0].excuses.empty());
}

TEST(Ranked, ErrorsComeBeforeWarningsAndWhatWasClearedIsLast) {
  Finding cleared = found("isolation", Cause::bandwidth, port_of("host1", 0));
  cleared.certainty = Certainty::cleared;
  const Finding warning = found("topology", Cause::firmware, port_of("host1", 1));
  const Finding error = found("topology", Cause::link_speed, port_of("host1", 2));
  const auto all = ranked({cleared, warning, error});
  EXPECT_EQ(all[0].cause, Cause::link_speed);
  EXPECT_EQ(all[1].cause, Cause::firmware);
  EXPECT_EQ(all[2].cause, Cause::bandwidth);
}

TEST(Grouped, PortsOfAHostWithTheSameFaultAreOneSentence) {
  std::vector<Finding> findings;
  for (const int rail : {0, 1, 2}) {
    findings.push_back(found("topology", Cause::link_speed, port_of("host3", rail)));
    findings.back().detail = "link runs at 100 Gb/s, others at 400 Gb/s";
  }
  findings.push_back(findings[0]);
  findings.back().where = port_of("host4", 0);
  const auto groups = grouped(findings);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(headline(groups[0]),
            "host3 mlx5_0, mlx5_1 and mlx5_2 (rails 0 to 2): link runs at 100 Gb/s, others at 400 "
            "Gb/s");
  EXPECT_EQ(headline(groups[1]),
            "host4 mlx5_0 (rail 0): link runs at 100 Gb/s, others at 400 Gb/s");
}

TEST(Grouped, OtherFiguresAreAnotherSentence) {
  Finding one = found("topology", Cause::link_speed, port_of("host3", 0));
  Finding other = found("topology", Cause::link_speed, port_of("host3", 1));
  one.detail = "link runs at 100 Gb/s";
  other.detail = "link runs at 200 Gb/s";
  EXPECT_EQ(grouped({one, other}).size(), 2U);
}

TEST(Grouped, FoldsRailsToo) {
  std::vector<Finding> findings;
  for (const int rail : {0, 1})
    findings.push_back(found("topology", Cause::mtu, {.scope = Scope::rail, .at = {.rail = rail}}));
  const auto groups = grouped(ranked(findings));
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(headline(groups[0]), "rails 0 and 1: different MTU");
}

TEST(Grouped, OfNicsThatAreNotThereNamesTheRails) {
  std::vector<Finding> findings;
  for (const int rail : {0, 1}) {
    findings.push_back(found("topology", Cause::missing_rail,
                             {.scope = Scope::port, .at = {.host = "host3", .rail = rail}}));
  }
  EXPECT_EQ(headline(grouped(ranked(findings)).at(0)), "host3 (rails 0 and 1): missing rail");
}

TEST(Grouped, PlacesOfTheSameRanksNameThem) {
  const auto on = [](int rail, int rank) {
    return found("transport", Cause::unreachable,
                 {.scope = Scope::port, .at = {.host = "host3", .rail = rail, .ranks = {rank}}});
  };
  EXPECT_EQ(headline(grouped({on(0, 2), on(1, 2)}).at(0)),
            "host3 (rails 0 and 1, rank 2): unreachable");
  EXPECT_EQ(headline(grouped({on(0, 2), on(1, 3)}).at(0)), "host3 (rails 0 and 1): unreachable");
}

TEST(RailsText, FoldsARow) {
  EXPECT_EQ(rails_text({3}), "rail 3");
  EXPECT_EQ(rails_text({3, 2}), "rails 2 and 3");
  EXPECT_EQ(rails_text({0, 1, 2, 3}), "rails 0 to 3");
  EXPECT_EQ(rails_text({0, 2, 5}), "rails 0, 2 and 5");
}

Endpoint plane_of(int rail, int plane) {
  return {.rail = rail, .plane = plane};
}

TEST(RailsText, NamesPlanes) {
  EXPECT_EQ(rails_and_planes({{}}), "");
  EXPECT_EQ(rails_and_planes({{.rail = 3}, {.rail = 4}}), "rails 3 and 4");
  EXPECT_EQ(rails_and_planes({plane_of(3, 1)}), "rail 3 plane 1");
  EXPECT_EQ(rails_and_planes({plane_of(3, 0), plane_of(3, 1)}), "rail 3 planes 0 and 1");
  EXPECT_EQ(rails_and_planes({plane_of(3, 2), plane_of(4, 2)}), "plane 2 of rails 3 and 4");
  EXPECT_EQ(rails_and_planes({plane_of(3, 0), plane_of(4, 1)}),
            "rail 3 plane 0 and rail 4 plane 1");
}

}  // namespace
}  // namespace railgauge::finding
