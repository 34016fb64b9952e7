#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/soak/soak_leader.hpp"
#include "experiments/soak/soak_options.hpp"
#include "runner/experiment.hpp"
#include "soak/header.hpp"

namespace railgauge::runner {

/// soak_perf: a fabric under load for hours, sampled and watched window by window; it can be
/// stopped and resumed.
class SoakExperiment final : public Experiment {
 public:
  [[nodiscard]] Description description() const override;
  void add_options(options::OptionTable& table, RunOptions& run) override;
  void check_options(const options::OptionTable& table, const RunOptions& run) override;
  [[nodiscard]] results::Body body() const override { return results::SoakBody{}; }
  void prepare(Session& session) override;
  void begin(Session& session) override;
  [[nodiscard]] bool goes_on() const override { return !options_.resume_file.empty(); }
  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override;
  void run(Session& session) override;
  void finish(const results::Document& document) override;

 private:
  void adopt(const soak::Header& recorded);
  [[nodiscard]] soak::Header header(const Session& session,
                                    std::map<std::string, std::string> boots) const;
  void open_record(Session& session, soak::Header header);

  SoakOptions options_;
  std::set<std::string> given_;  // of the options that a record has, too
  std::string record_path_;
  std::optional<soak::Header> recorded_;
  std::vector<soak::Phase> plan_;
  SoakDisplay* display_ = nullptr;      // rank 0; the session's
  std::unique_ptr<SoakLeader> leader_;  // rank 0
};

}  // namespace railgauge::runner
