#include <nlohmann/json.hpp>

#include "softfabric/telemetry.hpp"

namespace railgauge::softfabric {
namespace {

using Json = nlohmann::ordered_json;

/// A field of counters_of() as a metric.
struct Metric {
  const char* field;
  const char* name;
  const char* type;
  const char* help;
};

constexpr Metric kMetrics[] = {
    // NOLINT(modernize-avoid-c-arrays): its size is the list's
    {"sent_packets", "softfabric_sent_packets_total", "counter", "Packets put on the line"},
    {"sent_bytes", "softfabric_sent_bytes_total", "counter", "Bytes of frames put on the line"},
    {"received_packets", "softfabric_received_packets_total", "counter", "Packets off the line"},
    {"ce_marks", "softfabric_ce_marks_total", "counter", "Packets marked with CE"},
    {"pauses_sent", "softfabric_pauses_sent_total", "counter",
     "Pause frames that the receiver sent about this direction"},
    {"pauses_received", "softfabric_pauses_received_total", "counter",
     "Pause frames that the sender received"},
    {"paused_us", "softfabric_paused_microseconds_total", "counter", "Time that the sender paused"},
    {"queue_bytes", "softfabric_queue_bytes", "gauge", "Bytes that wait now"},
    {"queue_most_bytes", "softfabric_queue_most_bytes", "gauge", "Most bytes that have waited"},
};

std::string label(const char* name, const Json& value) {
  return std::string(name) + "=\"" + (value.is_string() ? value.get<std::string>() : value.dump()) +
         "\"";
}

std::string labels_of(const Json& direction, const Json& priority) {
  std::string text = label("link", direction["link"]);
  for (const char* name : {"direction", "from", "to"}) text += "," + label(name, direction[name]);
  return text + "," + label("priority", priority["priority"]);
}

void head(std::string& text, const char* name, const char* type, const char* help) {
  text += std::string("# HELP ") + name + " " + help + "\n# TYPE " + name + " " + type + "\n";
}

template <class Line>
void each_priority(const Json& counters, const Line& line) {
  for (const Json& direction : counters["directions"]) {
    for (const Json& priority : direction["priorities"]) line(direction, priority);
  }
}

void add(std::string& text, const Json& counters, const Metric& metric) {
  head(text, metric.name, metric.type, metric.help);
  each_priority(counters, [&](const Json& direction, const Json& priority) {
    text += std::string(metric.name) + "{" + labels_of(direction, priority) + "} " +
            priority[metric.field].dump() + "\n";
  });
}

void add_drops(std::string& text, const Json& counters) {
  head(text, "softfabric_dropped_packets_total", "counter", "Packets dropped, by reason");
  each_priority(counters, [&](const Json& direction, const Json& priority) {
    for (const auto& [reason, count] : priority["drops"].items()) {
      text += "softfabric_dropped_packets_total{" + labels_of(direction, priority) + "," +
              label("reason", reason) + "} " + count.dump() + "\n";
    }
  });
}

void add_number(std::string& text, const char* name, const char* type, const char* help,
                const Json& value) {
  head(text, name, type, help);
  text += std::string(name) + " " + value.dump() + "\n";
}

}  // namespace

std::string prometheus_of(const Model& model) {
  const Json counters = counters_of(model);
  std::string text;
  for (const Metric& metric : kMetrics) add(text, counters, metric);
  add_drops(text, counters);
  add_number(text, "softfabric_late_packets_total", "counter",
             "Packets delivered late by softswitch", counters["lateness"]["late_packets"]);
  add_number(text, "softfabric_unread_packets_total", "counter",
             "Packets of hosts that softswitch lost unread",
             counters["lateness"]["unread_packets"]);
  add_number(text, "softfabric_refused_packets_total", "counter",
             "Packets to hosts that the kernel did not take",
             counters["lateness"]["refused_packets"]);
  return text;
}

}  // namespace railgauge::softfabric
