#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/experiment.hpp"
#include "runner/soak/soak_leader.hpp"
#include "runner/soak/soak_options.hpp"
#include "soak/header.hpp"

namespace railgauge::runner {

/// soak_perf: a fabric under load for hours, sampled window by window, judged all the time, stopped
/// and resumed.
class SoakExperiment final : public Experiment {
 public:
  [[nodiscard]] Description description() const override;
  void add_options(OptionTable& table, RunOptions& run) override;
  void check_options(const OptionTable& table, const RunOptions& run) override;
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
  void report_verdict(Session& session) const;

  SoakOptions options_;
  std::set<std::string> given_;  // of the options that a record has, too
  std::string record_path_;
  std::optional<soak::Header> recorded_;
  std::vector<soak::Phase> plan_;
  SoakDisplay* display_ = nullptr;      // rank 0; the session's
  std::unique_ptr<SoakLeader> leader_;  // rank 0
};

}  // namespace railgauge::runner
