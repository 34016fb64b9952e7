#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/options/options.hpp"

namespace railgauge::runner {

/// What the options say, before it is understood.
struct RawOptions {
  std::string min = "32M";
  std::string max = "32M";
  std::string step = "1M";
  std::uint64_t factor = 1;
  std::vector<std::string> types{"float"};
  std::vector<std::string> ops{"sum"};
  std::vector<std::string> roots{"0"};
  std::vector<std::string> algorithms;
  std::vector<unsigned> queue_pairs{1};
  std::vector<std::string> chunks{"128K"};
  std::vector<unsigned> traffic_classes{0};
  std::vector<std::string> rails{"all"};
  std::string separation = "0";
  int average = 3;
  std::string interval;
  std::int64_t duration = 0;
  std::int64_t limit = 60;
  int gid_index = -1;
  std::string connect = "mpi";
  std::string same_host = "rails";
  std::optional<std::string> device;
  std::string include;
  std::string exclude;
  std::string rail_map;
  std::string table = "nccl";
};

/// Whether a collective has sizes and types, and an operator.
[[nodiscard]] bool has_sizes(schedule::Collective collective);
[[nodiscard]] bool has_operator(schedule::Collective collective);

/// Fills in what the raw mean. `devices_named`: --devices was given on the command line. Throws
/// std::invalid_argument for what cannot be, in a sentence.
void validate(const RawOptions& raw, bool devices_named, Options& options);

}  // namespace railgauge::runner
