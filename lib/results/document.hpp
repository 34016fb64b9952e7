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
#include "results/port_events.hpp"
#include "results/rank.hpp"
#include "telemetry/counters.hpp"

namespace railgauge::results {

struct Tool {
  std::string name = "railgauge";
  std::string version{};  // "0.1.0"
  std::string commit{};   // "unknown" outside a git checkout

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("name", self.name);
    visit("version", self.version);
    visit("commit", self.commit);
  }
};

/// An option as it was in force, and who set it.
struct Option {
  enum class Origin { default_value, command_line, config_file, environment };
  /// "default", "command line", "config file", "environment".
  static std::string_view word(Origin origin);

  std::variant<bool, std::int64_t, std::uint64_t, double, std::string> value;
  Origin origin = Origin::default_value;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("value", self.value);
    visit.word("origin", self.origin, &word);
  }
};

/// One port's counters before the first and after the last row that was measured. Ranks of one host
/// share a port, except soft devices, which are each process's own: the address tells them apart.
struct PortCounters {
  std::string host{};
  std::string device{};
  int port = 1;
  std::optional<int> rail{};  // older documents do not say
  std::optional<int> plane{};
  std::string address{};
  telemetry::Counters before{};
  telemetry::Counters after{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("host", self.host);
    visit.required("device", self.device);
    visit.required("port", self.port);
    visit("rail", self.rail);
    visit("plane", self.plane);
    visit("address", self.address);
    visit.required("before", self.before);
    visit.required("after", self.after);
  }
};

/// How the rails of all hosts were numbered.
struct RailRule {
  std::string rule{};    // "shared subnets"
  std::string reason{};  // why this one

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("rule", self.rule);
    visit("reason", self.reason);
  }
};

/// A plane of a rail that a host lacks while it has others of it, and so no rank used.
struct LostPlane {
  std::string host{};
  std::string device{};
  int port = 1;
  int rail = 0;
  int plane = 0;
  int planes = 1;        // that the rail has
  std::string reason{};  // "its port is DOWN"

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("host", self.host);
    visit("device", self.device);
    visit("port", self.port);
    visit.required("rail", self.rail);
    visit.required("plane", self.plane);
    visit("planes", self.planes);
    visit("reason", self.reason);
  }
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
    lost,    // a rank that said nothing: its process was killed, crashed or is stopped
    stopped  // not a cause: told to stop because another rank failed; says what it waited for
  };

  /// "time-out", "transport", "wrong-data", "usage" ...
  static std::string_view word(Kind kind);

  int rank = 0;
  std::string host{};
  Kind kind = Kind::transport;
  std::string text{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("rank", self.rank);
    visit("host", self.host);
    visit.word("kind", self.kind, &word);
    visit("text", self.text);
  }
};

/// The record of one run: what every run has, and in `body` what its kind found. It is what
/// results-schema/railgauge-result-2.schema.json describes field by field, and it is written again
/// and again while the run goes on, a whole truth each time.
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
  std::vector<LostPlane> lost_planes{};
  std::vector<PortCounters> counters{};
  std::vector<PortEvents> events{};  // of the row that was not finished, if the run failed
  std::vector<Failure> failures{};
  Body body{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("tool", self.tool);
    visit.computed("status", status_of(self));
    visit("exit_code", self.exit_code);
    visit("reasons", self.reasons);
    visit("start", self.start);
    visit("end", self.end);
    visit("command_line", self.command_line);
    visit("options", self.options);
    visit("environment", self.environment);
    visit("hosts", self.hosts);
    visit("ranks", self.ranks);
    visit("rail_rule", self.rail_rule);
    visit("warnings", self.warnings);
    visit("lost_planes", self.lost_planes);
    std::visit([&](auto& kind) { kind.fields(kind, visit); }, self.body);
    visit("counters", self.counters);
    visit("events", self.events);
    visit("failures", self.failures);
  }
};

/// "running" while it has no exit code, then that one's word.
[[nodiscard]] std::string status_of(const Document& document);

/// What an option was set to, as text; empty if there is no such option.
[[nodiscard]] std::string option_text(const Document& document, const std::string& name);

void to_json(nlohmann::ordered_json& json, const Document& document);

/// The document as JSON text, ending in a line feed. Bytes that are not UTF-8 (in a host name, in
/// the command line) become U+FFFD: a wrong letter is better than no result.
std::string json_text(const Document& document);

/// Reads railgauge/result/2 and what this and other programs of ours wrote before it:
/// railgauge/result/1, and railgauge/reachability/1. What an older document lacks has its default.
/// Throws std::runtime_error, which names the field, for any other, and for one that is not of its
/// schema.
[[nodiscard]] Document read_document(const nlohmann::ordered_json& json);

/// Whether read_document() takes documents of that schema.
[[nodiscard]] bool is_result(const nlohmann::ordered_json& json);

}  // namespace railgauge::results
