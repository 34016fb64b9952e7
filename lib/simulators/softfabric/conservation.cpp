// What comes in goes out, is dropped with a reason or is still there: of the whole model, of the
// queues at every wire, and of every line.

#include "softfabric/model.hpp"

namespace railgauge::softfabric {
namespace {

std::string sentence(const std::string& where, std::uint64_t came, std::uint64_t accounted) {
  return where + ": " + std::to_string(came) + " packets came, " + std::to_string(accounted) +
         " are accounted for";
}

std::uint64_t queued_packets(const Wire& wire) {
  std::uint64_t packets = 0;
  for (const PacketQueue& queue : wire.queues) packets += queue.packets();
  return packets;
}

}  // namespace

std::optional<std::string> Model::conservation_error() const {
  const std::uint64_t came = totals_.received + totals_.made;
  const std::uint64_t accounted = totals_.delivered + totals_.dropped + packets_held();
  std::optional<std::string> error;
  if (came != accounted) error = sentence("fabric", came, accounted);
  for (Index index = 0; index < wires_.size() && !error; ++index) error = wire_error(index);
  return error;
}

std::optional<std::string> Model::wire_error(Index index) const {
  const Wire& wire = wires_[index];
  const WireTotals& totals = wire.totals;
  const std::uint64_t left = totals.sent + totals.flushed + queued_packets(wire);
  const std::uint64_t sent = totals.sent + totals.duplicated;
  const std::uint64_t ended = totals.arrived + totals.lost + wire.flying.packets();
  std::optional<std::string> error;
  if (totals.enqueued == left && sent == ended) return error;
  const std::string name = link_name(fabric_, link_of(index)) + " " + direction_name(index);
  error = totals.enqueued == left ? sentence("line of " + name, sent, ended)
                                  : sentence("queues of " + name, totals.enqueued, left);
  return error;
}

}  // namespace railgauge::softfabric
