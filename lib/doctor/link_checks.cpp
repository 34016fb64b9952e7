// The link: whether it is up, as fast as it should be, and stays up.

#include <algorithm>
#include <optional>
#include <set>

#include "doctor/judging.hpp"
#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

using finding::Cause;

Answer is_active(const Inputs& in) {
  const std::string state = after_colon(in.values.front());
  return state == "ACTIVE" ? passed(state) : failed(state, "ACTIVE");
}

Answer is_linked(const Inputs& in) {
  const std::string state = after_colon(in.values.front());
  return state == "LinkUp" ? passed(state) : failed(state, "LinkUp");
}

Answer is_up(const Inputs& in) {
  const std::string& state = in.values.front();
  if (state == "unknown") return not_understood(state);
  return state == "up" ? passed(state) : failed(state, "up");
}

Answer has_carrier(const Inputs& in) {
  return in.values.front() == "1" ? passed("1") : failed(in.values.front(), "1");
}

Answer is_layer(const Inputs& in) {
  const std::string& layer = in.values.front();
  if (layer == "Ethernet" || layer == "InfiniBand") return passed(layer);
  return not_applicable("its link layer is " + layer);
}

Answer is_speed(const Inputs& in) {
  constexpr double kMega = 1e-3;
  const auto megabits = number_in(in.values.front());
  if (!megabits || *megabits <= 0) return not_understood(in.values.front());
  const double speed = *megabits * kMega;
  const std::string text = finding::number(speed, "Gb/s");
  const auto& wanted = in.wanted.gigabits_per_second;
  if (wanted && speed < *wanted)
    return failed(text, finding::number(*wanted, "Gb/s"), "the policy says so");
  return passed(text);
}

/// "4X" of "400 Gb/sec (4X NDR)"
Answer has_lanes(const Inputs& in) {
  const std::string& rate = in.values.front();
  const std::size_t open = rate.find('(');
  const std::size_t end = rate.find('X');
  if (open == std::string::npos || end == std::string::npos || end < open)
    return not_understood(rate);
  return passed(rate.substr(open + 1, end - open));
}

/// Flaps of long ago are no news: they are counted by the day.
Answer stays_up(const Inputs& in) {
  constexpr double kOfStart = 2;  // the driver's own resets while the host boots
  constexpr double kMost = 5;     // Azure's limit for 24 hours
  const auto downs = number_in(in.values[0]);
  const auto uptime = number_in(in.values[1]);
  if (!downs || !uptime) return not_understood(in.values[0] + ", " + in.values[1]);
  const double daily = std::max(*downs - kOfStart, 0.0) / std::max(*uptime / kDay, 1.0);
  const std::string text = finding::number(*downs) + " since boot";
  if (daily < kMost) return passed(text);
  return warned(text, "less than 5 a day", finding::number(daily) + " a day");
}

Answer has_fec(const Inputs& in) {
  constexpr double kNeedsIt = 50000;  // Mb/s: from 50 Gb/s on, lanes are PAM4, or standards want it
  const std::string& fec = in.values[0];
  const auto speed = number_in(in.values[1]);
  if (!speed || *speed <= 0) return not_understood(in.values[1]);
  if (fec == "off" && *speed >= kNeedsIt) return warned(fec, "RS or BaseR at this speed");
  return passed(fec);
}

/// A link that comes up counts some; at full rate a marginal one counts more in a second.
Answer corrects_all(const Inputs& in) {
  constexpr double kMost = 100;
  const auto blocks = number_in(in.values[0]);
  const auto uptime = number_in(in.values[1]);
  if (!blocks || !uptime) return not_understood(in.values[0] + ", " + in.values[1]);
  const double daily = *blocks / std::max(*uptime / kDay, 1.0);
  const std::string text = finding::number(*blocks) + " since boot";
  if (daily < kMost) return passed(text);
  return warned(text, "less than 100 a day", finding::number(daily) + " a day");
}

/// "45.5 within -5 75": values, and the module's own alarm limits.
struct Monitored {
  std::vector<double> values{};
  double low = 0;
  double high = 0;
};

std::optional<Monitored> monitored(const std::string& text) {
  constexpr std::string_view kWithin = " within ";
  const std::size_t at = text.find(kWithin);
  if (at == std::string::npos) return std::nullopt;
  const std::string limits = text.substr(at + kWithin.size());
  const std::size_t space = std::min(limits.find(' '), limits.size());
  const auto low = number_in(limits.substr(0, space));
  const auto high = number_in(limits.substr(std::min(space + 1, limits.size())));
  Monitored found{.low = low.value_or(0), .high = high.value_or(0)};
  for (std::size_t begin = 0; begin < at;) {
    const auto value = number_in(text.substr(begin, at - begin));
    if (!value) return std::nullopt;
    found.values.push_back(*value);
    begin = std::min(text.find(' ', begin), at) + 1;
  }
  if (!low || !high || found.values.empty()) return std::nullopt;
  return found;
}

/// Near a limit it warns; of a temperature only where it is hot.
Answer keeps_within(const Inputs& in, double margin, std::string_view unit, bool both) {
  const std::string& text = in.values.front();
  const auto found = monitored(text);
  if (!found) return not_understood(text);
  const auto [least, most] = std::ranges::minmax(found->values);
  const std::string observed =
      finding::number(least, unit) +
      (found->values.size() > 1 ? " to " + finding::number(most, unit) : "");
  const std::string expected =
      finding::number(found->low) + " to " + finding::number(found->high, unit);
  if (least < found->low || most > found->high)
    return failed(observed, expected, "alarm limits of the module");
  const bool near = most > found->high - margin || (both && least < found->low + margin);
  if (!near) return passed(observed);
  return warned(observed, expected,
                "nearer than " + finding::number(margin, unit) + " to an alarm");
}

Answer is_cool(const Inputs& in) {
  constexpr double kMargin = 5;
  return keeps_within(in, kMargin, "degrees C", false);
}

Answer has_light(const Inputs& in) {
  constexpr double kMargin = 1;
  return keeps_within(in, kMargin, "dBm", true);
}

/// "eth0:up:200000 eth1:up:200000"
Answer has_members(const Inputs& in) {
  const std::string& text = in.values.front();
  std::set<std::string> states;
  std::size_t members = 0;
  for (std::size_t begin = 0; begin < text.size(); ++members) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string member = text.substr(begin, end - begin);
    const std::size_t colon = member.find(':');
    if (colon == std::string::npos) return not_understood(text);
    states.insert(member.substr(colon + 1));
    begin = end + 1;
  }
  if (members < 2) return failed(text, "two members or more");
  if (text.find(":up:") == std::string::npos || states.size() > 1)
    return failed(text, "all up, with one speed");
  return passed(std::to_string(members) + " members " + *states.begin());
}

Answer has_few_errors(const Inputs& in) {
  constexpr double kMost = 1e-8;  // of packets since boot
  const auto errors = number_in(in.values[0]);
  const auto packets = number_in(in.values[1]);
  if (!errors || !packets) return not_understood(in.values[0]);
  const std::string text = finding::percent(*errors / std::max(*packets, 1.0)) + " since boot";
  if (*errors <= std::max(1.0, *packets * kMost)) return passed(text);
  return warned(text, "less than 0.000001 %");
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks link_checks() {
  const std::uint8_t of_module = hardware | roce | whole_card | bare_metal;
  const std::string_view no_module =
      "its module has no optical monitors, as a copper cable, or its driver does not show them";
  const std::string_view cable =
      "check cable, transceiver and switch port; ip link set {netdev} up";
  return {
      {.name = "port-state",
       .title = "port state",
       .reads = {"class/infiniband/{device}/ports/{port}/state"},
       .expects = "ACTIVE",
       .judge = is_active,
       .cause = Cause::link_down,
       .remedy = cable,
       .source = "Azure NHC check_hw_ib"},
      {.name = "physical-state",
       .title = "physical state",
       .reads = {"class/infiniband/{device}/ports/{port}/phys_state"},
       .expects = "LinkUp",
       .judge = is_linked,
       .cause = Cause::link_down,
       .remedy = cable,
       .source = "Azure NHC check_hw_ib"},
      {.name = "operating-state",
       .title = "state of its network device",
       .reads = {"class/net/{netdev}/operstate"},
       .expects = "up",
       .needs = hardware | roce,
       .judge = is_up,
       .cause = Cause::link_down,
       .remedy = "ip link set {netdev} up",
       .source = "Meta GCM: OPERSTATE"},
      {.name = "carrier",
       .title = "carrier",
       .reads = {"class/net/{netdev}/carrier"},
       .expects = "1",
       .needs = hardware | roce,
       .judge = has_carrier,
       .cause = Cause::link_down,
       .remedy = cable,
       .source = "kernel ABI sysfs-class-net"},
      {.name = "link-layer",
       .title = "link layer",
       .reads = {"class/infiniband/{device}/ports/{port}/link_layer"},
       .expects = "the same on all devices of one model",
       .judge = is_layer,
       .alike = Alike::models,
       .if_odd = Verdict::fail,
       .cause = Cause::link_down,
       .remedy = "devlink dev param set pci/{pci}, or mlxconfig -d {pci} set LINK_TYPE_P1=2",
       .source = "Meta GCM: PROTOCOL_MISMATCH"},
      {.name = "port-speed",
       .title = "port speed",
       .reads = {"class/net/{netdev}/speed"},
       .expects = "the policy's",
       .needs = hardware | roce | whole_card | bare_metal,
       .judge = is_speed,
       .cause = Cause::link_speed,
       .remedy = "ethtool {netdev}; check breakout and autonegotiation of the switch port",
       .source = "Azure NHC: 400; Meta GCM: LINK_RATE_MISMATCH"},
      {.name = "link-speed",
       .title = "speeds of links",
       .of = Kind::fabric,
       .expects = "as most of the rail and model; RDMA and network device report the same",
       .adopts = {Cause::link_speed},
       .source = "Meta GCM check_iblink: LINK_RATE_MISMATCH"},
      {.name = "link-width",
       .title = "width of the link",
       .reads = {"class/infiniband/{device}/ports/{port}/rate"},
       .expects = "the same on all devices of one model",
       .needs = hardware | roce,
       .judge = has_lanes,
       .alike = Alike::models,
       .cause = Cause::link_speed,
       .remedy = "check the cable and the breakout of the switch port",
       .source = "Azure NHC check_hw_ib: rate and width"},
      {.name = "duplex",
       .title = "duplex",
       .reads = {"class/net/{netdev}/duplex"},
       .expects = "full",
       .needs = hardware | roce | bare_metal,
       .judge =
           [](const Inputs& in) {
             const std::string& text = in.values.front();
             if (text == "full") return passed(text);
             return text == "half" ? failed(text, "full") : not_understood(text);
           },
       .cause = Cause::link_speed,
       .remedy = "ethtool -s {netdev} duplex full",
       .source = "kernel ABI sysfs-class-net"},
      {.name = "link-flaps",
       .title = "number of carrier losses",
       .reads = {"class/net/{netdev}/carrier_down_count", "proc/uptime"},
       .expects = "less than 5 a day",
       .needs = hardware | roce,
       .judge = stays_up,
       .cause = Cause::link_down,
       .remedy = "reseat or replace cable and transceiver",
       .source = "Azure NHC azure_ib_link_flapping: 5 in 24 h"},
      {.name = "fec",
       .title = "forward error correction",
       .reads = {"ethtool/{netdev}/fec", "class/net/{netdev}/speed"},
       .expects = "on from 50 Gb/s; the same on all devices of one model",
       .needs = hardware | roce | bare_metal | whole_card,
       .absent = "its driver does not report it",
       .judge = has_fec,
       .alike = Alike::models,
       .cause = Cause::link_speed,
       .remedy = "ethtool --set-fec {netdev} encoding rs, and the same on the switch",
       .source = "IEEE 802.3ck"},
      {.name = "fec-blocks",
       .title = "number of FEC blocks that could not be corrected",
       .reads = {"counters/{device}/{port}/fec_uncorrectable_blocks", "proc/uptime"},
       .expects = "less than 100 a day; with --since, 0 (symbol-errors)",
       .needs = of_module,
       .absent = "its driver does not count them",
       .judge = corrects_all,
       .cause = Cause::corruption,
       .remedy = "clean the fibre ends; then replace cable or the transceivers of {netdev}",
       .source = "IEEE 802.3, 30.5.1.1.18; the limit is an own value"},
      {.name = "module-temperature",
       .title = "temperature of the module",
       .reads = {"module/{netdev}/temperature"},
       .expects = "5 degrees below its own alarm",
       .needs = of_module,
       .absent = no_module,
       .judge = is_cool,
       .cause = Cause::link_down,
       .remedy = "check air flow, dust caps of empty cages and load; ethtool -m {netdev}",
       .source = "SFF-8636, CMIS: alarm limits of the module; sichek"},
      {.name = "module-rx-power",
       .title = "received light of the module's lanes",
       .reads = {"module/{netdev}/rx-power"},
       .expects = "1 dB within its own alarms",
       .needs = of_module,
       .absent = no_module,
       .judge = has_light,
       .cause = Cause::link_down,
       .remedy = "clean the fibre ends; then replace cable or the transceiver of the switch port",
       .source = "SFF-8636, CMIS; sichek: narrowed by 1 dB"},
      {.name = "module-tx-power",
       .title = "sent light of the module's lanes",
       .reads = {"module/{netdev}/tx-power"},
       .expects = "1 dB within its own alarms",
       .needs = of_module,
       .absent = no_module,
       .judge = has_light,
       .cause = Cause::link_down,
       .remedy = "replace the transceiver of {netdev}",
       .source = "SFF-8636, CMIS; sichek: narrowed by 1 dB"},
      {.name = "bond-members",
       .title = "set of members of the bond",
       .reads = {"bond/{netdev}/members"},
       .expects = "two or more, all up, with one speed; the same on all devices of one model",
       .needs = hardware | roce,
       .absent = "its network device is not a bond",
       .judge = has_members,
       .alike = Alike::models,
       .cause = Cause::link_down,
       .remedy = "cat /proc/net/bonding/{netdev}; check cable and switch port of the member",
       .source = "kernel bonding; NVIDIA RoCE LAG: a lost member halves the port silently"},
      {.name = "crc-errors",
       .title = "share of packets with CRC errors",
       .reads = {"class/net/{netdev}/statistics/rx_crc_errors",
                 "class/net/{netdev}/statistics/rx_packets"},
       .expects = "less than 0.000001 %",
       .needs = hardware | roce,
       .judge = has_few_errors,
       .cause = Cause::corruption,
       .remedy = "clean or replace cable and transceiver",
       .source = "sichek: growth of CRC errors"},
  };
}

}  // namespace railgauge::doctor
