#include "results/collective.hpp"

#include <gtest/gtest.h>

#include "results/document_codec.hpp"
#include "results/sweep_point.hpp"
#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(CollectiveRow, HoldsWhatWasChosenAndWhatWasMeasured) {
  CollectiveRow row = rows_of(ok_document())[0];
  row.out_of_place.reset();
  row.in_place.reset();
  EXPECT_EQ(
      encode(row).dump(),
      R"({"size_bytes":1048576,"count":262144,"type":"float","op":"sum",)"
      R"("algorithm":"ring","root":-1,"rails":[0,1],"own_rails":false,"queue_pairs":1,"chunk_bytes":131072,)"
      R"("traffic_class":0,"unreduced":false,"memory":"host","split":"","cycle":0,"measured":"2026-03-01T12:00:01Z","predictions":[],)"
      R"("out_of_place":null,"in_place":null,"events":[],"edges":[],"rank_loads":[]})");
}

CollectiveRow row(std::vector<unsigned> rails, std::uint64_t bytes, double busbw) {
  CollectiveRow made{.size_bytes = bytes,
                     .type = "float",
                     .algorithm = "ring",
                     .point = {.rails = std::move(rails)}};
  made.out_of_place = Measurement{.busbw_gigabytes_per_second = busbw};
  return made;
}

TEST(CollectiveRow, SaysWhatShareOfItsIterationsWasVerified) {
  std::vector<CollectiveRow> rows{row({0}, 4096, 9), row({0}, 8192, 9)};
  EXPECT_EQ(verified_share(rows), "");
  rows[0].out_of_place->time.n = 20;
  rows[0].out_of_place->verified_iterations = 1;
  rows[1].in_place = Measurement{};
  rows[1].in_place->time.n = 20;
  EXPECT_EQ(verified_share(rows), "1 of 40 timed iterations (2.5 %)");
  rows[1].in_place->verified_iterations = 20;
  EXPECT_EQ(verified_share(rows), "21 of 40 timed iterations (52.5 %)");
}

TEST(RailSum, IsOfTheLargestSizeThatAllHave) {
  const std::vector<CollectiveRow> rows{
      row({0, 1}, 4096, 9), row({0, 1}, 8192, 15), row({0, 1}, 16384, 20), row({0}, 4096, 5),
      row({0}, 8192, 10),   row({1}, 4096, 5),     row({1}, 8192, 10)};
  const std::vector<RailSum> sums = rail_sums(rows);
  ASSERT_EQ(sums.size(), 1U);
  EXPECT_EQ(sums[0].together, &rows[1]);
  EXPECT_DOUBLE_EQ(sums[0].alone_gigabytes_per_second, 20);
  EXPECT_DOUBLE_EQ(sums[0].together_gigabytes_per_second, 15);
  EXPECT_EQ(line_of(sums[0]),
            "# Rails 0+1, ring, 8192 bytes: 15.00 GB/s together, 20.00 the sum of each by itself: "
            "75 %, they share something, or wait for the slowest of them\n");
}

TEST(RailSum, SaysNothingOfABottleneckWhereNoneShows) {
  const std::vector<CollectiveRow> rows{row({0, 1}, 8, 19), row({0}, 8, 10), row({1}, 8, 10)};
  EXPECT_EQ(line_of(rail_sums(rows).at(0)),
            "# Rails 0+1, ring, 8 bytes: 19.00 GB/s together, 20.00 the sum of each by itself: "
            "95 %\n");
}

TEST(RailSum, IsOfTheLargestSizeWhereAlgorithmsWereChosenBySize) {
  std::vector<CollectiveRow> rows{row({0, 1}, 8, 9),   row({0}, 8, 9),   row({1}, 8, 9),
                                  row({0, 1}, 64, 19), row({0}, 64, 10), row({1}, 64, 10)};
  for (std::size_t i = 0; i < 3; ++i) rows[i].algorithm = "direct";
  ASSERT_EQ(rail_sums(rows).size(), 1U);
  EXPECT_EQ(rail_sums(rows)[0].together, &rows[3]);
  for (std::size_t i = 0; i < 3; ++i) rows[i].size_bytes = 64;
  EXPECT_EQ(rail_sums(rows).size(), 2U) << "they were compared";
}

TEST(RailSum, ComparesOnlyWhatIsAlike) {
  std::vector<CollectiveRow> rows{row({0, 1}, 8, 19), row({0}, 8, 10), row({1}, 8, 10)};
  rows[2].point.queue_pairs = 4;
  EXPECT_TRUE(rail_sums(rows).empty());
  rows[2].point.queue_pairs = 1;
  rows[0].point.own_rails = true;
  EXPECT_TRUE(rail_sums(rows).empty());
  rows[0].point.own_rails = false;
  rows[1].out_of_place.reset();
  EXPECT_TRUE(rail_sums(rows).empty());
}

TEST(SweepPoint, IsNamedByWhatVaries) {
  const SweepPoint one{.rails = {0}, .chunk_bytes = 65536};
  const SweepPoint more{.rails = {0}, .queue_pairs = 4, .chunk_bytes = 65536, .traffic_class = 104};
  const SweepPoint both{.rails = {0, 1}, .chunk_bytes = 131072, .root = 2};
  EXPECT_EQ(in_words(one, {one}), "");
  EXPECT_EQ(in_words(one, {one, more}), "1 queue pair, traffic class 0");
  EXPECT_EQ(in_words(more, {one, more}), "4 queue pairs, traffic class 104");
  EXPECT_EQ(in_words(one, {one, both}), "rail 0, chunks of 64K, root -1");
  EXPECT_EQ(in_words(both, {one, both}), "rails 0+1, chunks of 128K, root 2");
  SweepPoint own = both;
  own.own_rails = true;
  EXPECT_EQ(in_words(own, {own, both}), "own rails");
  SweepPoint unreduced = one;
  unreduced.unreduced = true;
  EXPECT_EQ(in_words(unreduced, {unreduced}), kUnreduced) << "said even if it does not vary";
  EXPECT_EQ(in_words(one, {one, unreduced}), "");
}

TEST(SweepPoint, SaysItsRails) {
  EXPECT_EQ(rails_of({.rails = {0, 2}}), "0+2");
  EXPECT_EQ(rails_of({.rails = {0, 2}, .own_rails = true}), "own");
}

/// Rows of these cycles, in this order.
std::vector<CollectiveRow> rows_of_cycles(const std::vector<std::uint64_t>& cycles) {
  std::vector<CollectiveRow> rows;
  for (const std::uint64_t cycle : cycles) rows.push_back({.size_bytes = 8, .cycle = cycle});
  return rows;
}

std::vector<std::uint64_t> cycles_left(std::vector<CollectiveRow> rows, std::size_t most) {
  forget_oldest_cycles(rows, most);
  std::vector<std::uint64_t> cycles;
  for (const CollectiveRow& row : rows) cycles.push_back(row.cycle);
  return cycles;
}

TEST(ForgetOldestCycles, KeepsTheLastWholeOnes) {
  const auto rows = rows_of_cycles({0, 0, 1, 1, 2, 2});
  EXPECT_EQ(cycles_left(rows, 6), (std::vector<std::uint64_t>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(cycles_left(rows, 5), (std::vector<std::uint64_t>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(cycles_left(rows, 4), (std::vector<std::uint64_t>{1, 1, 2, 2}));
  EXPECT_EQ(cycles_left(rows, 1), (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(cycles_left({}, 1), std::vector<std::uint64_t>{});
  EXPECT_EQ(cycles_left(rows_of_cycles({7, 7, 7}), 1), (std::vector<std::uint64_t>{7, 7, 7}));
}

TEST(ForgetOldestCycles, BoundsARunThatNeverEnds) {
  std::vector<CollectiveRow> rows;
  std::size_t most = 0;
  for (std::uint64_t cycle = 0; cycle < 1000; ++cycle) {
    for (int size = 0; size < 3; ++size) rows.push_back({.size_bytes = 8, .cycle = cycle});
    forget_oldest_cycles(rows, 50);
    most = std::max(most, rows.size());
  }
  EXPECT_EQ(most, 51U);
  EXPECT_EQ(rows.back().cycle, 999U);
}

}  // namespace
}  // namespace railgauge::results
