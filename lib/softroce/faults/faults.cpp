#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {
namespace {

Faults last_rule(const FaultPlan& plan, std::string_view device, Direction direction) {
  Faults faults;
  for (const FaultRule& rule : plan.rules) {
    const bool same_device = rule.device == "*" || rule.device == device;
    const bool same_direction = direction == Direction::transmit ? rule.transmit : rule.receive;
    if (same_device && same_direction) faults = rule.faults;
  }
  return faults;
}

}  // namespace

Faults faults_of(const FaultPlan& plan, std::string_view device, Direction direction) {
  const bool transmits = direction == Direction::transmit;
  const Faults opposite =
      last_rule(plan, device, transmits ? Direction::receive : Direction::transmit);
  Faults faults = last_rule(plan, device, direction);
  faults.link_down = faults.link_down || opposite.link_down;
  // A port flaps in one rhythm: if each direction has one, that of what is sent.
  const bool has_flap = faults.flap_up.count() > 0;
  const bool opposite_rules = opposite.flap_up.count() > 0 && (!has_flap || !transmits);
  if (opposite_rules) {
    faults.flap_up = opposite.flap_up;
    faults.flap_down = opposite.flap_down;
  }
  return faults;
}

}  // namespace railgauge::softroce
