#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "finding/outcome.hpp"
#include "json/members.hpp"
#include "results/body.hpp"
#include "results/exit_code.hpp"
#include "results/option.hpp"
#include "results/port_events.hpp"
#include "results/rank.hpp"
#include "telemetry/counters.hpp"

namespace railgauge::results {

struct Tool {
  std::string name = "railgauge";
  std::string version{};  // "0.1.0"
  std::string commit{};   // "unknown" outside a git checkout

  RAILGAUGE_FIELDS(name, version, commit)
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

  RAILGAUGE_FIELDS((host), (device), (port), rail, plane, address, (before), (after))
};

/// How the rails of all hosts were numbered.
struct RailRule {
  std::string rule{};    // "shared subnets"
  std::string reason{};  // why this one

  RAILGAUGE_FIELDS(rule, reason)
};

/// What a rank saw go wrong.
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

  int rank = 0;
  std::string host{};
  Kind kind = Kind::transport;
  std::string text{};                        // in its own words
  std::vector<finding::Finding> findings{};  // what it knows of the place; empty: nothing

  RAILGAUGE_FIELDS(rank, host, kind, text, findings)
};

/// "time-out", "transport", "wrong-data", "usage" ...
[[nodiscard]] std::string_view word(Failure::Kind kind);

/// For ranks to tell each other, as bytes.
[[nodiscard]] std::string packed(const Failure& failure);
[[nodiscard]] Failure unpacked_failure(const std::string& bytes);

/// The record of one run: what every run has, and in `body` what its kind found. It is what
/// results-schema/railgauge-result-3.schema.json describes field by field, and it is written again
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
  std::vector<PortCounters> counters{};
  std::vector<PortEvents> events{};  // of the row that was not finished, if the run failed
  std::vector<Failure> failures{};
  /// What the run says of the fabric, and how much of its plan it tested.
  finding::Report report{};
  Body body{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit("tool", self.tool);
    visit.computed("status", status_of(self));
    RAILGAUGE_VISIT(exit_code, reasons, start, end, command_line, options, environment, hosts,
                    ranks, rail_rule, warnings);
    std::visit([&](auto& kind) { kind.fields(kind, visit); }, self.body);
    RAILGAUGE_VISIT(counters, events, failures);
    visit.computed("outcome", outcome_text(self));
    visit("findings", self.report.findings);
    visit("coverage", self.report.coverage);
  }
};

/// "running" while it has no exit code, then that one's word.
[[nodiscard]] std::string status_of(const Document& document);

/// What the document says of the fabric, for whoever judges it. A run that did not come to its end
/// (interrupted, refused, short of memory or devices, still running) lacks coverage of the check
/// "run", so that it is INCONCLUSIVE at best.
[[nodiscard]] finding::Report report_of(const Document& document);

/// finding::outcome() of report_of(); FAIL after a time-out, a transport failure or wrong data.
[[nodiscard]] finding::Outcome outcome_of(const Document& document);
[[nodiscard]] std::string outcome_text(const Document& document);

/// What an option was set to, as text; empty if there is no such option.
[[nodiscard]] std::string option_text(const Document& document, const std::string& name);

void to_json(nlohmann::ordered_json& json, const Document& document);

/// The document as JSON text, ending in a line feed. Bytes that are not UTF-8 (in a host name, in
/// the command line) become U+FFFD: a wrong letter is better than no result.
std::string json_text(const Document& document);

/// Reads railgauge/result/3. A field that is not required and missing has its default. Throws
/// std::runtime_error, which names the field, for any other document, for one that is not of its
/// schema, and for figures that no measurement has: times and bandwidths below zero, a collective
/// that took no time or has no iteration.
[[nodiscard]] Document read_document(const nlohmann::ordered_json& json);

/// Whether read_document() takes documents of that schema.
[[nodiscard]] bool is_result(const nlohmann::ordered_json& json);

// A run as lines that are added while it goes on. None has a line feed at its end.

/// JSON Lines: a document's head when it begins, its rows as they are measured, its head again when
/// it has ended. A head is a document (railgauge/result/3) without rows; a row is railgauge/row/3.
[[nodiscard]] std::string head_line(const Document& document);
[[nodiscard]] std::string row_line(const Document& document, std::size_t row);

/// A table for statistics programs: one column for each thing that was chosen, then for each that
/// was measured; a line for each row, and of a collective for each buffer mode. What is unknown is
/// empty. The names say the units.
[[nodiscard]] std::string csv_header(const Body& body);
[[nodiscard]] std::vector<std::string> csv_lines(const Document& document, std::size_t row);

}  // namespace railgauge::results
