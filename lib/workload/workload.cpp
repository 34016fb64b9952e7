#include "workload/workload.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "finding/number_in.hpp"
#include "finding/words.hpp"
#include "json/position.hpp"
#include "json/text.hpp"
#include "manual/manual.hpp"
#include "reduce/element_type.hpp"
#include "schedule/collective.hpp"
#include "workload/expression.hpp"

namespace railgauge::json {

Json Codec<workload::Expression>::encode(const workload::Expression& value) {
  const auto number = finding::number_in<std::int64_t>(value.text);
  if (number && std::to_string(*number) == value.text) return *number;
  return value.text;
}

void Codec<workload::Expression>::decode(const Json& json, workload::Expression& value) {
  if (json.is_number_integer()) {
    value.text = json.dump();
  } else {
    json::decode(json, value.text);
  }
  try {
    workload::check_syntax(value.text);
  } catch (const std::invalid_argument& error) {
    throw FieldError(std::string("is ") + error.what());
  }
}

}  // namespace railgauge::json

namespace railgauge::workload {
namespace {

using json::FieldError;

bool is_word(const std::string& text) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, fits);
}

/// Of parameters, groups, classes and streams.
template <class T>
void check_names(const std::vector<T>& all, const std::string& list) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const std::string field = indexed(list, at) + ".name";
    if (all[at].name.empty()) throw FieldError("is empty: give it a name", field);
    if (!names.insert(all[at].name).second)
      throw FieldError("is '" + all[at].name + "', as of one before it", field);
  }
}

void check_parameters(const Workload& workload) {
  check_names(workload.parameters, "parameters");
  for (std::size_t at = 0; at < workload.parameters.size(); ++at) {
    const std::string& name = workload.parameters[at].name;
    static const std::set<std::string> kTaken{"ranks", "rank", "from", "to"};
    if (is_word(name) && !kTaken.contains(name)) continue;
    throw FieldError(
        "is '" + name + "': use letters, digits and _, and none of ranks, rank, from, to",
        indexed("parameters", at) + ".name");
  }
}

void check_groups(const Workload& workload) {
  check_names(workload.groups, "groups");
  for (std::size_t at = 0; at < workload.groups.size(); ++at) {
    const Group& group = workload.groups[at];
    const int rules = (group.lists.empty() ? 0 : 1) + (group.size.given() ? 1 : 0) +
                      (group.color.given() ? 1 : 0);
    if (rules != 1 || (group.stride.given() && !group.size.given()))
      throw FieldError("has to have one of lists, size (with or without stride) and color",
                       indexed("groups", at));
  }
}

std::vector<std::string> group_names(const Workload& workload) {
  std::vector<std::string> names;
  for (const Group& group : workload.groups) names.push_back(group.name);
  return names;
}

void check_group(const Workload& workload, const Operation& operation) {
  const auto names = group_names(workload);
  if (std::ranges::find(names, operation.group) != names.end()) return;
  throw FieldError("is '" + operation.group + "', which is no group: there are " +
                       (names.empty() ? "none" : finding::joined(names)) +
                       manual::did_you_mean(operation.group, names),
                   operation.at + ".group");
}

void check_type(const Operation& operation) {
  const auto found = schedule::collective(operation.type);
  const bool has_bytes = found && *found != schedule::Collective::barrier;
  if (!found) {
    std::vector<std::string> names;
    for (const auto& one : schedule::collectives()) names.emplace_back(one.name);
    throw FieldError("is '" + operation.type + "': expected one of " + finding::joined(names) +
                         manual::did_you_mean(operation.type, names),
                     operation.at + ".type");
  }
  if (!operation.matrix.empty()) {
    if (*found == schedule::Collective::all_to_all_v && !operation.bytes.given()) return;
    throw FieldError("is of an alltoallv that has no bytes: leave one out",
                     operation.at + ".matrix");
  }
  if (has_bytes != operation.bytes.given())
    throw FieldError(has_bytes ? "is missing: say how many" : "are of no barrier: leave it out",
                     operation.at + ".bytes");
  if (operation.data.empty()) return;
  if (!schedule::reduces(*found))
    throw FieldError("is of what is combined, and " + operation.type + " only moves: leave it out",
                     operation.at + ".data");
  if (!reduce::element_type(operation.data))
    throw FieldError("is '" + operation.data + "', which is no element type, such as bfloat16",
                     operation.at + ".data");
}

/// What an operation of a kind has to have, and what it may have.
void check_fields(const Operation& operation) {
  struct Field {
    const char* name;
    bool given;
    std::set<Kind> wanted;
    std::set<Kind> allowed{};
  };
  using enum Kind;
  const std::vector<Field> fields{
      {"name", !operation.name.empty(), {collective, send, receive, compute, marker}},
      {"type", !operation.type.empty(), {collective}},
      {"group", !operation.group.empty(), {collective}},
      {"data", !operation.data.empty(), {}, {collective}},
      {"bytes", operation.bytes.given(), {send, receive}, {collective}},
      {"matrix", !operation.matrix.empty(), {}, {collective}},
      {"to", operation.to.given(), {send}},
      {"from", operation.from.given(), {receive}},
      {"microseconds", operation.microseconds.given(), {compute}},
      {"arrival", operation.arrival.given(), {}, {collective, send, receive, compute, marker}},
      {"index", !operation.index.empty(), {}, {block}},
      {"after", !operation.after.empty(), {}, {collective, send, receive, compute, marker}},
      {"operations", !operation.operations.empty(), {block}}};
  const std::string kind(word(operation.kind));
  for (const Field& field : fields) {
    const bool wanted = field.wanted.contains(operation.kind);
    if (wanted && !field.given)
      throw FieldError("is missing: a " + kind + " needs it", operation.at + "." + field.name);
    if (field.given && !wanted && !field.allowed.contains(operation.kind))
      throw FieldError("means nothing to a " + kind + ": leave it out",
                       operation.at + "." + field.name);
  }
}

/// Gives operations their places, and checks them.
void check_operations(const Workload& workload, std::vector<Operation>& operations,
                      const std::string& list) {
  if (operations.empty()) throw FieldError("is empty", list);
  for (std::size_t at = 0; at < operations.size(); ++at) {
    Operation& operation = operations[at];
    operation.at = indexed(list, at);
    check_fields(operation);
    if (operation.kind == Kind::collective) {
      check_group(workload, operation);
      check_type(operation);
    }
    if (!operation.index.empty() && !is_word(operation.index))
      throw FieldError("is '" + operation.index + "': use letters, digits and _",
                       operation.at + ".index");
    if (operation.kind == Kind::block)
      check_operations(workload, operation.operations, operation.at + ".operations");
  }
}

void add_names(const std::vector<Operation>& operations, std::set<std::string>& names) {
  for (const Operation& one : operations) {
    if (!one.name.empty()) names.insert(one.name);
    add_names(one.operations, names);
  }
}

std::set<std::string> names_of(const RankClass& rank_class) {
  std::set<std::string> names;
  for (const Stream& stream : rank_class.streams) add_names(stream.operations, names);
  return names;
}

/// What is waited for is something that the same ranks do.
void check_after(const std::vector<Operation>& operations, const std::set<std::string>& names) {
  for (const Operation& one : operations) {
    check_after(one.operations, names);
    for (std::size_t at = 0; at < one.after.size(); ++at) {
      if (names.contains(one.after[at])) continue;
      const std::vector<std::string> all(names.begin(), names.end());
      throw FieldError("is '" + one.after[at] + "', which is no operation of this class: it has " +
                           finding::joined(all) + manual::did_you_mean(one.after[at], all),
                       one.at + "." + indexed("after", at));
    }
  }
}

void check_closed_forms(const Workload& workload) {
  std::set<std::string> names;
  for (const Group& group : workload.groups) names.insert(group.name);
  for (const RankClass& one : workload.classes) {
    for (const Stream& stream : one.streams) add_names(stream.operations, names);
  }
  std::set<std::string> seen;
  for (std::size_t at = 0; at < workload.closed_forms.size(); ++at) {
    const std::string& of = workload.closed_forms[at].of;
    if (names.contains(of) && seen.insert(of).second) continue;
    throw FieldError("is '" + of + "': expected a group or a send, each once",
                     indexed("closed_forms", at) + ".of");
  }
}

/// Of a workload that is no mix.
void check_whole(Workload& workload) {
  check_parameters(workload);
  check_groups(workload);
  if (workload.classes.empty())
    throw FieldError("is empty: some ranks have to do something", "classes");
  check_names(workload.classes, "classes");
  for (std::size_t at = 0; at < workload.classes.size(); ++at) {
    const std::string streams = indexed("classes", at) + ".streams";
    check_names(workload.classes[at].streams, streams);
    for (std::size_t i = 0; i < workload.classes[at].streams.size(); ++i)
      check_operations(workload, workload.classes[at].streams[i].operations,
                       indexed(streams, i) + ".operations");
    const auto names = names_of(workload.classes[at]);
    for (const Stream& stream : workload.classes[at].streams) check_after(stream.operations, names);
  }
  check_closed_forms(workload);
}

/// A name that parameters, groups and operations have in front of theirs.
void check_part(Workload& part) {
  if (!is_word(part.name))
    throw FieldError("is '" + part.name + "': of a part, use letters, digits and _", "name");
  if (!part.parts.empty()) throw FieldError("are of a part: take its parts instead", "parts");
  check_whole(part);
}

void check_mix(Workload& mix) {
  if (!mix.classes.empty() || !mix.parameters.empty() || !mix.conditions.empty() ||
      !mix.groups.empty() || !mix.closed_forms.empty() || mix.traffic_class.given() ||
      !mix.rails.empty())
    throw FieldError("leave no place for anything else but name, description and steps", "parts");
  check_names(mix.parts, "parts");
  for (std::size_t at = 0; at < mix.parts.size(); ++at) {
    Workload& part = mix.parts[at];
    part.file = mix.file;
    part.text = mix.text;
    part.within = indexed("parts", at);
    try {
      check_part(part);
    } catch (const FieldError& error) {
      throw error.in(part.within);
    }
  }
}

void check(Workload& workload) {
  if (workload.first_rank.given() || workload.rank_count.given())
    throw FieldError("is of a part of a mix: leave it out",
                     workload.first_rank.given() ? "first_rank" : "rank_count");
  if (workload.parts.empty()) {
    check_whole(workload);
  } else {
    check_mix(workload);
  }
  if (workload.steps == 0) throw FieldError("is 0: it has to be above zero", "steps");
}

[[noreturn]] void refuse(const Workload& workload, const FieldError& error) {
  const auto line = json::line_of(workload.text, error.path());
  throw std::invalid_argument("workload " + workload.file +
                              (line ? ":" + std::to_string(*line) : "") + ": " + error.what());
}

}  // namespace

std::string_view word(Kind kind) {
  static constexpr std::string_view kWords[] = {"collective", "send",   "receive",
                                                "compute",    "marker", "block"};
  return json::word_of(kind, kWords);
}

void refuse(const Workload& workload, const std::string& field, const std::string& what) {
  const FieldError error(what, field);
  refuse(workload, workload.within.empty() ? error : error.in(workload.within));
}

Workload workload_in(const std::string& text, const std::string& file) {
  Workload workload;
  workload.file = file;
  workload.text = text;
  json::Json document;
  try {
    document = json::json_of_text(text);
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument("workload " + file + ": " + error.what());
  }
  try {
    json::decode(document, workload);
    check(workload);
    return workload;
  } catch (const FieldError& error) {
    refuse(workload, error);
  }
}

void check_document(Workload& workload) {
  try {
    check(workload);
  } catch (const FieldError& error) {
    refuse(workload, error);
  }
}

json::Json as_json(const Workload& workload) {
  return json::encode(workload);
}

}  // namespace railgauge::workload
