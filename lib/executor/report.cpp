#include "executor/report.hpp"

#include <sstream>
#include <utility>

namespace railgauge::executor {
namespace {

void describe_op(std::ostream& out, const Plan& plan, const PlannedOp& op, std::size_t done) {
  out << "step " << op.step + 1 << " of " << plan.steps << " (" << plan.algorithm << ", block "
      << op.blocks.first;
  if (op.blocks.count > 1) out << "-" << op.blocks.end() - 1;
  out << ", " << done * plan.element_bytes << " of " << op.span.size() * plan.element_bytes
      << " bytes)";
}

void describe_arrivals(std::ostream& out, const Plan& plan, const RunProgress& channel,
                       std::span<const std::uint32_t> ops, const std::string& where) {
  if (channel.apply.op >= ops.size()) return;
  out << "\nwaits for ";
  describe_op(out, plan, plan.ops[ops[channel.apply.op]], channel.apply.elements);
  out << " from " << where << "; " << channel.announced - channel.arrived
      << " chunks granted but not arrived";
}

void describe_sends(std::ostream& out, const Plan& plan, const RunProgress& channel,
                    std::span<const std::uint32_t> ops, const std::string& where) {
  if (channel.acknowledged_op >= ops.size()) return;
  const PlannedOp& op = plan.ops[ops[channel.acknowledged_op]];
  const bool posted = channel.send.op > channel.acknowledged_op;
  out << (posted ? "\nwaits for acknowledgement of "
                 : (channel.sent == channel.credit ? "\nwaits for credit to send "
                                                   : "\nhas yet to send "));
  describe_op(out, plan, op, posted ? op.span.size() : channel.send.elements);
  out << " to " << where;
}

finding::Finding timed_out(finding::Location where, finding::Certainty certainty) {
  auto found = finding::found("run", finding::Cause::time_out, std::move(where));
  found.certainty = certainty;
  found.detail = certainty == finding::Certainty::possible ? "time-out: no data arrived"
                                                           : "time-out: data were not acknowledged";
  return found;
}

bool writes(const Plan& plan, const PlannedOp& op, std::size_t element) {
  const Layout& layout = plan.stripes[op.stripe];
  for (std::size_t i = 0; i < op.span.size(); ++i) {
    if (layout.offset_of(op.at + i) == element) return true;
  }
  return false;
}

}  // namespace

std::string waiting_for(const Plan& plan, std::span<const ChannelProgress> channels,
                        const transport::Transport& transport) {
  std::ostringstream lines;
  for (transport::Channel channel = 0; channel < channels.size(); ++channel) {
    const std::string where = transport.describe(channel);
    describe_arrivals(lines, plan, channels[channel].now, plan.arrivals[channel], where);
    describe_sends(lines, plan, channels[channel].now, plan.sends[channel], where);
  }
  return lines.str();
}

std::vector<finding::Finding> awaited(const Plan& plan, std::span<const ChannelProgress> channels,
                                      const transport::Transport& transport) {
  std::vector<finding::Finding> all;
  for (transport::Channel channel = 0; channel < channels.size(); ++channel) {
    const RunProgress& now = channels[channel].now;
    finding::Location path = transport.path(channel);
    if (!path.peer) continue;
    const bool posted =
        now.acknowledged_op < plan.sends[channel].size() && now.send.op > now.acknowledged_op;
    if (posted) all.push_back(timed_out(path, finding::Certainty::likely));
    if (now.apply.op >= plan.arrivals[channel].size()) continue;
    std::swap(path.at, *path.peer);
    all.push_back(timed_out(path, finding::Certainty::possible));
  }
  return all;
}

std::optional<transport::Channel> delivered_by(const Plan& plan, std::size_t element) {
  std::optional<transport::Channel> channel;
  for (const PlannedOp& op : plan.ops) {
    const bool arrives = op.action == Action::receive || op.action == Action::reduce;
    if (arrives && op.writes == Buffer::output && writes(plan, op, element)) channel = op.channel;
  }
  return channel;
}

std::optional<schedule::Block> carried_as(const Plan& plan, schedule::Block blocks,
                                          std::size_t element) {
  for (const Layout& stripe : plan.stripes) {
    for (schedule::Block block = 0; block < blocks; ++block) {
      const auto span = stripe.span({block, 1});
      const std::size_t begin = stripe.offset_of(span.begin);
      if (element >= begin && element - begin < span.size()) return block;
    }
  }
  return std::nullopt;
}

}  // namespace railgauge::executor
