#include "experiments/congestion/telemetry_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <vector>

#include "congestion/observation.hpp"

namespace railgauge::runner {
namespace {

using Meaning = TelemetryMeaning;

/// Whose value it is, and where a name has that.
enum class Key : std::uint8_t {
  none,             // the switch's
  port,             // tags of the interface
  queue,            // and of the list "queue"
  switch_priority,  // and of the list "switch-priority"
  pfc_priority,     // and of the list "pfc-priority"
  element,          // the element before the last: "Ethernet8", "Ethernet8:3"
};

struct Name {
  std::string_view path;  // its end, without modules; # is a priority
  Meaning meaning;
  Key key;
  std::string_view reason = "";
};

// Sources. The names of tags and values: openconfig/gnmic, pkg/formatters/event.go (a tag is
// LIST_KEY; JSON becomes one value per leaf). Which paths there are:
//  - OpenConfig: openconfig/public, release/models/interfaces/openconfig-interfaces.yang,
//    release/models/qos/openconfig-qos-interfaces.yang, release/models/lldp/openconfig-lldp.yang;
//    Arista EOS, SONiC and Cumulus Linux have these. ecn-marked-pkts: Cumulus Linux 5, "gNMI
//    Streaming", and sonic-net/SONiC's OpenConfig support for QoS, which has a revision of the
//    model that has it.
//  - NVIDIA Cumulus Linux 5 (CumulusNetworks/docs, "gNMI Streaming", "What's New" of 5.15):
//    switch-priority, wred-dropped-pkts, no-buffer-uc-dropped-pkts, marks of an interface.
//  - SONiC's management framework: sonic-net/SONiC, doc/SONiC_QoS_Mgmt_HLD-1.1.md and its
//    openconfig-qos-ext: pfc-priority.
//  - SONiC's COUNTERS_DB: sonic-net/SONiC, doc/system-telemetry/grpc_telemetry.md, and
//    opencomputeproject/SAI, inc/saiport.h, inc/saiqueue.h. LLDP_ENTRY_TABLE: sonic-net/sonic-gnmi.
//  - Nokia SR Linux: openconfig/gnmic's documentation (interface/statistics, lldp); its queues:
//    a report on SR Linux's container.
// Not found, and not here: PFC by priority of Arista EOS and SR Linux.
constexpr std::array kNames{
    Name{"interfaces/interface/state/counters/out-pkts", Meaning::packets_sent, Key::port},
    Name{"interfaces/interface/state/counters/out-unicast-pkts", Meaning::packets_sent, Key::port},
    Name{"interfaces/interface/state/counters/in-pkts", Meaning::packets_received, Key::port},
    Name{"interfaces/interface/state/counters/in-unicast-pkts", Meaning::packets_received,
         Key::port},
    Name{"interfaces/interface/state/counters/out-discards", Meaning::drops_sending, Key::port,
         "out_discards"},
    Name{"interfaces/interface/state/counters/in-discards", Meaning::drops_receiving, Key::port,
         "in_discards"},
    Name{"interfaces/interface/state/counters/ecn-marked-pkts", Meaning::marks, Key::port},
    Name{"output/queues/queue/state/transmit-pkts", Meaning::packets_sent, Key::queue},
    Name{"output/queues/queue/state/dropped-pkts", Meaning::drops_sending, Key::queue,
         "buffer_full"},
    Name{"output/queues/queue/state/no-buffer-uc-dropped-pkts", Meaning::drops_sending, Key::queue,
         "buffer_full"},
    Name{"output/queues/queue/state/wred-dropped-pkts", Meaning::drops_sending, Key::queue, "wred"},
    Name{"output/queues/queue/state/ecn-marked-pkts", Meaning::marks, Key::queue},
    Name{"state/switch-priority/counters/in-pause-pkts", Meaning::pauses_received,
         Key::switch_priority},
    Name{"state/switch-priority/counters/out-pause-pkts", Meaning::pauses_sent,
         Key::switch_priority},
    Name{"switch-priority/state/counters/in-pause-pkts", Meaning::pauses_received,
         Key::switch_priority},
    Name{"switch-priority/state/counters/out-pause-pkts", Meaning::pauses_sent,
         Key::switch_priority},
    Name{"switch-priority/state/counters/in-discards", Meaning::drops_receiving,
         Key::switch_priority, "priority_discards"},
    Name{"pfc-priorities/pfc-priority/state/statistics/pause-frames-rx", Meaning::pauses_received,
         Key::pfc_priority},
    Name{"pfc-priorities/pfc-priority/state/statistics/pause-frames-tx", Meaning::pauses_sent,
         Key::pfc_priority},
    Name{"lldp/interfaces/interface/neighbors/neighbor/state/system-name", Meaning::neighbour,
         Key::port},
    Name{"lldp/state/system-name", Meaning::own_name, Key::none},
    Name{"interface/statistics/out-packets", Meaning::packets_sent, Key::port},
    Name{"interface/statistics/in-packets", Meaning::packets_received, Key::port},
    Name{"interface/statistics/out-discarded-packets", Meaning::drops_sending, Key::port,
         "out_discards"},
    Name{"interface/statistics/in-discarded-packets", Meaning::drops_receiving, Key::port,
         "in_discards"},
    Name{"queue/queue-statistics/aggregate-statistics/transmitted-packets", Meaning::packets_sent,
         Key::queue},
    Name{"queue/queue-statistics/aggregate-statistics/dropped-packets", Meaning::drops_sending,
         Key::queue, "buffer_full"},
    Name{"lldp/interface/neighbor/system-name", Meaning::neighbour, Key::port},
    Name{"SAI_PORT_STAT_IF_OUT_UCAST_PKTS", Meaning::packets_sent, Key::element},
    Name{"SAI_PORT_STAT_IF_IN_UCAST_PKTS", Meaning::packets_received, Key::element},
    Name{"SAI_PORT_STAT_IF_OUT_DISCARDS", Meaning::drops_sending, Key::element, "out_discards"},
    Name{"SAI_PORT_STAT_IF_IN_DISCARDS", Meaning::drops_receiving, Key::element, "in_discards"},
    Name{"SAI_PORT_STAT_ECN_MARKED_PACKETS", Meaning::marks, Key::element},
    Name{"SAI_PORT_STAT_PFC_#_RX_PKTS", Meaning::pauses_received, Key::element},
    Name{"SAI_PORT_STAT_PFC_#_TX_PKTS", Meaning::pauses_sent, Key::element},
    Name{"SAI_QUEUE_STAT_PACKETS", Meaning::packets_sent, Key::element},
    Name{"SAI_QUEUE_STAT_DROPPED_PACKETS", Meaning::drops_sending, Key::element, "buffer_full"},
    Name{"SAI_QUEUE_STAT_WRED_DROPPED_PACKETS", Meaning::drops_sending, Key::element, "wred"},
    Name{"SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS", Meaning::marks, Key::element},
    Name{"lldp_rem_sys_name", Meaning::neighbour, Key::element},
};

bool is_digit(char one) {
  return std::isdigit(static_cast<unsigned char>(one)) != 0;
}

/// Without the module of a model: "openconfig-qos:queue" is "queue". "Ethernet8:3" is no module.
std::string_view without_module(std::string_view element) {
  const std::size_t colon = element.rfind(':');
  const bool is_module = colon != std::string_view::npos &&
                         (colon + 1 == element.size() || !is_digit(element[colon + 1]));
  return is_module ? element.substr(colon + 1) : element;
}

/// Elements of a path. JSON that has the container of the path again repeats an element.
std::vector<std::string_view> elements_of(std::string_view name) {
  std::vector<std::string_view> elements;
  while (!name.empty()) {
    const std::size_t length = std::min(name.find('/'), name.size());
    const std::string_view element = without_module(name.substr(0, length));
    name.remove_prefix(std::min(length + 1, name.size()));
    if (element.empty() || (!elements.empty() && elements.back() == element)) continue;
    elements.push_back(element);
  }
  return elements;
}

/// The digit in place of #, or -1; nothing: it is another word.
std::optional<int> matched(std::string_view word, std::string_view pattern) {
  const std::size_t at = pattern.find('#');
  if (at == std::string_view::npos) return word == pattern ? std::optional(-1) : std::nullopt;
  if (word.size() != pattern.size() || !is_digit(word[at])) return std::nullopt;
  const bool same =
      word.substr(0, at) == pattern.substr(0, at) && word.substr(at + 1) == pattern.substr(at + 1);
  return same ? std::optional(word[at] - '0') : std::nullopt;
}

std::optional<int> matched(const std::vector<std::string_view>& elements, const Name& name) {
  std::string_view rest = name.path;
  std::optional<int> priority = -1;
  for (std::size_t back = 1; !rest.empty(); ++back) {
    if (back > elements.size()) return std::nullopt;
    const std::size_t slash = rest.rfind('/');
    const bool is_last = slash == std::string_view::npos;
    const auto one =
        matched(elements[elements.size() - back], is_last ? rest : rest.substr(slash + 1));
    if (!one) return std::nullopt;
    priority = std::max(*priority, *one);
    rest = is_last ? "" : rest.substr(0, slash);
  }
  return priority;
}

/// The tag of a list's key, whatever the key is called.
std::string tag_of(const TelemetryTags& tags, const std::string& list) {
  const auto tag = tags.lower_bound(list + "_");
  return tag != tags.end() && tag->first.starts_with(list + "_") ? tag->second : "";
}

/// Of "3", "UC3", "Ethernet8:3" and "unicast-3" it is 3. Names of classes, such as AF3, have other
/// numbers.
int priority_of(std::string_view queue) {
  std::size_t begin = queue.size();
  while (begin > 0 && is_digit(queue[begin - 1])) --begin;
  const std::string_view before = queue.substr(0, begin);
  const bool is_number =
      before.empty() || before == "UC" || before.ends_with(':') || before.ends_with('-');
  int number = congestion::kEveryPriority;
  constexpr int kMostQueues = 64;
  if (is_number) std::from_chars(queue.data() + begin, queue.data() + queue.size(), number);
  return number < kMostQueues ? number : congestion::kEveryPriority;
}

std::string list_of(Key key) {
  switch (key) {
    case Key::queue: return "queue";
    case Key::switch_priority: return "switch-priority";
    case Key::pfc_priority: return "pfc-priority";
    default: return "";
  }
}

void add_element(TelemetryValue& value, std::string_view element) {
  const std::size_t colon = element.find(':');
  value.port = element.substr(0, colon);
  if (colon != std::string_view::npos) value.queue = element.substr(colon + 1);
}

}  // namespace

std::string_view word(TelemetryMeaning meaning) {
  constexpr std::array<std::string_view, 9> kWords{
      "packets sent",          "packets received",  "ECN marks",
      "pause frames received", "pause frames sent", "output drops",
      "input drops",           "neighbours",        "its name"};
  return kWords.at(static_cast<std::size_t>(meaning));
}

std::optional<TelemetryValue> telemetry_value(std::string_view name, const TelemetryTags& tags) {
  const std::vector<std::string_view> elements = elements_of(name);
  for (std::size_t rank = 0; rank < kNames.size(); ++rank) {
    const Name& known = kNames.at(rank);
    const auto digit = matched(elements, known);
    if (!digit) continue;
    TelemetryValue value{
        .meaning = known.meaning, .reason = known.reason, .rank = static_cast<int>(rank)};
    if (known.key == Key::none) return value;
    if (known.key == Key::element) {
      if (elements.size() < 2) return std::nullopt;
      add_element(value, elements[elements.size() - 2]);
    } else {
      value.port = tag_of(tags, "interface");
      if (const std::string list = list_of(known.key); !list.empty()) {
        value.queue = tag_of(tags, list);
        if (value.queue.empty()) return std::nullopt;
      }
    }
    if (*digit >= 0) value.queue = std::to_string(*digit);
    if (!value.queue.empty()) value.priority = priority_of(value.queue);
    return value.port.empty() ? std::nullopt : std::optional(std::move(value));
  }
  return std::nullopt;
}

}  // namespace railgauge::runner
