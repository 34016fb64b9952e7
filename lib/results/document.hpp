#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "results/body.hpp"
#include "results/exit_code.hpp"
#include "results/host.hpp"
#include "results/rank.hpp"
#include "telemetry/counters.hpp"

namespace railgauge::results {

struct Tool {
  std::string name = "railgauge";
  std::string version{};  // "0.1.0"
  std::string commit{};   // "unknown" outside a git checkout
};

/// An option as it was in force, and who set it.
struct Option {
  enum class Origin { default_value, command_line, config_file, environment };

  std::variant<bool, std::int64_t, std::uint64_t, double, std::string> value;
  Origin origin = Origin::default_value;
};

/// One port's counters before the first and after the last row that was measured. Ranks of one host
/// share a port, except soft devices, which are each process's own: the address tells them apart.
struct PortCounters {
  std::string host{};
  std::string device{};
  int port = 1;
  int rail = 0;
  std::string address{};
  telemetry::Counters before{};
  telemetry::Counters after{};
};

/// How the rails of all hosts were numbered.
struct RailRule {
  std::string rule{};    // "shared subnets"
  std::string reason{};  // why this one
};

/// What a rank saw go wrong, in its own words.
struct Failure {
  enum class Kind {
    time_out,
    transport,
    wrong_data,
    usage,
    environment,
    verdict,  // what was found is not what was demanded: a fabric that is wired wrongly
    interrupted,
    stopped  // not a cause: told to stop because another rank failed; says what it waited for
  };

  int rank = 0;
  std::string host{};
  Kind kind = Kind::transport;
  std::string text{};
};

/// The record of one run, as results-schema/railgauge-result-1.schema.json describes it field by
/// field. It is written again and again while the run goes on, and is a whole truth each time.
struct Document {
  Tool tool{};
  /// Empty while the run goes on, which the document calls "running": what a killed run leaves.
  std::optional<ExitCode> exit_code{};
  std::vector<std::string> reasons{};  // why the exit code is not 0, one sentence each
  std::chrono::system_clock::time_point start{};
  std::optional<std::chrono::system_clock::time_point> end{};
  std::vector<std::string> command_line{};  // argv
  std::map<std::string, Option> options{};
  std::map<std::string, std::string> environment{};  // variables that may matter, and no other
  std::vector<Host> hosts{};                         // in order of their first rank
  std::vector<Rank> ranks{};                         // in order of rank
  RailRule rail_rule{};
  std::vector<std::string> warnings{};  // what does not end a run, but may make it slow; sentences
  std::vector<PortCounters> counters{};
  std::vector<Failure> failures{};
  Body body{};
};

void to_json(nlohmann::ordered_json& json, const PortCounters& counters);
void to_json(nlohmann::ordered_json& json, const RailRule& rule);
void to_json(nlohmann::ordered_json& json, const Failure& failure);
void to_json(nlohmann::ordered_json& json, const Document& document);

/// The document as JSON text, ending in a line feed. Bytes that are not UTF-8 (in a host name, in
/// the command line) become U+FFFD: a wrong letter is better than no result.
std::string json_text(const Document& document);

}  // namespace railgauge::results
