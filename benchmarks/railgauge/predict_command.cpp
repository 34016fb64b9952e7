#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/fabric_options.hpp"
#include "benchmarks/railgauge/measured_runs.hpp"
#include "fabric/document.hpp"
#include "finding/words.hpp"
#include "json/text.hpp"
#include "manual/manual.hpp"
#include "options/shared.hpp"
#include "predict/prediction.hpp"
#include "predict/published.hpp"
#include "results/input_file.hpp"
#include "results/output_file.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::benchmarks {
namespace {

using predict::Order;

constexpr unsigned kMostPairs = 1024;
constexpr std::uint64_t kMostPredicted = 1U << 20U;

/// What one prediction is about, before its fabric is sized or read.
struct Asked {
  fabric::Request request{};
  predict::Scenario scenario{};
  bool hosts_given = false;
};

/// An axis of --sweep: sets what one of its values says.
struct Axis {
  const char* name;
  void (*set)(Asked& asked, const std::string& value);
};

constexpr std::array kAxes{Axis{"size",
                                [](Asked& asked, const std::string& value) {
                                  asked.scenario.sizes = {options::size().parse(value)};
                                }},
                           Axis{"hosts",
                                [](Asked& asked, const std::string& value) {
                                  asked.request.hosts = count().parse(value);
                                  asked.hosts_given = true;
                                }},
                           Axis{"qps",
                                [](Asked& asked, const std::string& value) {
                                  asked.scenario.routing.queue_pairs =
                                      options::parse_whole<unsigned>(value, 1, kMostPairs);
                                }},
                           Axis{"balance",
                                [](Asked& asked, const std::string& value) {
                                  asked.scenario.routing.balance = balance().syntax.parse(value);
                                }},
                           Axis{"oversubscription",
                                [](Asked& asked, const std::string& value) {
                                  asked.request.oversubscription = ratio().parse(value);
                                }},
                           Axis{"failures", [](Asked& asked, const std::string& value) {
                                  asked.scenario.routing.dead_spines =
                                      options::parse_whole<fabric::Count>(value, 0, kMostFailures);
                                }}};

/// "hosts=32,64".
struct Swept {
  const Axis* axis = nullptr;
  std::vector<std::string> values{};
};

Swept parse_sweep(const std::string& word) {
  const std::size_t at = word.find('=');
  const std::string name = word.substr(0, at);
  const auto axis = std::ranges::find_if(kAxes, [&](const Axis& one) { return one.name == name; });
  if (axis == kAxes.end()) {
    std::vector<std::string> names;
    names.reserve(std::size(kAxes));
    for (const Axis& one : kAxes) names.emplace_back(one.name);
    options::throw_expected(name, names);
  }
  Swept swept{&*axis};
  const auto tried = std::make_unique<Asked>();  // g++ 12 takes one on the stack for uninitialised
  for (const std::string& value :
       finding::split(at == std::string::npos ? "" : word.substr(at + 1))) {
    axis->set(*tried, value);
    if (std::ranges::find(swept.values, value) != swept.values.end()) {
      throw std::invalid_argument(value + " is given twice");
    }
    swept.values.push_back(value);
  }
  if (swept.values.empty()) throw std::invalid_argument("expected values: " + name + "=A,B,C");
  return swept;
}

options::Syntax<Swept> sweep() {
  return {"AXIS=VALUE[,...]", parse_sweep, [](const Swept& swept) {
            std::string text;
            for (const std::string& value : swept.values) text += (text.empty() ? "" : ",") + value;
            return swept.axis == nullptr ? text : swept.axis->name + ("=" + text);
          }};
}

class PredictCommand final : public Command {
 public:
  PredictCommand();

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  void add_ranks();
  void add_inputs();
  void add_results();
  void take_options(Asked& asked) const;
  void take_result(Asked& asked, std::ostream& remarks) const;
  void take_fabric(const Asked& asked, predict::Scenario& scenario, std::ostream& remarks) const;
  void take_ranks(const Asked& asked, predict::Scenario& scenario) const;
  [[nodiscard]] predict::Scenario scenario(const Asked& asked, std::ostream& remarks) const;
  [[nodiscard]] std::optional<predict::Calibration> calibration(std::ostream& remarks) const;
  [[nodiscard]] predict::Forecast forecast(const Asked& asked,
                                           const std::optional<predict::Calibration>& calibration,
                                           std::ostream& remarks) const;
  [[nodiscard]] predict::Sweep swept(const Asked& asked,
                                     const std::optional<predict::Calibration>& calibration,
                                     std::ostream& remarks) const;
  [[nodiscard]] std::string shown(const predict::Sweep& sweep) const;
  [[nodiscard]] std::string shown(const predict::Forecast& forecast,
                                  const std::optional<predict::Calibration>& calibration) const;

  Asked asked_;
  std::string file_;
  int nics_ = 8;
  int per_host_ = 0;
  std::string collective_ = "all_reduce";
  std::vector<std::string> algorithms_{"all"};
  std::string like_;
  std::vector<std::string> calibrate_;
  double nvlink_ = 450;
  Swept sweep_;
  bool json_ = false;
  bool csv_ = false;
  bool svg_ = false;
  bool published_ = false;
  results::OutputFile output_;
};

PredictCommand::PredictCommand()
    : Command(
          {.program = "railgauge predict",
           .about = "Predict the times of collectives on a fabric, with bounds and bands",
           .examples = {{"railgauge predict --hosts 1024 --algo hierarchical --balance spray",
                         "All-reduce of 8,192 ranks, 8 B to 1 GiB"},
                        {"railgauge predict --fabric design.json --order random --qps 16 "
                         "--fail spine=1",
                         "Every algorithm on a design with scattered ranks and a dead spine"},
                        {"railgauge predict --hosts 1024 --algo circulant --sweep qps=1,4,16,64",
                         "The same with more queue pairs"}}}) {
  asked_.scenario.sizes = {8, 1U << 20U, 1U << 30U};
  table().group("Collective");
  table().scalar(options::collective(), collective_);
  table().axis("--algo", algorithms_, options::text("NAME"),
               "Algorithms, or all of the collective");
  table().axis("--size", asked_.scenario.sizes, options::size(),
               "Sizes in bytes, as in the collectives' tables");
  add_ranks();
  table().group("Fabric");
  table().scalar("--fabric", file_, options::text("PATH"),
                 "Design or list of links to predict on, instead of the options below");
  add_fabric(table(), asked_.request, nics_);
  add_inputs();
}

void PredictCommand::add_ranks() {
  table().group("Ranks and paths");
  table().scalar("--ppn", per_host_, options::chosen_by_run(options::whole<int>(1, 4096)),
                 "Ranks on each host (default: as many as NICs)");
  table().scalar("--order", asked_.scenario.ranks.order,
                 options::choice<Order>(
                     {{"pod", Order::pod}, {"rail", Order::rail}, {"random", Order::random}}),
                 "Numbering of ranks: hosts in the order of leaves, rail after rail, or hosts in "
                 "random order");
  table().scalar(balance(), asked_.scenario.routing.balance);
  table().scalar(options::queue_pairs(kMostPairs), asked_.scenario.routing.queue_pairs);
  table().scalar(dead_spines(), asked_.scenario.routing.dead_spines);
  table().scalar(options::seed(), asked_.scenario.routing.seed);
}

void PredictCommand::add_inputs() {
  table().group("Inputs");
  table().scalar("--latency", asked_.scenario.latencies.network_us, options::positive_number(),
                 "Latency of a step between hosts, in us");
  table().scalar("--latency-inside", asked_.scenario.latencies.inside_us,
                 options::positive_number(), "Latency of a step inside a host, in us");
  table().scalar("--nvlink", nvlink_, options::positive_number(),
                 "NVLink bandwidth of a GPU in each direction, in GB/s");
  table().scalar("--mtu", asked_.scenario.routing.mtu_bytes, options::whole<int>(256, 65536),
                 "Payload of a packet, in bytes");
  add_results();
  table().group("Output");
  table().scalar("--sweep", sweep_, sweep(),
                 "Predict for each value of one axis: size, hosts, qps, balance, "
                 "oversubscription or failures (default: one prediction)");
  table().flag("--published", published_,
               "Print figures that others published next to the model's, with those that miss");
  table().flag(options::json("railgauge/prediction/1"), json_);
  table().flag("--csv", csv_, "Print CSV instead of text, with a line for each time");
  table().flag("--svg", svg_, "Draw --sweep as an SVG picture of bus bandwidth");
  table().scalar(options::output_file(), output_.path);
  table().flag(options::force(), output_.overwrite);
}

void PredictCommand::add_results() {
  table().group("Results");
  table().scalar("--like", like_, options::text("PATH"),
                 "Predict the collective, algorithms, sizes, ranks and queue pairs of this result "
                 "(default: the options)");
  table().axis("--calibrate", calibrate_, options::text("PATH"),
               "Results whose times give latency, bandwidth and cost of reduction, with their "
               "errors (default: the inputs above)");
}

/// Options that are given have precedence over a result.
void PredictCommand::take_options(Asked& asked) const {
  asked.request.nics = static_cast<fabric::Count>(nics_);
  asked.hosts_given = table().given("hosts");
  predict::Scenario& scenario = asked.scenario;
  const auto collective = schedule::collective(collective_);
  if (!collective) {
    std::vector<std::string> names;
    for (const auto& one : schedule::collectives()) names.emplace_back(one.name);
    throw std::invalid_argument("there is no collective '" + collective_ + "'" +
                                manual::did_you_mean(collective_, names));
  }
  scenario.collective = *collective;
  if (algorithms_ != std::vector<std::string>{"all"}) scenario.algorithms = algorithms_;
  scenario.ranks.per_host = static_cast<fabric::Count>(per_host_);
  scenario.routing.nvlink_bytes_per_us = nvlink_ * 1000;
  scenario.latencies_given = table().given("latency") && table().given("latency-inside");
  scenario.nvlink_given = table().given("nvlink");
}

void PredictCommand::take_result(Asked& asked, std::ostream& remarks) const {
  const std::vector<predict::MeasuredRun> runs = measured_runs(like_);
  if (runs.size() > 1) {
    remarks << like_ << " has " << runs.size() << " settings, and the first is predicted.\n";
  }
  const predict::Scenario& theirs = runs.front().scenario;
  predict::Scenario& ours = asked.scenario;
  if (!table().given("collective")) ours.collective = theirs.collective;
  if (!table().given("algo")) ours.algorithms = theirs.algorithms;
  if (!table().given("size")) ours.sizes = theirs.sizes;
  if (!table().given("qps")) ours.routing.queue_pairs = theirs.routing.queue_pairs;
  if (!asked.hosts_given) asked.request.hosts = theirs.ranks.hosts;
  asked.hosts_given = true;
  if (!table().given("nics")) asked.request.nics = theirs.fabric.nics;
  if (!table().given("nic-rate")) asked.request.nic_gbps = theirs.fabric.port_gbps;
  if (!table().given("ppn")) ours.ranks.per_host = theirs.ranks.per_host;
  ours.ranks.nics_each = theirs.ranks.nics_each;
  ours.routing.inside_by_nics = theirs.routing.inside_by_nics;
}

void PredictCommand::take_fabric(const Asked& asked, predict::Scenario& scenario,
                                 std::ostream& remarks) const {
  if (file_.empty()) {
    const fabric::Sizing sizing = fabric::sized(asked.request);
    for (const std::string& remark : sizing.remarks) remarks << remark << "\n";
    scenario.fabric = sizing.fabric;
    return;
  }
  for (const char* const name :
       {"generator", "nics", "nic-rate", "planes", "leaf", "spine", "uplink-rate",
        "oversubscription", "spines", "hosts-per-leaf", "k", "wan", "wan-delay"}) {
    if (!table().given(name)) continue;
    throw std::invalid_argument(std::string("--fabric has the fabric: --") + name +
                                " cannot change it");
  }
  try {
    scenario.fabric = fabric::fabric_of(json::json_of_text(results::read_input(file_)));
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(results::name_of_input(file_) + ": " + error.what());
  }
  scenario.fabric_source = "of " + results::name_of_input(file_);
}

void PredictCommand::take_ranks(const Asked& asked, predict::Scenario& scenario) const {
  predict::Ranks& ranks = scenario.ranks;
  ranks.hosts = file_.empty() || !asked.hosts_given ? scenario.fabric.hosts : asked.request.hosts;
  if (ranks.per_host == 0) ranks.per_host = scenario.fabric.nics;
  if (ranks.nics_each > scenario.fabric.nics) {
    throw std::invalid_argument("ranks of " + like_ + " use " + fabric::counted(ranks.nics_each) +
                                " NICs each, and a host has " +
                                fabric::counted(scenario.fabric.nics));
  }
  if (ranks.hosts * ranks.per_host <= kMostPredicted) return;
  throw std::invalid_argument("predictions are for at most " + fabric::counted(kMostPredicted) +
                              " ranks");
}

predict::Scenario PredictCommand::scenario(const Asked& asked, std::ostream& remarks) const {
  predict::Scenario scenario = asked.scenario;
  take_fabric(asked, scenario, remarks);
  take_ranks(asked, scenario);
  return scenario;
}

/// With its residuals among the remarks if it is refused.
std::optional<predict::Calibration> PredictCommand::calibration(std::ostream& remarks) const {
  if (calibrate_.empty()) return std::nullopt;
  std::vector<predict::MeasuredRun> runs;
  for (const std::string& file : calibrate_) {
    for (predict::MeasuredRun& run : measured_runs(file)) {
      run.scenario.routing.mtu_bytes = asked_.scenario.routing.mtu_bytes;
      run.scenario.routing.nvlink_bytes_per_us = nvlink_ * 1000;
      runs.push_back(std::move(run));
    }
  }
  const predict::Calibration found = predict::calibrated(runs);
  const std::string why = why_unfit(found);
  if (why.empty()) return found;
  remarks << as_text(found);
  throw std::invalid_argument(why);
}

predict::Forecast PredictCommand::forecast(const Asked& asked,
                                           const std::optional<predict::Calibration>& calibration,
                                           std::ostream& remarks) const {
  predict::Scenario about = scenario(asked, remarks);
  if (!calibration) return predict::predicted(about);
  apply(*calibration, about);
  predict::Forecast forecast = predict::predicted(about);
  const std::string beyond = predict::beyond(*calibration, about);
  if (!beyond.empty()) forecast.remarks.push_back(beyond);
  return forecast;
}

predict::Sweep PredictCommand::swept(const Asked& asked,
                                     const std::optional<predict::Calibration>& calibration,
                                     std::ostream& remarks) const {
  const std::string axis = sweep_.axis->name;
  if (!file_.empty() && axis == "oversubscription") {
    throw std::invalid_argument("--fabric has the fabric: --sweep " + axis + " cannot change it");
  }
  predict::Sweep sweep{axis, sweep_.values};
  for (const std::string& value : sweep_.values) {
    Asked one = asked;
    sweep_.axis->set(one, value);
    sweep.forecasts.push_back(forecast(one, calibration, remarks));
  }
  return sweep;
}

std::string PredictCommand::shown(const predict::Sweep& sweep) const {
  if (csv_) return as_csv(sweep.forecasts);
  if (svg_) return as_svg(sweep);
  return json_ ? as_json_lines(sweep) : as_text(sweep);
}

std::string PredictCommand::shown(const predict::Forecast& forecast,
                                  const std::optional<predict::Calibration>& calibration) const {
  if (csv_) return predict::as_csv({forecast});
  if (!json_) return (calibration ? as_text(*calibration) : "") + as_text(forecast);
  nlohmann::ordered_json json = as_json(forecast);
  if (calibration) json["calibration"] = as_json(*calibration);
  return json.dump(1) + "\n";
}

results::ExitCode PredictCommand::run(std::ostream& out, std::ostream& remarks) const {
  if (int{json_} + int{csv_} + int{svg_} > 1)
    throw std::invalid_argument("give one of --json, --csv and --svg");
  if (svg_ && sweep_.axis == nullptr) throw std::invalid_argument("--svg draws a --sweep");
  if (published_ && (json_ || csv_ || svg_)) {
    throw std::invalid_argument("--published is a table: it has no --json, --csv or --svg");
  }
  if (published_) {
    output_.write(as_text(predict::published_points()), out);
    return results::ExitCode::ok;
  }
  Asked asked = asked_;
  take_options(asked);
  if (!like_.empty()) take_result(asked, remarks);
  const std::optional<predict::Calibration> fitted = calibration(remarks);
  if (sweep_.axis != nullptr) {
    output_.write(shown(swept(asked, fitted, remarks)), out);
  } else {
    output_.write(shown(forecast(asked, fitted, remarks), fitted), out);
  }
  return results::ExitCode::ok;
}

}  // namespace

std::unique_ptr<Command> predict_command() {
  return std::make_unique<PredictCommand>();
}

}  // namespace railgauge::benchmarks
