#include <gtest/gtest.h>

#include "random_program.hpp"

namespace railgauge::softroce {
namespace {

// With so long a time-out nothing may fail, whatever is lost.
Options patient(ibv_mtu mtu, std::size_t memory_bytes) {
  Options options;
  options.mtu = mtu;
  options.memory_bytes = memory_bytes;
  options.timeout = 20;
  options.not_ready_timer = 1;
  return options;
}

std::uint64_t sent_again = 0;  // by all programs of the last run

void run_programs(std::uint64_t first_seed, unsigned programs, const Options& base,
                  const Weather& weather) {
  sent_again = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + programs; ++seed) {
    Options options = base;
    options.reads = static_cast<std::uint8_t>(1 + seed % 5);
    options.shared_receives = seed % 3 == 0;
    options.first_psn = static_cast<Psn>(0xffffc0 + seed % 64);
    RandomProgram program(seed, options, weather);
    ASSERT_EQ(program.run(), "") << "seed " << seed;
    sent_again += program.pair().client_host.port.counters.retransmitted_pkts;
  }
}

TEST(RandomPrograms, OnASoundWire) {
  run_programs(1, 400, patient(IBV_MTU_256, 48 * 1024), {});
}

TEST(RandomPrograms, WithOneLostInAHundred) {
  run_programs(1000, 800, patient(IBV_MTU_256, 48 * 1024), {0.01, 0.01, 0.01});
}

TEST(RandomPrograms, WithOneLostInTen) {
  run_programs(2000, 800, patient(IBV_MTU_256, 48 * 1024), {0.1, 0.02, 0.02});
}

TEST(RandomPrograms, WithThreeLostInTen) {
  run_programs(3000, 400, patient(IBV_MTU_256, 48 * 1024), {0.3, 0.05, 0.05});
}

TEST(RandomPrograms, WithMuchReorderedAndDoubled) {
  run_programs(4000, 800, patient(IBV_MTU_512, 48 * 1024), {0, 0.2, 0.2});
}

TEST(RandomPrograms, SprayedOverSeveralPaths) {
  Options options = patient(IBV_MTU_256, 192 * 1024);
  run_programs(6000, 100, options, {0, 0, 0.5});
  const std::uint64_t in_order = sent_again;
  options.any_order = true;
  run_programs(6000, 100, options, {0, 0, 0.5});
  EXPECT_LT(sent_again, in_order / 20);
  run_programs(6100, 700, options, {0, 0, 0.5});
  run_programs(7000, 800, options, {0.02, 0.1, 0.5, std::chrono::microseconds(200)});
}

TEST(RandomPrograms, FromAndToGpus) {
  Options options = patient(IBV_MTU_512, 192 * 1024);
  options.gpu = true;
  run_programs(8000, 200, options, {});
  run_programs(8200, 400, options, {0.05, 0.05, 0.05});
  options.any_order = true;
  run_programs(9000, 400, options, {0.02, 0.1, 0.5, std::chrono::microseconds(200)});
  Options long_messages = patient(IBV_MTU_4096, 3 * 1024 * 1024);
  long_messages.gpu = true;
  run_programs(9500, 60, long_messages, {0.05, 0.02, 0.02});
}

TEST(RandomPrograms, WithReadsOfManyParts) {
  run_programs(5000, 60, patient(IBV_MTU_4096, 3 * 1024 * 1024), {0.05, 0.02, 0.02});
}

}  // namespace
}  // namespace railgauge::softroce
