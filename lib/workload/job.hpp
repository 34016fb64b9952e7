#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reduce/element_type.hpp"
#include "schedule/collective.hpp"
#include "workload/groups.hpp"
#include "workload/workload.hpp"

namespace railgauge::workload {

/// Something that several ranks do together: a collective of one group, or a transfer from the
/// first of its two members to the second. It may occur several times in a step, always alike.
struct Task {
  std::uint32_t operation = 0;  // of Job::operations
  std::uint32_t instance = 0;   // of the group; of a transfer 0
  std::vector<Rank> members{};
  std::uint64_t bytes = 0;             // but of all-to-all-v
  std::vector<std::uint64_t> pairs{};  // all-to-all-v: [from * members + to]

  /// What a member contributes to the bytes of its group: the bytes of the operation, or what it
  /// has for others and itself.
  [[nodiscard]] std::uint64_t bytes_of(Rank number) const;
};

/// Operations of one name, of all ranks.
struct NamedOperation {
  std::string name{};
  Kind kind = Kind::collective;  // send stands for both ends
  std::uint32_t group = 0;       // of a collective: of the workload's groups
  schedule::Collective type = schedule::Collective::barrier;
  reduce::ElementType data = reduce::ElementType::bfloat16;
  bool arrives = false;    // not before a time of the step: all of them, or none
  std::uint32_t part = 0;  // of the job
  std::string at{};        // the first of them
};

/// The operation of a stream that has to be over.
struct Awaited {
  std::uint32_t stream = 0;
  std::uint32_t position = 0;
};

/// One thing that a stream does in a step.
struct Entry {
  static constexpr std::uint32_t kNoTask = ~std::uint32_t{0};

  std::uint32_t operation = 0;
  std::uint32_t task = kNoTask;
  std::uint64_t microseconds = 0;  // of a compute
  std::uint64_t arrival_us = 0;    // since the step began: it does not begin before
  std::vector<Awaited> after{};
  const Operation* source = nullptr;
  bool sends = false;  // of a transfer: this end
};

struct RankStream {
  std::string name{};
  std::vector<Entry> entries{};
  std::uint32_t part = 0;  // of the job
};

struct Job;

/// What runs at the same time as other parts: of a workload that is no mix there is one.
struct JobPart {
  std::string name{};
  std::optional<std::uint8_t> traffic_class{};  // empty: as whoever runs it says
  std::vector<std::uint32_t> rails{};           // none: all
  Rank first_rank = 0;
  std::shared_ptr<const Job> alone{};  // of a mix: by itself, with its ranks from 0 on
};

/// A workload for a number of ranks: every rank's step, unrolled.
struct Job {
  Rank ranks = 0;
  std::vector<std::pair<std::string, std::int64_t>> parameters{};
  std::vector<Membership> groups{};  // as the workload has them
  std::vector<std::string> group_names{};
  std::vector<NamedOperation> operations{};
  std::vector<Task> tasks{};
  std::vector<std::uint32_t> class_of{};           // [rank] of the workload; of a mix, ranks alike
  std::vector<std::vector<RankStream>> streams{};  // [rank]
  std::map<std::string, std::int64_t> expected{};  // the workload's closed forms, evaluated
  std::vector<JobPart> parts{};

  /// Which member of an entry's task the rank is.
  [[nodiscard]] Rank number_of(const Entry& entry, Rank rank) const;
  /// "'gradients' of dp[1]" or "'activations' from rank 0 to rank 4", for messages.
  [[nodiscard]] std::string describe(const Task& task) const;
};

/// Parameters that replace the workload's: {"tp", 4}; of a mix {"train.tp", 4}.
using Settings = std::map<std::string, std::int64_t>;

/// Of lists such as "tp=4,pp=2". Throws std::invalid_argument.
[[nodiscard]] Settings settings_of(const std::vector<std::string>& words);

/// The workload has to outlive it. Throws std::invalid_argument, with the field and its line: for
/// ranks that the workload does not fit, a setting of no parameter, an expression without a value,
/// operations of one name that differ between ranks. Whether they fit together is check.hpp's.
[[nodiscard]] Job job_of(const Workload& workload, Rank ranks, const Settings& settings = {});

/// Operations of all streams of all ranks in a step, beyond which a workload is refused.
inline constexpr std::size_t kMostEntries = 20'000'000;

}  // namespace railgauge::workload
