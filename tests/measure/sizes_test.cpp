#include "measure/sizes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace railgauge::measure {
namespace {

TEST(Bandwidth, IsInUnitsOfABillionBytesPerSecond) {
  EXPECT_DOUBLE_EQ(algbw_gigabytes_per_second(1'000'000'000, 1e6), 1);
  EXPECT_DOUBLE_EQ(algbw_gigabytes_per_second(0, 5), 0);
}

/// A row that nccl-tests printed: 536870912 bytes, 2984.60 us, 179.88 GB/s, bus 356.01 GB/s, whose
/// factor of 1.979 is that of 96 ranks.
TEST(Bandwidth, IsThatOfNcclTests) {
  const double algbw = algbw_gigabytes_per_second(536'870'912, 2984.60);
  EXPECT_NEAR(algbw, 179.88, 0.005);
  EXPECT_NEAR(busbw_gigabytes_per_second(algbw, 2.0 * 95 / 96), 356.01, 0.005);
}

TEST(Bandwidth, RefusesATimeThatIsNotAboveZero) {
  EXPECT_THROW(algbw_gigabytes_per_second(8, 0), std::invalid_argument);
  EXPECT_THROW(algbw_gigabytes_per_second(8, -1), std::invalid_argument);
  EXPECT_THROW(algbw_gigabytes_per_second(8, std::numeric_limits<double>::quiet_NaN()),
               std::invalid_argument);
}

TEST(Sizes, ReadsBinarySuffixesInEitherCase) {
  EXPECT_EQ(parse_size("0"), 0U);
  EXPECT_EQ(parse_size("8"), 8U);
  EXPECT_EQ(parse_size("1.5K"), 1536U);
  EXPECT_EQ(parse_size("4M"), 4U << 20U);
  EXPECT_EQ(parse_size("4m"), 4U << 20U);
  EXPECT_EQ(parse_size("2g"), std::uint64_t{2} << 30U);
  EXPECT_EQ(parse_size("0.25k"), 256U);
  EXPECT_EQ(parse_size("8.0"), 8U);
}

TEST(Sizes, ReadsTheUnitsOfOtherTools) {
  EXPECT_EQ(parse_size("8B"), 8U);
  EXPECT_EQ(parse_size("1KiB"), 1024U);
  EXPECT_EQ(parse_size("1kiB"), 1024U);
  EXPECT_EQ(parse_size("1.5MB"), 3U << 19U);
  EXPECT_EQ(parse_size("1T"), std::uint64_t{1} << 40U);
  EXPECT_EQ(parse_size("0.5TiB"), std::uint64_t{1} << 39U);
}

TEST(Sizes, ReadsUpToTheLargestNumber) {
  EXPECT_EQ(parse_size("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_size("17179869183G"), std::uint64_t{17179869183} << 30U);
}

TEST(Sizes, RefusesWhatIsNotWhollyASize) {
  for (const std::string text : {"",
                                 "K",
                                 "-8",
                                 "+8",
                                 " 8",
                                 "8 ",
                                 "B",
                                 "8iB",
                                 "8Kb",
                                 "8BB",
                                 "8Ki",
                                 "8KK",
                                 "4P",
                                 "0.999999999T",
                                 "16777216T",
                                 "0x10",
                                 "1e3",
                                 "nan",
                                 "inf",
                                 ".5K",
                                 "1.K",
                                 "1..5K",
                                 "1,5K",
                                 "8\n",
                                 "1.3K",
                                 "0.5",
                                 "1.0000000001G",
                                 "1.0000000000K",
                                 "18446744073709551616",
                                 "17179869184G",
                                 "99999999999999999999999"}) {
    EXPECT_THROW(parse_size(text), std::invalid_argument) << "'" << text << "'";
  }
}

TEST(Sizes, QuotesWhatItRefuses) {
  try {
    parse_size("4X");
    FAIL() << "4X was read";
  } catch (const std::invalid_argument& refused) {
    EXPECT_EQ(std::string(refused.what()),
              "'4X' is not a size: write digits and K, M, G, T or nothing, as in 8, 1.5K, 4MiB");
  }
}

TEST(Sizes, AreFormattedShortAndExact) {
  EXPECT_EQ(format_size(0), "0");
  EXPECT_EQ(format_size(8), "8");
  EXPECT_EQ(format_size(1024), "1K");
  EXPECT_EQ(format_size(1536), "1536");
  EXPECT_EQ(format_size(4U << 20U), "4M");
  EXPECT_EQ(format_size(std::uint64_t{8} << 30U), "8G");
  EXPECT_EQ(format_size(std::uint64_t{2} << 40U), "2T");
}

TEST(Sizes, AreReadAsTheyAreFormatted) {
  for (std::uint64_t bytes = 1; bytes < UINT64_MAX / 3; bytes *= 3) {
    EXPECT_EQ(parse_size(format_size(bytes)), bytes);
  }
}

TEST(Sweep, GoesUpToItsEndAndNotBeyond) {
  EXPECT_EQ(sweep(8, 128, 4), (std::vector<std::uint64_t>{8, 32, 128}));
  EXPECT_EQ(sweep(8, 127, 4), (std::vector<std::uint64_t>{8, 32}));
  EXPECT_EQ(sweep(8, 8, 2), (std::vector<std::uint64_t>{8}));
}

TEST(Sweep, StopsBeforeItOverflows) {
  const auto sizes = sweep(1, UINT64_MAX, 2);
  EXPECT_EQ(sizes.size(), 64U);
  EXPECT_EQ(sizes.back(), std::uint64_t{1} << 63U);
}

TEST(Sweep, RefusesWhatNeverEndsOrNeverBegins) {
  EXPECT_THROW(sweep(8, 16, 0), std::invalid_argument);
  EXPECT_THROW(sweep(8, 16, 1), std::invalid_argument);
  EXPECT_THROW(sweep(0, 16, 2), std::invalid_argument);
  EXPECT_THROW(sweep(16, 8, 2), std::invalid_argument);
}

TEST(Steps, GoUpToTheEndAndNotBeyond) {
  EXPECT_EQ(steps(8, 24, 8), (std::vector<std::uint64_t>{8, 16, 24}));
  EXPECT_EQ(steps(8, 23, 8), (std::vector<std::uint64_t>{8, 16}));
  EXPECT_EQ(steps(0, 8, 8), (std::vector<std::uint64_t>{0, 8}));
  EXPECT_EQ(steps(8, 8, 8), (std::vector<std::uint64_t>{8}));
  EXPECT_EQ(steps(UINT64_MAX - 1, UINT64_MAX, 2), (std::vector<std::uint64_t>{UINT64_MAX - 1}));
}

TEST(Steps, RefuseWhatNeverEndsOrIsTooMuch) {
  EXPECT_THROW(steps(8, 16, 0), std::invalid_argument);
  EXPECT_THROW(steps(16, 8, 1), std::invalid_argument);
  EXPECT_THROW(steps(0, UINT64_MAX, 1), std::invalid_argument);
}

TEST(FoldedSizes, NamesThreeThatFollowEachOtherAsARange) {
  const std::vector<std::uint64_t> all{8, 16, 32, 64, 4096};
  EXPECT_EQ(folded_sizes({8, 16, 32, 4096}, all), "8-32, 4K");
  EXPECT_EQ(folded_sizes({16, 32}, all), "16, 32");
  EXPECT_EQ(folded_sizes({}, all), "");
}

}  // namespace

}  // namespace railgauge::measure
