#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/pairs/path_tracer.hpp"
#include "isolation/batch.hpp"
#include "isolation/evidence.hpp"
#include "job/communicator.hpp"

namespace railgauge::runner {

/// What switches tell of paths, as lib/isolation takes it. The same on all ranks.
class PathLabels {
 public:
  /// `communicator` and `nics` have to outlive it.
  PathLabels(job::Communicator& communicator, const AllNics& nics, TraceSettings settings)
      : tracer_(communicator, nics, HostTracer(std::move(settings))) {}

  /// Collective: traces what was not traced yet, both directions, each sender its own; new switches
  /// go into the evidence, and routes to the batches. If it turns out that switches choose by more
  /// than the source port, only the first and the last switch of a path are kept, in the evidence,
  /// too.
  void trace(const std::vector<isolation::Pair>& pairs, isolation::Evidence& evidence,
             isolation::Batches& batches);

  /// The number of the switch that answers from that address; -1 for an empty one.
  [[nodiscard]] int number_of(const std::string& address, isolation::Evidence& evidence);

  /// What is not known, and why: sentences, once each. The same on all ranks.
  [[nodiscard]] std::vector<std::string> notes() const { return tracer_.notes(); }

 private:
  [[nodiscard]] isolation::Route route_of(const TracedPath& path, const PortSwitches& port,
                                          isolation::Evidence& evidence);
  void take(const TracedPath& path, isolation::Evidence& evidence, isolation::Batches& batches);

  PathTracer tracer_;
  std::map<std::string, int> switches_;
};

}  // namespace railgauge::runner
