#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "json/codec.hpp"
#include "json/members.hpp"

// lib/workload holds a job as data: groups of ranks, what each class of ranks does in a step, and
// in what order. It must not know buffers, devices, clocks or how a job is run.

namespace railgauge::workload {

/// A number, or an expression of parameters (expression.hpp). In documents a number or a text.
struct Expression {
  std::string text{};
  [[nodiscard]] bool given() const { return !text.empty(); }
};

/// A name that expressions may use. `ranks` is one already.
struct Parameter {
  std::string name{};
  Expression value{};   // of those before it; --set replaces it
  std::string about{};  // unit and meaning

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    RAILGAUGE_VISIT((name), (value));
    RAILGAUGE_GIVEN(about);
  }
};

/// What has to hold before the rest means anything.
struct Condition {
  Expression that{};
  std::string otherwise{};  // what to say, with the remedy

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    RAILGAUGE_VISIT((that), (otherwise));
  }
};

/// All ranks, or some, in groups that do their collectives each by itself; by one of three rules.
struct Group {
  std::string name{};
  std::vector<std::vector<std::uint32_t>> lists{};  // ranks, group by group
  Expression size{};    // of each group; all ranks are in groups of as many
  Expression stride{};  // from a member to the next; default 1
  Expression color{};   // of a `rank`: ranks of one color are a group, below 0 of none

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    RAILGAUGE_VISIT((name));
    RAILGAUGE_GIVEN(lists, size, stride, color);
  }
};

enum class Kind : std::uint8_t {
  collective,  ///< with the others of the group
  send,        ///< to a rank that receives by the same name
  receive,
  compute,  ///< so many microseconds in which the stream does nothing else
  marker,   ///< a moment that is reported
  block,    ///< several operations, as a loop
};
[[nodiscard]] std::string_view word(Kind kind);

/// One thing that a stream does, once or several times. Operations of one name are one and the same
/// on all ranks, and in one stream of each.
struct Operation {
  std::string name{};
  Kind kind = Kind::collective;
  std::string type{};   // of a collective: "all_reduce"
  std::string group{};  // the same
  std::string data{};   // element type of what is combined; default bfloat16
  Expression bytes{};   // of a collective as in the collectives' tables; of all-to-all-v what
                        // member `from` has for member `to`
  std::vector<std::vector<std::uint64_t>> matrix{};  // the same as numbers: [from][to]
  Expression to{};                                   // of a send: the peer
  Expression from{};                                 // of a receive
  Expression microseconds{};                         // of a compute
  Expression arrival{};  // microseconds after the step begins; it does not begin before
  Expression times{};    // one after the other; default 1, and 0 for never
  std::string index{};   // of a block: the name of its number, from 0 on, in what is in it
  /// Operations of other streams of this rank that have to be over. Of two that occur as often,
  /// each waits for the one of the same number; otherwise as many of the one belong to one of the
  /// other.
  std::vector<std::string> after{};
  std::vector<Operation> operations{};  // of a block

  std::string at{};  // "classes[0].streams[1].operations[2]": no field

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    RAILGAUGE_GIVEN(name);
    RAILGAUGE_VISIT((kind));
    RAILGAUGE_GIVEN(type, group, data, bytes, matrix, to, from, microseconds, arrival, times, index,
                    after, operations);
  }
};

/// Operations in order. Those of different streams overlap, unless one waits for another.
struct Stream {
  std::string name{};
  std::vector<Operation> operations{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    RAILGAUGE_VISIT((name), (operations));
  }
};

/// Ranks that do the same in a step. A rank is of the first class that it fits.
struct RankClass {
  std::string name{};
  Expression when{};  // of a `rank`; default 1: all
  std::vector<Stream> streams{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    RAILGAUGE_VISIT((name));
    RAILGAUGE_GIVEN(when);
    RAILGAUGE_VISIT((streams));
  }
};

/// What has to be counted of a group or of an operation: the bytes of its operations, summed over
/// ranks, in a step.
struct ClosedForm {
  std::string of{};
  Expression bytes{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    RAILGAUGE_VISIT((of), (bytes));
  }
};

/// What results-schema/railgauge-workload-1.schema.json describes.
struct Workload {
  std::string name{};
  std::string description{};
  std::vector<std::string> sources{};
  std::vector<std::string> assumptions{};  // what an import took for granted
  std::uint64_t steps = 10;
  std::vector<Parameter> parameters{};
  std::vector<Condition> conditions{};
  std::vector<Group> groups{};
  std::vector<RankClass> classes{};
  std::vector<ClosedForm> closed_forms{};

  Expression traffic_class{};          // of its data: DSCP << 2; else as whoever runs it says
  std::vector<std::uint32_t> rails{};  // over which they go; none: all
  /// Of a mix: workloads that run at the same time. It has nothing but these, and they no parts.
  std::vector<Workload> parts{};
  // Of a part: its ranks, by `ranks` of the mix. To the part they are 0 to rank_count - 1.
  Expression first_rank{};  // default 0
  Expression rank_count{};  // default: all from there on

  // Where it was read, for messages: no fields.
  std::string file{};
  std::string text{};
  std::string within{};  // "parts[1]" of the document

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    visit.schema("railgauge/workload/1");
    RAILGAUGE_VISIT((name), description, sources);
    RAILGAUGE_GIVEN(assumptions, traffic_class, rails, first_rank, rank_count);
    RAILGAUGE_VISIT(steps);
    RAILGAUGE_GIVEN(parameters, conditions, groups, classes, closed_forms, parts);
  }
};

/// Throws std::invalid_argument, with file, line, field and remedy, for what is none: no JSON, an
/// unknown field, an expression of wrong syntax, a name that is there twice or does not exist, an
/// operation without what its kind needs or with what means nothing to it.
[[nodiscard]] Workload workload_in(const std::string& text, const std::string& file);

/// The same of a workload that a program made, whose operations get their places.
void check_document(Workload& workload);

[[nodiscard]] nlohmann::ordered_json as_json(const Workload& workload);

/// "classes[2]", as errors name a part of a list.
[[nodiscard]] inline std::string indexed(const std::string& list, std::size_t at) {
  return list + "[" + std::to_string(at) + "]";
}

/// The same error, of a field of a workload that has been read.
[[noreturn]] void refuse(const Workload& workload, const std::string& field,
                         const std::string& what);

}  // namespace railgauge::workload

namespace railgauge::json {

template <>
struct Codec<workload::Expression> {
  static Json encode(const workload::Expression& value);
  static void decode(const Json& json, workload::Expression& value);
};

}  // namespace railgauge::json
