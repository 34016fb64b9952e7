#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/fabric_options.hpp"
#include "fabric/document.hpp"
#include "json/text.hpp"
#include "manual/manual.hpp"
#include "options/shared.hpp"
#include "predict/prediction.hpp"
#include "results/input_file.hpp"
#include "results/output_file.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::benchmarks {
namespace {

using predict::Balance;
using predict::Order;

constexpr unsigned kMostPairs = 1024;
constexpr std::uint64_t kMostPredicted = 1U << 20U;

/// "spine=2".
fabric::Count parse_failure(const std::string& word) {
  constexpr std::string_view kSpine = "spine=";
  if (word.starts_with(kSpine)) {
    return options::parse_whole<fabric::Count>(std::string_view(word).substr(kSpine.size()), 0,
                                               1'000'000);
  }
  throw std::invalid_argument("expected spine=N, the number of dead spines");
}

options::Syntax<fabric::Count> failure() {
  return {"spine=N", parse_failure,
          [](const fabric::Count& dead) { return "spine=" + std::to_string(dead); }};
}

class PredictCommand final : public Command {
 public:
  PredictCommand();

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  void add_ranks();
  void add_inputs();
  [[nodiscard]] predict::Scenario scenario(std::ostream& remarks) const;
  void take_fabric(predict::Scenario& scenario, std::ostream& remarks) const;
  void take_ranks(predict::Scenario& scenario) const;

  fabric::Request request_;
  predict::Scenario scenario_;
  std::string file_;
  int nics_ = 8;
  int per_host_ = 0;
  std::string collective_ = "all_reduce";
  std::vector<std::string> algorithms_{"all"};
  std::vector<std::uint64_t> sizes_{8, 1U << 20U, 1U << 30U};
  unsigned queue_pairs_ = 1;
  double nvlink_ = 450;
  bool json_ = false;
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
                         "Every algorithm on a design with scattered ranks and a dead spine"}}}) {
  table().group("Collective");
  table().scalar(options::collective(), collective_);
  table().axis("--algo", algorithms_, options::text("NAME"),
               "Algorithms, or all of the collective");
  table().axis("--size", sizes_, options::size(), "Sizes in bytes, as in the collectives' tables");
  add_ranks();
  table().group("Fabric");
  table().scalar("--fabric", file_, options::text("PATH"),
                 "Design or list of links to predict on, instead of the options below");
  add_fabric(table(), request_, nics_);
  add_inputs();
}

void PredictCommand::add_ranks() {
  table().group("Ranks and paths");
  table().scalar("--ppn", per_host_, options::chosen_by_run(options::whole<int>(1, 4096)),
                 "Ranks on each host (default: as many as NICs)");
  table().scalar("--order", scenario_.ranks.order,
                 options::choice<Order>(
                     {{"pod", Order::pod}, {"rail", Order::rail}, {"random", Order::random}}),
                 "Numbering of ranks: hosts in the order of leaves, rail after rail, or hosts in "
                 "random order");
  table().scalar("--balance", scenario_.routing.balance,
                 options::choice<Balance>({{"ecmp", Balance::ecmp},
                                           {"spray", Balance::spray},
                                           {"pinned", Balance::pinned},
                                           {"adaptive", Balance::adaptive}}),
                 "How switches choose among equal paths: hash, every packet, by destination, or "
                 "the emptiest uplink");
  table().scalar(options::queue_pairs(kMostPairs), queue_pairs_);
  table().scalar("--fail", scenario_.routing.dead_spines, failure(), "Number of dead spines");
  table().scalar(options::seed(), scenario_.routing.seed);
}

void PredictCommand::add_inputs() {
  table().group("Inputs");
  table().scalar("--latency", scenario_.latencies.network_us, options::positive_number(),
                 "Latency of a step between hosts, in us");
  table().scalar("--latency-inside", scenario_.latencies.inside_us, options::positive_number(),
                 "Latency of a step inside a host, in us");
  table().scalar("--nvlink", nvlink_, options::positive_number(),
                 "NVLink bandwidth of a GPU in each direction, in GB/s");
  table().scalar("--mtu", scenario_.routing.mtu_bytes, options::whole<int>(256, 65536),
                 "Payload of a packet, in bytes");
  table().group("Output");
  table().flag(options::json("railgauge/prediction/1"), json_);
  table().scalar(options::output_file(), output_.path);
  table().flag(options::force(), output_.overwrite);
}

void PredictCommand::take_fabric(predict::Scenario& scenario, std::ostream& remarks) const {
  if (file_.empty()) {
    fabric::Request request = request_;
    request.nics = static_cast<fabric::Count>(nics_);
    const fabric::Sizing sizing = fabric::sized(request);
    for (const std::string& remark : sizing.remarks) remarks << remark << "\n";
    scenario.fabric = sizing.fabric;
    return;
  }
  for (const char* const name :
       {"generator", "nics", "nic-rate", "planes", "leaf", "spine", "uplink-rate",
        "oversubscription", "spines", "hosts-per-leaf", "k"}) {
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

void PredictCommand::take_ranks(predict::Scenario& scenario) const {
  scenario.ranks.hosts =
      file_.empty() || !table().given("hosts") ? scenario.fabric.hosts : request_.hosts;
  scenario.ranks.per_host =
      per_host_ > 0 ? static_cast<fabric::Count>(per_host_) : scenario.fabric.nics;
  if (scenario.ranks.hosts * scenario.ranks.per_host <= kMostPredicted) return;
  throw std::invalid_argument("predictions are for at most " + fabric::counted(kMostPredicted) +
                              " ranks");
}

predict::Scenario PredictCommand::scenario(std::ostream& remarks) const {
  predict::Scenario scenario = scenario_;
  const auto collective = schedule::collective(collective_);
  if (!collective) {
    std::vector<std::string> names;
    for (const auto& one : schedule::collectives()) names.emplace_back(one.name);
    throw std::invalid_argument("there is no collective '" + collective_ + "'" +
                                manual::did_you_mean(collective_, names));
  }
  scenario.collective = *collective;
  if (algorithms_ != std::vector<std::string>{"all"}) scenario.algorithms = algorithms_;
  scenario.sizes = sizes_;
  take_fabric(scenario, remarks);
  take_ranks(scenario);
  scenario.routing.queue_pairs = queue_pairs_;
  scenario.routing.nvlink_bytes_per_us = nvlink_ * 1000;
  scenario.latencies_given = table().given("latency") && table().given("latency-inside");
  scenario.nvlink_given = table().given("nvlink");
  return scenario;
}

results::ExitCode PredictCommand::run(std::ostream& out, std::ostream& remarks) const {
  const predict::Forecast forecast = predict::predicted(scenario(remarks));
  output_.write(json_ ? as_json(forecast).dump(1) + "\n" : as_text(forecast), out);
  return results::ExitCode::ok;
}

}  // namespace

std::unique_ptr<Command> predict_command() {
  return std::make_unique<PredictCommand>();
}

}  // namespace railgauge::benchmarks
