#include "executor/delivery.hpp"

namespace railgauge::executor {
namespace {

bool writes(const Plan& plan, const PlannedOp& op, std::size_t element) {
  const Layout& layout = plan.stripes[op.stripe];
  for (std::size_t i = 0; i < op.span.size(); ++i) {
    if (layout.offset_of(op.at + i) == element) return true;
  }
  return false;
}

}  // namespace

std::optional<transport::Channel> delivered_by(const Plan& plan, std::size_t element) {
  std::optional<transport::Channel> channel;
  for (const PlannedOp& op : plan.ops) {
    const bool arrives = op.action == Action::receive || op.action == Action::reduce;
    if (arrives && op.writes == Buffer::output && writes(plan, op, element)) channel = op.channel;
  }
  return channel;
}

}  // namespace railgauge::executor
