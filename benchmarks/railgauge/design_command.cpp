#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/fabric_options.hpp"
#include "fabric/design.hpp"
#include "fabric/document.hpp"
#include "fabric/miniature.hpp"
#include "fabric/storage.hpp"
#include "options/shared.hpp"
#include "results/output_file.hpp"

namespace railgauge::benchmarks {
namespace {

struct Pcie {
  int generation = 5;
  int lanes = 16;
};

Pcie parse_pcie(const std::string& word) {
  const std::size_t at = word.find('x');
  if (at == std::string::npos) {
    throw std::invalid_argument("expected generation x lanes, such as 5x16");
  }
  const std::string_view text = word;
  return {options::parse_whole<int>(text.substr(0, at), 3, 7),
          options::parse_whole<int>(text.substr(at + 1), 1, 32)};
}

options::Syntax<Pcie> pcie() {
  return {"GENxLANES", parse_pcie, [](const Pcie& one) {
            return std::to_string(one.generation) + "x" + std::to_string(one.lanes);
          }};
}

class DesignCommand final : public Command {
 public:
  DesignCommand();

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override {
    output_.write(shown(remarks), out);
    return results::ExitCode::ok;
  }

 private:
  void add_cluster();
  [[nodiscard]] fabric::Plan plan() const;
  [[nodiscard]] std::string shown(std::ostream& remarks) const;
  [[nodiscard]] std::string miniature(const fabric::Fabric& design, std::ostream& remarks) const;

  fabric::Plan plan_;
  int nics_ = 8;
  fabric::Count gpus_ = 0;
  Pcie pcie_;
  bool storage_ = false;
  fabric::Count miniature_ = 0;
  predict::Balance balance_ = predict::Balance::ecmp;
  fabric::Count dead_spines_ = 0;
  std::string format_ = "table";
  results::OutputFile output_;
};

DesignCommand::DesignCommand()
    : Command({.program = "railgauge design",
               .about = "Size a fabric in seven steps, each with its rule and source",
               .examples = {{"railgauge design --gpus 8192 --leaf 128x400G --spine 128x400G",
                             "Leaves, spines, cables, growth and costs for 8,192 GPUs"},
                            {"railgauge design --hosts 8 --nics 2 --format fabric -o fabric.json",
                             "List every link, for launchers/fabric --topology"},
                            {"railgauge design --gpus 8192 --miniature 16 -o mini.json",
                             "The same ratios on one machine"}}}) {
  add_cluster();
  add_fabric(table(), plan_.request, nics_);
  table().group("Miniature");
  table().scalar("--miniature", miniature_, options::chosen_by_run(count()),
                 "Print a fabric of this many hosts with the ratios of the design, for "
                 "launchers/fabric --topology");
  table().scalar(balance(), balance_);
  table().scalar(dead_spines(), dead_spines_);
  table().group("Output");
  table().scalar("--format", format_, word_of({"table", "json", "svg", "csv", "fabric"}),
                 "Table of steps, railgauge/design/1, picture, bill of materials, or "
                 "railgauge/fabric/1");
  table().scalar(options::output_file(), output_.path);
  table().flag(options::force(), output_.overwrite);
}

void DesignCommand::add_cluster() {
  table().group("Cluster");
  table().scalar("--workload", plan_.workload, word_of(fabric::workloads()),
                 "What runs on it: decides the recommended oversubscription");
  table().scalar("--gpus", gpus_, options::chosen_by_run(count()),
                 "Number of GPUs, instead of --hosts");
  table().scalar("--gpus-later", plan_.gpus_later, options::chosen_by_run(count()),
                 "Number of GPUs in 18 months");
  table().scalar("--gpus-per-host", plan_.gpus_per_host, count(), "GPUs of a host");
  table().scalar("--pcie", pcie_, pcie(), "PCIe generation and lanes of a NIC's slot");
  table().scalar("--separation", plan_.separation, word_of(fabric::separations()),
                 "How storage and management traffic are kept apart");
  table().scalar("--hosts-per-rack", plan_.layout.hosts_per_rack, count(), "Hosts in a rack");
  table().flag("--storage", storage_,
               "Check the published storage fabric of 16 pods and 16 spines instead");
}

fabric::Plan DesignCommand::plan() const {
  if (gpus_ > 0 && table().given("hosts")) {
    throw std::invalid_argument("give either --gpus or --hosts");
  }
  fabric::Plan plan = plan_;
  plan.request.nics = static_cast<fabric::Count>(nics_);
  if (gpus_ > 0) plan.request.hosts = fabric::divided_up(gpus_, plan.gpus_per_host);
  plan.pcie_generation = pcie_.generation;
  plan.pcie_lanes = pcie_.lanes;
  return plan;
}

std::string DesignCommand::miniature(const fabric::Fabric& design, std::ostream& remarks) const {
  if (balance_ == predict::Balance::pinned) {
    throw std::invalid_argument("--balance pinned: launchers/fabric has no such switches");
  }
  fabric::Miniature made = fabric::miniature_of(design, miniature_, dead_spines_);
  made.balance = balance().syntax.print(balance_);
  for (const std::string& remark : made.remarks) remarks << remark << "\n";
  return as_json(made).dump(1) + "\n";
}

std::string DesignCommand::shown(std::ostream& remarks) const {
  if (miniature_ == 0 && (table().given("balance") || table().given("fail"))) {
    throw std::invalid_argument("--balance and --fail are those of a --miniature");
  }
  if (miniature_ > 0 && (storage_ || table().given("format"))) {
    throw std::invalid_argument(
        "--miniature prints railgauge/fabric/1: it has no --format, and no --storage");
  }
  if (storage_) return fabric::as_text(fabric::StorageFabric{});
  const fabric::Design design = fabric::designed(plan());
  if (miniature_ > 0) return miniature(design.fabric, remarks);
  if (format_ == "json") return as_json(design).dump(1) + "\n";
  if (format_ == "fabric") return fabric::listed(design.fabric).dump(1) + "\n";
  if (format_ == "csv") return as_csv(design);
  return format_ == "svg" ? as_svg(design) : as_text(design);
}

}  // namespace

std::unique_ptr<Command> design_command() {
  return std::make_unique<DesignCommand>();
}

}  // namespace railgauge::benchmarks
