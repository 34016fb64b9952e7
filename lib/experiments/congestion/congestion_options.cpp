#include "experiments/congestion/congestion_options.hpp"

#include <stdexcept>

#include "flow/plan.hpp"
#include "options/shared.hpp"

namespace railgauge::runner {
namespace {

using options::chosen_by_run;
using options::OptionTable;
using options::whole;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

void add_load(OptionTable& table, CongestionOptions& options) {
  table.group("Load");
  table.axis(
      "--scenario", options.scenarios,
      options::choice<Scenario>({{"incast", Scenario::incast}, {"victim", Scenario::victim}}),
      "Scenarios, in this order. incast: all other hosts send to the receiver; victim: a "
      "flow to another host, alone and next to the incast");
  table.axis("--loads", options.loads, options::positive_number(),
             "Loads on the receiver, in parts of its line rate; a load of the number of senders or "
             "more is as fast as they can");
  table.scalar("--receiver", options.receiver, whole<int>(0, 1'000'000), "Rank whose NIC receives");
  table.scalar("--rail", options.rail, whole<int>(0, 1'000'000), "Rail under test");
  table.scalar("--step-time", options.time, options::milliseconds(100, 600'000),
               "Duration of each step; a number without a unit is in milliseconds");
  table.scalar("-s,--size", options.message_bytes, chosen_by_run(options::size()),
               "Message size (default: 64K; 16K on software devices)");
  table.scalar("--window", options.window, chosen_by_run(whole<int>(1, flow::kMostWindow)),
               "Outstanding messages per queue pair (default: 16; 8 on software devices)");
  table.scalar(options::queue_pairs(flow::kMostQueuePairs), options.queue_pairs);
  table.scalar(options::traffic_class(), options.traffic_class);
}

void add_observation(OptionTable& table, CongestionOptions& options) {
  table.group("Observation and verdict");
  table.scalar("--interval", options.interval, options::milliseconds(1, 1000),
               "Sampling interval of the counters of NICs; it grows if reading takes more than a "
               "twentieth of it");
  table.scalar("--switch-counters", options.switch_counters, options::text("SOCKET"),
               "Control socket of softswitch, whose counters then decide; in a fabric of "
               "launchers/fabric: $SOFTFABRIC/switch.sock");
  table.scalar("--expect", options.expects_ecn,
               options::choice<bool>({{"ecn", true}, {"pfc", false}}),
               "What has to act first: ecn; or pfc, for fabrics that rely on PFC alone");
}

}  // namespace

void add_congestion_options(OptionTable& table, CongestionOptions& options) {
  add_load(table, options);
  add_observation(table, options);
}

void check_congestion_options(const RunOptions& run, const CongestionOptions& options) {
  if (options.message_bytes > kMostBytes)
    throw std::invalid_argument("--size: expected 1 byte to 1 GiB");
  if (options.time > run.limit / 4)
    throw std::invalid_argument("--step-time may be at most a quarter of -T");
  if (run.allow_single)
    throw std::invalid_argument("--allow-single: at least three hosts are required");
}

}  // namespace railgauge::runner
