#include <algorithm>
#include <array>
#include <tuple>

#include "congestion/scenario.hpp"
#include "report/congestion_pictures.hpp"
#include "report/html.hpp"

namespace railgauge::report {
namespace {

using congestion::Scenario;
using results::CongestionBody;
using results::CongestionFlow;
using results::CongestionRow;
using results::Endpoint;

constexpr const char* kWhatInterferes =
    "<p>Each figure of a flow next to other traffic, over the figure of the same flow alone. A "
    "worse ratio has a darker cell. Under \"alone\" is the figure itself.</p>\n";

constexpr std::size_t kMostNeighbours = 12;  // steps with a column each

/// What is compared.
struct FlowFigure {
  const char* name;
  bool more_is_better;
  std::optional<double> (*of)(const CongestionFlow& flow);
};

constexpr std::array kFlowFigures{
    FlowFigure{"GB/s", true,
               [](const CongestionFlow& flow) { return std::optional(flow.gigabytes_per_second); }},
    FlowFigure{"p50,\u00a0µs", false,
               [](const CongestionFlow& flow) {
                 return flow.time ? std::optional(flow.time->p50_us) : std::nullopt;
               }},
    FlowFigure{"p99,\u00a0µs", false, [](const CongestionFlow& flow) {
                 return flow.time ? std::optional(flow.time->p99_us) : std::nullopt;
               }}};

/// Whether one of the scenario's steps has a flow alone that others have next to more.
bool measures_a_flow(const CongestionRow& row) {
  return row.scenario == congestion::word(Scenario::victim) ||
         row.scenario == congestion::word(Scenario::classes);
}

/// "victim: host4 mlx5_0 to host1 mlx5_0"
std::string flow_in_words(const CongestionRow& row, const CongestionFlow& flow) {
  return row.scenario + ": " + flow.from.host + " " + flow.from.device + " to " + flow.to.host +
         " " + flow.to.device;
}

}  // namespace

std::vector<MeasuredFlow> measured_flows(const CongestionBody& body) {
  std::vector<MeasuredFlow> flows;
  std::map<std::tuple<std::string, Endpoint, Endpoint>, std::size_t> places;
  for (const CongestionRow& row : body.rows) {
    for (const CongestionFlow& flow : row.flows) {
      if (!flow.victim || !measures_a_flow(row)) continue;
      const auto [place, is_new] =
          places.try_emplace({row.scenario, flow.from, flow.to}, flows.size());
      if (is_new) flows.push_back({flow_in_words(row, flow), {}, {}});
      MeasuredFlow& measured = flows[place->second];
      if (row.flows.size() == 1) measured.alone = {&row, &flow};
      if (row.flows.size() > 1) measured.next_to[row.step] = {&row, &flow};
    }
  }
  std::erase_if(flows, [](const MeasuredFlow& flow) { return !flow.alone; });
  return flows;
}

const CongestionFlow* flow_in(const CongestionRow& row, const MeasuredFlow& measured) {
  const auto found = measured.next_to.find(row.step);
  return found == measured.next_to.end() || found->second.row != &row ? nullptr
                                                                      : found->second.flow;
}

namespace {

/// The steps in which one of these flows had company, in their order.
std::vector<std::string> neighbours_of(const CongestionBody& body,
                                       const std::vector<MeasuredFlow>& flows) {
  std::vector<std::string> steps;
  for (const CongestionRow& row : body.rows) {
    for (const MeasuredFlow& flow : flows) {
      if (flow_in(row, flow) != nullptr) add_once(steps, row.step);
    }
  }
  return steps;
}

/// A void step proves nothing: its number is there, but not shaded.
Cell shaded_cell(double number, double worse_by, bool step_is_void) {
  if (step_is_void) return {number_text(number) + " (void)", "warn"};
  return {number_text(number), heat(worse_by)};
}

Cell ratio_cell(const FlowFigure& figure, double alone, const FlowOfStep& with,
                bool alone_is_void) {
  const std::optional<double> value = figure.of(*with.flow);
  if (!value) return {};
  const double ratio = *value / alone;
  return shaded_cell(ratio, figure.more_is_better ? 1 / ratio : ratio,
                     alone_is_void || is_void(*with.row));
}

/// Empty without a figure to compare with.
Row figure_row(const MeasuredFlow& measured, const FlowFigure& figure,
               const std::vector<std::string>& steps) {
  const std::optional<double> alone = figure.of(*measured.alone->flow);
  if (!alone || *alone <= 0) return {};
  const bool alone_is_void = is_void(*measured.alone->row);
  Row row{measured.name, figure.name, shaded_cell(*alone, 1, alone_is_void)};
  for (const std::string& step : steps) {
    const auto with = measured.next_to.find(step);
    row.push_back(with == measured.next_to.end()
                      ? Cell{}
                      : ratio_cell(figure, *alone, with->second, alone_is_void));
  }
  return row;
}

}  // namespace

std::string congestion_interference(const CongestionBody& body) {
  const std::vector<MeasuredFlow> flows = measured_flows(body);
  std::vector<std::string> steps = neighbours_of(body, flows);
  if (steps.empty()) return "";
  const std::size_t hidden = steps.size() - std::min(steps.size(), kMostNeighbours);
  steps.resize(steps.size() - hidden);
  std::vector<Row> rows;
  for (const MeasuredFlow& flow : flows) {
    for (const FlowFigure& figure : kFlowFigures) {
      if (Row row = figure_row(flow, figure, steps); !row.empty()) rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) return "";
  std::vector<std::string> head{"flow", "figure", "alone"};
  head.insert(head.end(), steps.begin(), steps.end());
  return section("Interference",
                 kWhatInterferes + ranked_table(head, rows, "figures") + left_out(hidden, "steps"));
}

}  // namespace railgauge::report
