#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "validation/kind.hpp"

namespace railgauge::validation {

/// What the result of a stage is compared with, as `railgauge compare` does.
struct Criteria {
  bool line_rate = false;
  std::vector<std::string> references{};
  std::vector<std::string> baselines{};
  std::vector<std::string> policies{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    RAILGAUGE_VISIT(line_rate, references, baselines, policies);
  }
};

/// When a stage is run.
enum class When : std::uint8_t {
  always,
  suspect,  ///< if a stage before it found something slow, lossy or unreachable
  network,  ///< unless all ranks of a stage before it were on one host
};
[[nodiscard]] std::string_view word(When when);

struct Stage {
  std::string name{};  ///< of its files, too: letters, digits and hyphens
  Kind kind = Kind::doctor;
  std::string collective{};  ///< of that kind: "all_reduce"
  std::string required{};    ///< what it has to show, for the report; empty: as the kind says
  std::string limit{};       ///< of its time: "10m"
  When when = When::always;
  std::vector<std::string> needs{};      ///< stages that must not have failed
  std::vector<std::string> arguments{};  ///< of its program
  Criteria criteria{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    RAILGAUGE_VISIT((name), (kind), collective, required, (limit), when, needs, arguments,
                    criteria);
  }
};

/// The time after which a stage is ended.
[[nodiscard]] std::chrono::seconds limit_of(const Stage& stage);

/// "all_reduce_perf"
[[nodiscard]] std::string program_of(const Stage& stage);

/// What it has to show, with the criteria.
[[nodiscard]] std::string requirement_of(const Stage& stage);

/// What results-schema/railgauge-plan-1.schema.json describes.
struct Plan {
  std::string name{};
  std::string description{};
  std::vector<Stage> stages{};  ///< each after those that it needs

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    visit.schema("railgauge/plan/1");
    RAILGAUGE_VISIT((name), description, (stages));
  }
};

/// A plan that comes with railgauge, by its name, or a file. Throws std::invalid_argument, with
/// file, line, field and what to write instead, for one that cannot be run: unknown fields, kinds
/// and criteria, names that are there twice, needs in a circle, references, policies and baselines
/// that are not there.
[[nodiscard]] Plan plan_of(const std::string& name_or_file);

/// The same of a text; `file` is for messages.
[[nodiscard]] Plan plan_in(const std::string& text, const std::string& file);

[[nodiscard]] nlohmann::ordered_json as_json(const Plan& plan);

}  // namespace railgauge::validation
