#include "executor/report.hpp"

#include <sstream>

namespace railgauge::executor {
namespace {

void describe_op(std::ostream& out, const Plan& plan, const PlannedOp& op, std::size_t done) {
  out << "step " << op.step + 1 << " of " << plan.steps << " (" << plan.algorithm << ", block "
      << op.blocks.first;
  if (op.blocks.count > 1) out << "-" << op.blocks.end() - 1;
  out << ", " << done * plan.element_bytes << " of " << op.span.size() * plan.element_bytes
      << " bytes)";
}

void describe_arrivals(std::ostream& out, const Plan& plan, const RunProgress& lane,
                       std::span<const std::uint32_t> ops, const std::string& where) {
  if (lane.apply.op >= ops.size()) return;
  out << "waits for ";
  describe_op(out, plan, plan.ops[ops[lane.apply.op]], lane.apply.elements);
  out << " from " << where << "; " << lane.announced - lane.arrived
      << " pieces granted and not arrived\n";
}

void describe_sends(std::ostream& out, const Plan& plan, const RunProgress& lane,
                    std::span<const std::uint32_t> ops, const std::string& where) {
  if (lane.acknowledged_op >= ops.size()) return;
  const PlannedOp& op = plan.ops[ops[lane.acknowledged_op]];
  const bool posted = lane.send.op > lane.acknowledged_op;
  out << (posted ? "waits for acknowledgement of "
                 : (lane.sent == lane.credit ? "waits for credit to send " : "has yet to send "));
  describe_op(out, plan, op, posted ? op.span.size() : lane.send.elements);
  out << " to " << where << "\n";
}

}  // namespace

std::string waiting_for(const Plan& plan, std::span<const LaneProgress> lanes,
                        const transport::Transport& transport) {
  std::ostringstream lines;
  for (transport::Lane lane = 0; lane < lanes.size(); ++lane) {
    const std::string where = transport.describe(lane);
    describe_arrivals(lines, plan, lanes[lane].now, plan.arrivals[lane], where);
    describe_sends(lines, plan, lanes[lane].now, plan.sends[lane], where);
  }
  std::string text = lines.str();
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace railgauge::executor
