#pragma once

#include <map>
#include <string>
#include <vector>

#include "isolation/batch.hpp"
#include "isolation/evidence.hpp"
#include "job/communicator.hpp"
#include "paths/trace.hpp"
#include "runner/isolation/tested_nics.hpp"

namespace railgauge::runner {

struct LabelSettings {
  std::uint8_t traffic_class = 0;  ///< that of the data
  int source_ports = 12;           ///< between each two NICs
  int probes_per_second = 100;     ///< of a host
  std::uint64_t seed = 1;          ///< of the source ports
};

/// Which way each source port takes between two NICs, as the sender's host is told by the switches.
/// The same on all ranks.
class PathLabels {
 public:
  /// All of them have to outlive it. `own` is this rank.
  PathLabels(job::Communicator& communicator, const std::vector<TestedNic>& nics,
             const LabelSettings& settings);

  /// Collective: traces what was not traced yet, both ways, each sender its own; new switches go
  /// into the evidence, and routes to the batches. If it turns out that switches choose by more
  /// than the source port, only the first and the last switch of a way are kept, in the evidence,
  /// too.
  void trace(const std::vector<isolation::Pair>& pairs, isolation::Evidence& evidence,
             isolation::Batches& batches);

  /// The number of the switch that answers from that address; -1 for an empty one.
  [[nodiscard]] int number_of(const std::string& address, isolation::Evidence& evidence);

  /// What is not known, and why: sentences, once each. The same on all ranks.
  [[nodiscard]] std::vector<std::string> notes() const { return notes_; }
  [[nodiscard]] bool sprayed() const { return balance_ == paths::Balance::sprayed; }

 private:
  /// What a rank tells of one of its traces.
  struct Told {
    std::size_t from = 0;
    std::size_t to = 0;
    paths::Balance balance = paths::Balance::unknown;
    std::vector<std::pair<std::uint16_t, std::vector<std::string>>> ways{};
    std::string note{};
  };

  [[nodiscard]] Told traced(std::size_t from, std::size_t to);
  [[nodiscard]] paths::Trace ask(const TestedNic& from, const TestedNic& to);
  [[nodiscard]] std::vector<Told> shared(const std::vector<Told>& own);
  void take(const Told& told, isolation::Evidence& evidence, isolation::Batches& batches);
  void take_balance(paths::Balance balance, isolation::Evidence& evidence);
  void note(const std::string& text);
  [[nodiscard]] bool tells_way() const;

  job::Communicator& communicator_;
  const std::vector<TestedNic>& nics_;
  LabelSettings settings_;
  std::vector<std::uint16_t> ports_;
  bool controlled_ = false;  // this rank knows whether switches can be relied on
  paths::Balance balance_ = paths::Balance::unknown;
  std::map<std::string, int> switches_;
  std::vector<Told> all_;
  std::vector<std::string> notes_;
};

}  // namespace railgauge::runner
