#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "congestion/scenario.hpp"
#include "experiments/pairs/all_nics.hpp"
#include "flow/plan.hpp"
#include "results/congestion.hpp"

namespace railgauge::runner {

class Session;

/// What a flow did, and whether a process may be why.
struct FlowResult {
  results::CongestionFlow flow{};
  /// Which process was descheduled, for so long that the flow says nothing, a sentence; empty:
  /// none.
  std::string descheduled{};
};

/// Payload that a link carries, in GB/s: the line rate without the headers of RoCEv2.
[[nodiscard]] double payload_rate(const pairs::Nic& nic);

/// What a flow sends unless something slows it down, in GB/s of payload: its part of the receiver's
/// link, or all that the sender's link carries.
[[nodiscard]] double offered_rate(const congestion::PlannedFlow& flow, const AllNics& all);

/// Flows that run at the same time; a NIC may be in several. One thread drives all of a rank.
class FlowGroup {
 public:
  using Flows = std::vector<congestion::PlannedFlow>;

  /// Both have to outlive it.
  FlowGroup(Session& session, const AllNics& all) : session_(session), all_(all) {}

  /// Source ports of each flow's queue pairs; empty: the driver's choice.
  using SourcePorts = std::vector<std::vector<std::uint16_t>>;

  /// `other_class`: the traffic class of flows that have the other one. Collective, with the same
  /// arguments on all ranks: comes back when all flows are over, with
  /// what came of them, on every rank and in their order. Throws job::RunFailure for what ends a
  /// run, std::system_error if a NIC cannot be opened.
  [[nodiscard]] std::vector<FlowResult> run(const flow::Plan& plan, const Flows& flows,
                                            const SourcePorts& ports, std::uint8_t other_class);

 private:
  struct End;
  struct Told;

  [[nodiscard]] std::vector<End> own_ends(const flow::Plan& plan, const Flows& flows,
                                          const SourcePorts& ports, std::uint8_t other_class) const;
  void connect(std::vector<End>& ends);
  void drive(std::vector<End>& ends);
  [[nodiscard]] std::vector<Told> told_by(const std::vector<End>& ends, double cpu_share) const;

  Session& session_;
  const AllNics& all_;
};

}  // namespace railgauge::runner
