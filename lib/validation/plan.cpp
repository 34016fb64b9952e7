#include "validation/plan.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "finding/words.hpp"
#include "json/codec.hpp"
#include "json/position.hpp"
#include "json/text.hpp"
#include "manual/manual.hpp"
#include "options/syntax.hpp"
#include "results/input_file.hpp"
#include "verdict/library.hpp"

namespace railgauge::validation {
namespace {

namespace fs = std::filesystem;
using json::FieldError;

constexpr std::int64_t kLongestLimit = std::int64_t{30} * 24 * 3600;

std::string field_of(std::size_t stage, const std::string& name) {
  return "stages[" + std::to_string(stage) + "]" + (name.empty() ? "" : "." + name);
}

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  names.reserve(plan.stages.size());
  for (const Stage& stage : plan.stages) names.push_back(stage.name);
  return names;
}

template <class E>
std::vector<std::string> words_of() {
  std::vector<std::string> words;
  for (int number = 0; !word(static_cast<E>(number)).empty(); ++number)
    words.emplace_back(word(static_cast<E>(number)));
  return words;
}

bool is_name(const std::string& text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  });
}

void check_name(const Plan& plan, std::size_t at) {
  const std::string& name = plan.stages[at].name;
  if (!is_name(name))
    throw FieldError("is '" + name + "': use letters, digits and hyphens, as files have it",
                     field_of(at, "name"));
  const auto first = std::ranges::find(plan.stages, name, &Stage::name);
  if (first - plan.stages.begin() != static_cast<std::ptrdiff_t>(at))
    throw FieldError("is '" + name + "', as of a stage before it: give each a name of its own",
                     field_of(at, "name"));
}

void check_limit(const Stage& stage, std::size_t at) try {
  static_cast<void>(limit_of(stage));
} catch (const std::invalid_argument& error) {
  throw FieldError("is '" + stage.limit + "': " + error.what(), field_of(at, "limit"));
}

const std::vector<std::string>& collectives() {
  static const std::vector<std::string> kNames{
      "all_gather", "all_reduce", "alltoall",       "alltoallv", "barrier", "broadcast",
      "gather",     "hypercube",  "reduce_scatter", "reduce",    "scatter", "sendrecv"};
  return kNames;
}

void check_collective(const Stage& stage, std::size_t at) {
  const std::string field = field_of(at, "collective");
  if (stage.kind != Kind::collective) {
    if (!stage.collective.empty())
      throw FieldError("is of stages of the kind collective: leave it out", field);
    return;
  }
  if (stage.collective.empty()) throw FieldError("is missing: name one, such as all_reduce", field);
  if (std::ranges::find(collectives(), stage.collective) == collectives().end())
    throw FieldError("cannot be '" + stage.collective + "': expected one of " +
                         finding::joined(collectives()) +
                         manual::did_you_mean(stage.collective, collectives()),
                     field);
}

void check_needs(const Plan& plan, std::size_t at) {
  const Stage& stage = plan.stages[at];
  const auto names = names_of(plan);
  for (std::size_t need = 0; need < stage.needs.size(); ++need) {
    const std::string& name = stage.needs[need];
    if (std::ranges::find(names, name) != names.end()) continue;
    throw FieldError("is '" + name + "', which is no stage of the plan: it has " +
                         finding::joined(names) + manual::did_you_mean(name, names),
                     field_of(at, "needs[" + std::to_string(need) + "]"));
  }
}

/// Whether each of the names can be loaded.
template <class Load>
void check_names(const std::vector<std::string>& names, const std::string& field,
                 const Load& load) {
  for (std::size_t number = 0; number < names.size(); ++number) try {
      load(names[number]);
    } catch (const std::exception& error) {
      throw FieldError("is '" + names[number] + "': " + error.what(),
                       field + "[" + std::to_string(number) + "]");
    }
}

void check_criteria(const Stage& stage, std::size_t at) {
  const std::string field = field_of(at, "criteria");
  const Criteria& criteria = stage.criteria;
  const bool any = criteria.line_rate || !criteria.references.empty() ||
                   !criteria.baselines.empty() || !criteria.policies.empty();
  if (any && stage.kind == Kind::doctor)
    throw FieldError("are of results: give --policy in 'arguments' of doctor", field);
  if (stage.kind != Kind::collective && (criteria.line_rate || !criteria.references.empty()))
    throw FieldError(
        "have line_rate or references, which need bandwidth over size: only stages "
        "of the kind collective have it",
        field);
  const verdict::Library library(verdict::shipped_data());
  check_names(criteria.references, field + ".references",
              [&](const std::string& name) { static_cast<void>(library.reference(name)); });
  std::vector<verdict::Policy> policies;
  check_names(criteria.policies, field + ".policies", [&](const std::string& name) {
    policies.push_back(library.policy(name));
    static_cast<void>(counted_of(policies));
  });
  check_names(criteria.baselines, field + ".baselines",
              [](const std::string& file) { static_cast<void>(verdict::read_json(file)); });
}

/// Options whose files are the supervisor's.
void check_arguments(const Stage& stage, std::size_t at) {
  static const std::vector<std::string> kOurs{"-J",     "--json",   "--force", "--record",
                                              "--from", "--resume", "-o",      "--output"};
  for (std::size_t number = 0; number < stage.arguments.size(); ++number) {
    const std::string& argument = stage.arguments[number];
    if (std::ranges::find(kOurs, argument.substr(0, argument.find('='))) == kOurs.end()) continue;
    throw FieldError("is '" + argument + "', which railgauge validate itself gives: leave it out",
                     field_of(at, "arguments[" + std::to_string(number) + "]"));
  }
}

void check(const Plan& plan) {
  if (plan.stages.empty()) throw FieldError("is empty: a plan has at least one stage", "stages");
  for (std::size_t at = 0; at < plan.stages.size(); ++at) {
    check_name(plan, at);
    check_limit(plan.stages[at], at);
    check_collective(plan.stages[at], at);
    check_needs(plan, at);
    check_arguments(plan.stages[at], at);
    check_criteria(plan.stages[at], at);
  }
}

/// Each stage after those that it needs, and otherwise as they stand in the plan.
std::vector<Stage> in_order(const Plan& plan) {
  std::vector<Stage> ordered;
  const auto is_placed = [&](const std::string& name) {
    return std::ranges::find(ordered, name, &Stage::name) != ordered.end();
  };
  while (ordered.size() < plan.stages.size()) {
    const auto next = std::ranges::find_if(plan.stages, [&](const Stage& stage) {
      return !is_placed(stage.name) && std::ranges::all_of(stage.needs, is_placed);
    });
    if (next != plan.stages.end()) {
      ordered.push_back(*next);
      continue;
    }
    const auto stuck = std::ranges::find_if(
        plan.stages, [&](const Stage& stage) { return !is_placed(stage.name); });
    throw FieldError("go in a circle: " + stuck->name + " needs " + finding::listed(stuck->needs) +
                         ", which in turn need it or each other: remove one of the needs",
                     field_of(static_cast<std::size_t>(stuck - plan.stages.begin()), "needs"));
  }
  return ordered;
}

/// What to do about a field that could not be read.
std::string remedy_of(const std::string& what, const std::string& path) {
  if (what.ends_with("is unknown")) {
    const std::string last = path.substr(path.rfind('.') + 1);
    if (path.find(".criteria.") != std::string::npos) {
      const std::vector<std::string> known{"line_rate", "references", "baselines", "policies"};
      return ": expected a criterion: " + finding::joined(known) +
             manual::did_you_mean(last, known);
    }
    const std::vector<std::string> known{"name", "kind",  "collective", "required", "limit",
                                         "when", "needs", "arguments",  "criteria"};
    return path.starts_with("stages[")
               ? ": a stage has " + finding::joined(known) + manual::did_you_mean(last, known)
               : ": a plan has schema, name, description, stages";
  }
  if (path.ends_with(".kind") && what.find("cannot be") != std::string::npos)
    return ": expected one of " + finding::joined(words_of<Kind>());
  if (path.ends_with(".when") && what.find("cannot be") != std::string::npos)
    return ": expected " + finding::listed(words_of<When>(), " or ");
  return "";
}

[[noreturn]] void refuse(const std::string& text, const std::string& file,
                         const FieldError& error) {
  const auto line = json::line_of(text, error.path());
  const std::string what = error.what();
  throw std::invalid_argument("plan " + file + (line ? ":" + std::to_string(*line) : "") + ": " +
                              what + remedy_of(what, error.path()));
}

fs::path file_of(const std::string& name_or_file) {
  const fs::path folder = verdict::shipped_data() / "plan";
  fs::path shipped = folder / (name_or_file + ".json");
  if (name_or_file.find('/') == std::string::npos && fs::exists(shipped)) return shipped;
  if (fs::is_regular_file(name_or_file)) return name_or_file;
  std::vector<std::string> names;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  throw std::invalid_argument("there is neither a plan nor a file '" + name_or_file +
                              "': railgauge comes with " + finding::joined(names) +
                              manual::did_you_mean(name_or_file, names));
}

}  // namespace

std::string_view word(When when) {
  switch (when) {
    case When::always: return "always";
    case When::suspect: return "suspect";
    case When::network: return "network";
  }
  return "";
}

std::chrono::seconds limit_of(const Stage& stage) {
  return options::seconds(1, kLongestLimit).parse(stage.limit);
}

std::string program_of(const Stage& stage) {
  return stage.kind == Kind::collective ? stage.collective + "_perf"
                                        : std::string(facts_of(stage.kind).program);
}

std::string requirement_of(const Stage& stage) {
  std::vector<std::string> parts{stage.required.empty() ? std::string(facts_of(stage.kind).required)
                                                        : stage.required};
  const Criteria& criteria = stage.criteria;
  if (criteria.line_rate) parts.emplace_back("plateau at 90 % of line rate");
  for (const std::string& name : criteria.references) parts.push_back("reference " + name);
  for (const std::string& name : criteria.baselines) parts.push_back("baseline " + name);
  for (const std::string& name : criteria.policies) parts.push_back("policy " + name);
  return finding::joined(parts, "; ");
}

Plan plan_in(const std::string& text, const std::string& file) {
  json::Json document;
  try {
    document = json::json_of_text(text);
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument("plan " + file + ": " + error.what());
  }
  try {
    Plan plan;
    json::decode(document, plan);
    check(plan);
    plan.stages = in_order(plan);
    return plan;
  } catch (const FieldError& error) {
    refuse(text, file, error);
  }
}

Plan plan_of(const std::string& name_or_file) {
  const fs::path file = file_of(name_or_file);
  return plan_in(results::read_input(file), file);
}

json::Json as_json(const Plan& plan) {
  return json::encode(plan);
}

}  // namespace railgauge::validation
