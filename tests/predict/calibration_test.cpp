#include "predict/calibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "fabric/sizing.hpp"

namespace railgauge::predict {
namespace {

constexpr double kAlphaUs = 7;
constexpr double kGigabytesPerSecond = 40;  // of 49 that 400G carry
constexpr double kGammaUsPerByte = 8e-6;

/// Closed forms of Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005; `ranks` is a power of two.
double closed_form_us(const std::string& algorithm, double ranks, double bytes) {
  const double beta = 1 / (1000 * kGigabytesPerSecond);
  if (algorithm == "ring") {
    return 2 * (ranks - 1) * kAlphaUs + (ranks - 1) / ranks * bytes * (2 * beta + kGammaUsPerByte);
  }
  return std::log2(ranks) * (kAlphaUs + bytes * (beta + kGammaUsPerByte));
}

using Distortion = std::function<double(std::uint64_t bytes)>;

MeasuredRun run_of(fabric::Count hosts, const Distortion& distortion = {}) {
  MeasuredRun run;
  run.scenario.fabric = fabric::sized({.hosts = hosts, .nics = 1}).fabric;
  run.scenario.ranks = {.hosts = hosts, .per_host = 1};
  run.scenario.algorithms = {"ring", "doubling"};
  for (std::uint64_t bytes = 64; bytes <= 1U << 26U; bytes *= 4)
    run.scenario.sizes.push_back(bytes);
  for (const std::string& algorithm : run.scenario.algorithms) {
    for (const std::uint64_t bytes : run.scenario.sizes) {
      const double time_us =
          closed_form_us(algorithm, fabric::real(hosts), static_cast<double>(bytes));
      run.times.push_back({algorithm, bytes, time_us * (distortion ? distortion(bytes) : 1)});
    }
  }
  return run;
}

TEST(Calibration, RecoversKnownCoefficients) {
  const Calibration found = calibrated({run_of(4), run_of(16)});
  EXPECT_NEAR(found.latencies.network_us, kAlphaUs, 1e-6);
  EXPECT_NEAR(found.latencies.inside_us, kAlphaUs / 2, 1e-6);  // the ratio of the defaults
  EXPECT_NEAR(found.slowdown, 50 * fabric::payload_fraction() / kGigabytesPerSecond, 1e-6);
  EXPECT_TRUE(found.reduction_known);
  EXPECT_NEAR(found.reduce_us_per_byte, kGammaUsPerByte, 1e-10);
  EXPECT_LT(found.size_left_out.worst, 1e-6);
  ASSERT_TRUE(found.ranks_left_out);
  EXPECT_LT(found.ranks_left_out->worst, 1e-6);
  EXPECT_EQ(why_unfit(found), "");
}

TEST(Calibration, PredictsOtherRanksAndSizes) {
  Scenario scenario = run_of(64).scenario;
  scenario.algorithms = {"ring"};
  scenario.sizes = {1U << 30U};
  apply(calibrated({run_of(4), run_of(16)}), scenario);
  const Forecast forecast = predicted(scenario);
  const double time_us = closed_form_us("ring", 64, 1U << 30U);
  EXPECT_NEAR(forecast.rows.at(0).time_us, time_us, 1e-6 * time_us);
  EXPECT_NE(as_text(forecast).find("(calibrated)"), std::string::npos);
  EXPECT_NE(as_text(forecast).find("Band: the calibration's worst error"), std::string::npos);
}

TEST(Calibration, OfAnotherAlgorithmIsRefused) {
  MeasuredRun run = run_of(4);
  run.scenario.algorithms.emplace_back("no such");
  EXPECT_THROW(static_cast<void>(calibrated({run})), std::invalid_argument);
}

TEST(Calibration, OfNoisyRowsSaysItsErrors) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> noise(0.95, 1.05);
  const Distortion distortion = [&](std::uint64_t /*bytes*/) { return noise(random); };
  const Calibration found = calibrated({run_of(4, distortion), run_of(16, distortion)});
  EXPECT_NEAR(found.latencies.network_us, kAlphaUs, 0.05 * kAlphaUs);
  EXPECT_GT(found.fitted.median, 0.001);
  EXPECT_LT(found.size_left_out.p90, 0.1);
  EXPECT_GE(found.size_left_out.worst, found.fitted.median);
  EXPECT_EQ(why_unfit(found), "");
  Scenario scenario = run_of(4).scenario;
  scenario.sizes = {1U << 20U};
  apply(found, scenario);
  const Prediction row = predicted(scenario).rows.at(0);
  const double worst = std::max(found.size_left_out.worst, found.ranks_left_out->worst);
  EXPECT_NEAR(row.most_us / row.time_us, 1 + worst, 1e-9);
  EXPECT_NEAR(row.time_us / row.least_us, 1 + worst, 1e-9);
}

TEST(Calibration, SaysWhatIsBeyondIt) {
  const Calibration found = calibrated({run_of(4), run_of(16)});
  Scenario scenario = run_of(16).scenario;
  scenario.sizes = {64, 1U << 26U};
  EXPECT_EQ(beyond(found, scenario), "");
  scenario.ranks.hosts = 64;
  scenario.sizes = {8, 1U << 30U};
  EXPECT_EQ(beyond(found, scenario),
            "Beyond the calibration, where its error is not known: 64 ranks (measured: 4 to 16), "
            "sizes of 8 to 1073741824 B (measured: 64 to 67108864).");
}

TEST(Calibration, OfAKinkIsRefused) {
  const Distortion half = [](std::uint64_t bytes) { return bytes > 1U << 18U ? 2.0 : 1.0; };
  const std::string why = why_unfit(calibrated({run_of(4, half)}));
  EXPECT_NE(why.find("for a size that it has not seen, and the limit is 15 %"), std::string::npos)
      << why;
}

TEST(Calibration, OfRanksThatDoNotScaleIsRefused) {
  const Distortion twice = [](std::uint64_t /*bytes*/) { return 2.0; };
  const std::string why = why_unfit(calibrated({run_of(4), run_of(16, twice)}));
  EXPECT_NE(why.find("that it has not seen"), std::string::npos) << why;
}

TEST(Calibration, OfOneNumberOfRanksDoesNotKnowTheErrorOfOthers) {
  const Calibration found = calibrated({run_of(4)});
  EXPECT_FALSE(found.ranks_left_out);
  EXPECT_NE(as_text(found).find("UNKNOWN: all rows are of the same number of ranks"),
            std::string::npos);
  EXPECT_TRUE(as_json(found)["error_without_ranks"].is_null());
}

TEST(Calibration, OfRingsAloneDoesNotTellReductionFromMoving) {
  MeasuredRun run = run_of(4);
  std::erase_if(run.times, [](const MeasuredTime& time) { return time.algorithm != "ring"; });
  const Calibration found = calibrated({run});
  EXPECT_FALSE(found.reduction_known);
  EXPECT_LT(found.fitted.worst, 1e-6);  // it is within beta
  EXPECT_TRUE(as_json(found)["nanoseconds_per_reduced_byte"].is_null());
}

TEST(Calibration, OfTooFewRowsIsRefused) {
  MeasuredRun run = run_of(4);
  run.times.resize(4);
  EXPECT_THROW(static_cast<void>(calibrated({run})), std::invalid_argument);
  run = run_of(4);
  std::erase_if(run.times, [](const MeasuredTime& time) { return time.bytes > 1024; });
  EXPECT_EQ(run.times.size(), 6);  // three sizes
  EXPECT_THROW(static_cast<void>(calibrated({run})), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::predict
