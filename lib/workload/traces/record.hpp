#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reduce/element_type.hpp"
#include "schedule/collective.hpp"
#include "workload/groups.hpp"
#include "workload/workload.hpp"

// lib/workload/traces holds what other tools recorded of a job, and turns it into a workload. It
// must not know how a workload is run, nor results of benchmarks (lib/verdict/logs has those).

namespace railgauge::workload::traces {

/// What one rank has of a collective or of a transfer.
struct Exchange {
  enum class Kind : std::uint8_t { collective, send, receive };

  Kind kind = Kind::collective;
  schedule::Collective type = schedule::Collective::barrier;
  reduce::ElementType data = reduce::ElementType::bfloat16;  // of what is combined
  std::uint64_t bytes = 0;                // as a workload's: the larger of input and output
  std::vector<std::uint64_t> sent{};      // all-to-all: bytes for each member; empty: equal parts
  std::vector<std::uint64_t> received{};  // the same, of each member, if the trace has it
  std::string group{};                    // key of Record::groups; of a transfer empty
  Rank peer = 0;                          // of a transfer
  std::string place{};                    // "traceEvents[12] 'record_param_comms'"
};

/// The stream in which an exchange keeps its order: of its group, or of its peer.
[[nodiscard]] std::string stream_of(const Exchange& exchange);

/// What happens next to a rank.
struct Moment {
  enum class Kind : std::uint8_t {
    compute,
    begin,  ///< of an exchange, which then goes on by itself
    end,    ///< what follows waits for the exchange; of each one, some time after its begin
  };
  Kind kind = Kind::compute;
  double microseconds = 0;     // of a compute
  std::uint32_t exchange = 0;  // else
};

struct RankRecord {
  std::string file{};
  std::vector<Exchange> exchanges{};  // in the order of their begin
  std::vector<Moment> moments{};

  void compute(double microseconds);
  void begin(std::size_t exchange);
  void end(std::size_t exchange);
};

/// Ranks that do collectives together. Disjoint ones of one name are instances of one group.
struct ProcessGroup {
  std::string name{};
  std::vector<Rank> ranks{};  // member by member
};

/// A job as its ranks recorded it.
struct Record {
  std::vector<RankRecord> ranks{};
  std::map<std::string, ProcessGroup> groups{};
  std::vector<std::string> assumptions{};  // a sentence each
};

/// Throws std::invalid_argument with the file and the event: "rank0.json: traceEvents[12] 'x':
/// why".
[[noreturn]] void refuse(const std::string& file, const std::string& place, const std::string& why);

/// The record as a workload: a class for each rank, in which exchanges that nothing overlaps stand
/// between its computes, and others in a stream of their group or peer. What is of one group, type
/// and size has one name. The closed forms are sums over the record.
///
/// Throws std::invalid_argument with the event, for ranks of a group that differ in what they do,
/// for a transfer that only one side has, and as check() does.
[[nodiscard]] Workload workload_of(const Record& record, const std::string& name);

}  // namespace railgauge::workload::traces
